import { maximalGeometries } from '../../gpu/enumerate-layouts.ts'
import type { MigTables } from '../place/mig-tables.ts'
import { solveBySimplex } from '../linear/simplex.ts'
import type { MigDemand } from './mig-demand.ts'

/**
 * The most that any placement could give these arrivals, % of all compute slices, had it known them beforehand: ways to
 * cut a GPU, as many as there are GPUs, and no more instances used than are asked for. A linear relaxation, so a true upper
 * bound. Undefined where it was not solved.
 */
export function migCeiling(
  { board, profiles }: MigTables,
  gpus: number,
  arrivals: readonly MigDemand[],
): number | undefined {
  const geometries = maximalGeometries(board)
  const asked = profiles.map((_, index) => arrivals.filter(({ profile }) => profile === index).length)
  const answer = solveBySimplex({
    cost: [...geometries.map(() => 0), ...profiles.map(({ computeSlices }) => -computeSlices)],
    upper: [...geometries.map(() => gpus), ...asked],
    whole: false,
    rows: [
      { kind: 'at-most', bound: gpus, terms: geometries.map((_, variable) => [variable, 1] as const) },
      ...profiles.map(({ name }, index) => ({
        kind: 'at-most' as const,
        bound: 0,
        terms: [
          [geometries.length + index, 1] as const,
          ...geometries.map((geometry, variable) => [variable, -(geometry[name] ?? 0)] as const),
        ],
      })),
    ],
  })
  if (answer.kind !== 'optimal') return undefined
  return gpus === 0 ? 0 : (-100 * answer.bound) / (gpus * board.computeSlices)
}
