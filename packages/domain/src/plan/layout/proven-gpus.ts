import type { Board } from '../../gpu/board.ts'
import type { ProfileName } from '../../gpu/geometry.ts'
import { compareText } from '../../units.ts'
import { checkBound } from './bound-certificate.ts'
import { modelOf } from './layout-model.ts'
import type { LayoutProblem } from './layout-problem.ts'
import { gpuCertificate } from './relax-layout.ts'

/**
 * GPUs of a board below which no layout holds so many instances of its profiles at once: proven by a certificate that is
 * checked here. Undefined where nothing was proven.
 */
export function provenGpus(board: Board, counts: ReadonlyMap<ProfileName, number>): number | undefined {
  const supply = [...counts.values()].reduce((sum, count) => sum + count, 0)
  const problem: LayoutProblem = {
    // Without a price the goal is few GPUs.
    classes: [{ id: 'gpu', model: board.key, pool: '', board, supply, price: undefined, actuator: 'dra' }],
    demands: [...counts]
      .toSorted(([a], [b]) => compareText(a, b))
      .map(([profile, count]) => ({ id: profile, count, fits: [{ supplyClass: 'gpu', profile }] })),
  }
  const proven = gpuCertificate(modelOf(problem), 0)
    .map((certificate) => checkBound(problem, certificate))
    .flatMap((check) => (check.kind === 'proven' ? [check.atLeast] : []))
  return proven.length === 0 ? undefined : Math.max(...proven)
}
