import { sliceShare, type Board } from '../../gpu/board.ts'
import { boardFor } from '../../gpu/known-boards.ts'
import { WHOLE_GPU } from '../../gpu/whole-gpu.ts'
import { provenGpus } from '../../plan/layout/proven-gpus.ts'
import type { ScenarioNeed } from './needs.ts'
import { isEachModelAlone, type ScenarioWork } from './run-plan.ts'

/**
 * GPUs of each model below which no layout serves what runs at the model's busiest moment if nobody waits: counted, or
 * proven by a certificate that is checked here. Undefined where work may go to several models.
 */
export function provenBound(work: ScenarioWork): readonly number[] | undefined {
  if (!isEachModelAlone(work)) return undefined
  return work.models.map((model, gpuSet) => {
    const stays = staysOn(work, gpuSet)
    const moment = busiestMoment(stays)
    const needs = stays.flatMap(({ need, from, to }) => (from <= moment && moment < to ? [need] : []))
    const board = boardFor(model)
    const counted = countedBound(needs)
    return board === undefined ? counted : Math.max(counted, provenGpus(board, countsByProfile(needs, board)) ?? 0)
  })
}

type Stay = { readonly need: ScenarioNeed; readonly from: number; readonly to: number }

/** What wants this model, for the time that it stays if it never waits. */
function staysOn({ order, at, stays, shape, choices }: ScenarioWork, gpuSet: number): readonly Stay[] {
  return order.flatMap((job) => {
    const [choice] = choices[shape[job] ?? 0] ?? []
    const from = at[job] ?? 0
    return choice?.gpuSet === gpuSet ? [{ need: choice.need, from, to: from + (stays[job] ?? Infinity) }] : []
  })
}

/** GPUs that a need takes at the least: thousandths are rounded up, so seven sevenths of a GPU are one. */
const leastGpus = (need: ScenarioNeed): number =>
  need.kind === 'whole' ? need.gpus : Math.max(0, need.milli - 1) / 1000

/** When most GPUs' worth runs. */
function busiestMoment(stays: readonly Stay[]): number {
  const changes = stays.flatMap(({ need, from, to }) => [
    { time: from, by: leastGpus(need) },
    { time: to, by: -leastGpus(need) },
  ])
  let [now, most, moment] = [0, 0, 0]
  for (const { time, by } of changes.toSorted((a, b) => a.time - b.time || a.by - b.by)) {
    now += by
    if (now > most + 1e-9) [most, moment] = [now, time]
  }
  return moment
}

const countedBound = (needs: readonly ScenarioNeed[]): number =>
  Math.ceil(needs.reduce((sum, need) => sum + leastGpus(need), 0) - 1e-6)

/** Instances of each profile; a whole GPU is one of the largest. Shares in software may be smaller than any, and are left out. */
function countsByProfile(needs: readonly ScenarioNeed[], board: Board): ReadonlyMap<string, number> {
  const largest = board.profiles.find(({ computeSlices }) => computeSlices === board.computeSlices)?.name ?? WHOLE_GPU
  const counts = new Map<string, number>()
  for (const need of needs) {
    const name = need.kind === 'whole' ? largest : instanceOf(need, board)
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + (need.kind === 'whole' ? need.gpus : 1))
  }
  return counts
}

const instanceOf = ({ profile, milli }: Extract<ScenarioNeed, { kind: 'part' }>, board: Board): string | undefined =>
  profile !== undefined && milli >= sliceShare(board, profile) * 1000 ? profile.name : undefined
