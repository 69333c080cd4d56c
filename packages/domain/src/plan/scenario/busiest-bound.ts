import type { Board } from '../../gpu/board.ts'
import { boardFor } from '../../gpu/known-boards.ts'
import { compareText } from '../../units.ts'
import { checkBound } from '../layout/bound-certificate.ts'
import { WHOLE_GPU } from '../../gpu/whole-gpu.ts'
import { type LayoutProblem } from '../layout/layout-problem.ts'
import { modelOf } from '../layout/layout-model.ts'
import { gpuCertificate } from '../layout/relax-layout.ts'
import type { Alternative } from './alternatives.ts'
import type { Need } from './needs.ts'
import type { RunPlan } from './run-plan.ts'

/**
 * GPUs below which nobody can serve what runs at the busiest moment if nobody waits, sharing as the alternative does: counted,
 * or proven by a certificate that is checked here. Undefined where work may go to several models, or nothing was proven.
 */
export function busiestBound(plan: RunPlan, { mode }: Alternative): number | undefined {
  if (plan.choices.some((choices) => choices.length > 1)) return undefined
  const running = runningAt(plan, busiestMoment(plan))
  let total = 0
  for (const [gpuSet, model] of plan.models.entries()) {
    const needs = running.flatMap(({ gpuSet: at, need }) => (at === gpuSet ? [need] : []))
    const board = mode.kind === 'whole' || mode.kind === 'slices' ? undefined : boardFor(model)
    const part = board === undefined ? countedBound(needs, mode) : provenBound(needs, model)
    if (part === undefined) return undefined
    total += part
  }
  return total
}

/** GPUs that a need takes at the least. */
const leastGpus = (need: Need): number => (need.kind === 'whole' ? need.gpus : need.milli / 1000)

/** When most GPUs' worth runs, had nobody ever waited. */
function busiestMoment({ order, at, stays, shape, choices, length }: RunPlan): number {
  const changes = order.flatMap((job) => {
    const [first] = choices[shape[job] ?? 0] ?? []
    const gpus = first === undefined ? 0 : leastGpus(first.need)
    const from = at[job] ?? 0
    const to = from + (stays[job] ?? Infinity)
    return [{ time: from, by: gpus }, ...(to <= length ? [{ time: to, by: -gpus }] : [])]
  })
  let [now, most, moment] = [0, 0, 0]
  for (const { time, by } of changes.toSorted((a, b) => a.time - b.time || a.by - b.by)) {
    now += by
    if (now > most + 1e-9) [most, moment] = [now, time]
  }
  return moment
}

function runningAt({ order, at, stays, shape, choices }: RunPlan, moment: number) {
  return order.flatMap((job) => {
    const from = at[job] ?? 0
    const runs = from <= moment && moment < from + (stays[job] ?? Infinity)
    return runs ? (choices[shape[job] ?? 0] ?? []).slice(0, 1) : []
  })
}

function countedBound(needs: readonly Need[], mode: Alternative['mode']): number {
  if (mode.kind === 'whole') return needs.reduce((sum, need) => sum + (need.kind === 'whole' ? need.gpus : 1), 0)
  return Math.ceil(needs.reduce((sum, need) => sum + leastGpus(need), 0) - 1e-6)
}

function provenBound(needs: readonly Need[], model: string): number | undefined {
  const board = boardFor(model)
  const counts = countsByProfile(needs, board)
  if (counts.size === 0) return 0
  const supply = [...counts.values()].reduce((sum, count) => sum + count, 0)
  const problem: LayoutProblem = {
    classes: [{ id: 'gpu', model, pool: '', board, supply, price: undefined, actuator: 'dra' }],
    demands: [...counts]
      .toSorted(([a], [b]) => compareText(a, b))
      .map(([profile, count]) => ({ id: profile, count, fits: [{ supplyClass: 'gpu', profile }] })),
  }
  const proven = gpuCertificate(modelOf(problem), 0)
    .map((certificate) => checkBound(problem, certificate))
    .flatMap((check) => (check.kind === 'proven' ? [check.atLeast] : []))
  return proven.length === 0 ? undefined : Math.max(...proven)
}

/** Instances of each profile; a whole GPU is one of the largest. */
function countsByProfile(needs: readonly Need[], board: Board | undefined): ReadonlyMap<string, number> {
  const largest = board?.profiles.find(({ computeSlices }) => computeSlices === board.computeSlices)?.name ?? WHOLE_GPU
  const counts = new Map<string, number>()
  for (const need of needs) {
    const [profile, count] = need.kind === 'whole' ? [largest, need.gpus] : [need.profile?.name ?? largest, 1]
    counts.set(profile, (counts.get(profile) ?? 0) + count)
  }
  return counts
}
