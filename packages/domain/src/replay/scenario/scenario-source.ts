import { DEFAULT_POLICY } from '../../analyze/policy.ts'
import { smallestFitting } from '../../analyze/right-size.ts'
import type { GpuStay } from '../../analyze/gpu-stay.ts'
import { profileOf, sliceShare } from '../../gpu/board.ts'
import { boardFor } from '../../gpu/known-boards.ts'
import { compareText, instant, mib, type Seconds, type Window } from '../../units.ts'
import type { ScenarioJobs, ScenarioShape } from './scenario.ts'

/**
 * Pods' stays as a scenario's jobs: who was there when the window began comes at its start, who still is at its end stays on.
 * Of those that come at one moment the largest comes first: in reality all of them had found room, which the largest finds
 * only before the others are spread over the nodes.
 */
export function jobsOfStays(
  stays: readonly GpuStay[],
  window: Window,
): { readonly shapes: readonly ScenarioShape[]; readonly jobs: ScenarioJobs } {
  const shapes = new Shapes()
  const tenants = new Map<string, number>()
  const jobs = { at: [] as number[], stays: [] as (number | null)[], shape: [] as number[], fit: [] as number[] }
  const [tenant, work]: [number[], (number | null)[]] = [[], []]
  const began = ({ from }: GpuStay): number => Math.max(from, window.from)
  const ordered = stays
    .filter(({ from, to }) => to > from && to > window.from && from < window.to)
    .toSorted(
      (a, b) =>
        began(a) - began(b) ||
        gpusHeld(b) - gpusHeld(a) ||
        compareText(a.pod, b.pod) ||
        compareText(a.profile, b.profile),
    )
  for (const stay of ordered) {
    const at = (began(stay) - window.from) / 1000
    jobs.at.push(at)
    jobs.stays.push(stay.to >= window.to ? null : (stay.to - window.from) / 1000 - at)
    const held = heldShape(stay)
    jobs.shape.push(shapes.index(held))
    jobs.fit.push(shapes.index(fittingShape(stay, held)))
    const number = tenants.get(stay.namespace) ?? tenants.size
    tenants.set(stay.namespace, number)
    tenant.push(number)
    work.push(stay.measuredGpuSeconds > 0 ? (gpusHeld(stay) * stay.busyGpuSeconds) / stay.measuredGpuSeconds : null)
  }
  return { shapes: shapes.list, jobs: { ...jobs, tenant, work } }
}

/**
 * Stays that lie within one stored row, whose time in it is not known: one after the other as far as the row is long, and not
 * all at its beginning, where each would want GPUs of its own.
 */
export function spreadWithinRows(stays: readonly GpuStay[], row: Seconds): readonly GpuStay[] {
  const length = row * 1000
  const isWithin = ({ from, to }: GpuStay): boolean => from % length === 0 && to < from + length
  const within = stays.filter(isWithin).toSorted((a, b) => a.from - b.from || compareText(a.pod, b.pod))
  const alike = Map.groupBy(within, ({ from, model, profile, share, devices }) =>
    JSON.stringify([from, model, profile, share, devices]),
  )
  const spread = [...alike.values()].flatMap((group) => {
    let later = 0
    return group.map((stay) => {
      if (stay.to + later > stay.from + length) later = 0
      const placed = { ...stay, from: instant(stay.from + later), to: instant(stay.to + later) }
      later += stay.to - stay.from
      return placed
    })
  })
  return [...stays.filter((stay) => !isWithin(stay)), ...spread]
}

/** GPUs' worth that a stay held at a time. */
const gpusHeld = ({ share, devices }: GpuStay): number => share * devices

function heldShape({ model, profile, share, devices }: GpuStay): ScenarioShape {
  if (profile !== '') return { model, size: { kind: 'mig', profile } }
  if (share >= 0.999) return { model, size: { kind: 'whole', gpus: devices } }
  return { model, size: { kind: 'share', milli: Math.round(share * devices * 1000) } }
}

/** What its measured peak fits on its own board; what it held where that is not known, or nothing smaller would do. */
function fittingShape(stay: GpuStay, held: ScenarioShape): ScenarioShape {
  const { model, profile, busyPeak, memoryPeak } = stay
  const board = boardFor(model)
  const policy = DEFAULT_POLICY.rightSize
  if (board === undefined || busyPeak === undefined || memoryPeak === undefined || !isJudged(stay)) return held
  const own = profile === '' ? 1 : shareOf(model, profile)
  const fitting = smallestFitting(board, { memoryPeak: mib(memoryPeak), computePeak: busyPeak * own }, policy)
  if (fitting === undefined || sliceShare(board, fitting) >= own) return held
  return { model, size: { kind: 'mig', profile: fitting.name } }
}

/** One device of its own, with enough history. */
const isJudged = ({ devices, profile, share, measuredSeconds }: GpuStay): boolean =>
  devices === 1 && measuredSeconds >= DEFAULT_POLICY.rightSize.minimumHistory && (profile !== '' || share >= 0.999)

function shareOf(model: string, name: string): number {
  const board = boardFor(model)
  const profile = board === undefined ? undefined : profileOf(board, name)
  return board === undefined || profile === undefined ? 1 : sliceShare(board, profile)
}

class Shapes {
  readonly list: ScenarioShape[] = []
  private readonly known = new Map<string, number>()

  index(shape: ScenarioShape): number {
    const key = JSON.stringify([shape.model, shape.size])
    const found = this.known.get(key) ?? this.list.push(shape) - 1
    this.known.set(key, found)
    return found
  }
}
