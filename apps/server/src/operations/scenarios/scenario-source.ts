import { plural } from '@septet/domain/words'
import {
  WEEK_MS,
  HOUR_MS,
  gpusOf,
  instant,
  jobsOfStays,
  spreadWithinRows,
  pricesOf,
  SPAN_SECONDS,
  seconds,
  ratio,
  mib,
  shippedPrices,
  type GpuStay,
  type Instant,
  type ScenarioSource,
  type ScenarioStart,
  type Span,
  type Store,
  type Window,
} from '@septet/domain'

import type { ClusterFacts } from '../../facts.ts'
import { notReady } from '@septet/contract'
import { scenarioGroups } from './scenario-fleet-now.ts'
import { staysNow } from './scenario-jobs-now.ts'

/** Beyond this many GPUs buckets of an hour are read: five-minute ones would be tens of millions. */
const FINE_UP_TO = 2000

/** What a scenario of this cluster starts from, from its last picture and stored usage. Throws a refusal before the first reading. */
export async function scenarioSource(facts: ClusterFacts, store: Store, kind: ScenarioStart): Promise<ScenarioSource> {
  const picture = facts.picture()
  const asOf = facts.asOf()
  if (picture === undefined || asOf === undefined) {
    throw notReady(
      `${facts.record.name} has not been read since Septet started, so there is nothing to simulate yet.`,
      'Try again in a few seconds.',
    )
  }
  const priceOf = pricesOf([...(await store.prices.list()), ...shippedPrices], {
    cluster: facts.record.id,
    nodes: picture.nodes,
    at: asOf,
  })
  const groups = scenarioGroups(picture.nodes, priceOf)
  const left = picture.nodes.filter(({ ready }) => !ready).length
  const notes = left === 0 ? [] : [`${plural(left, 'node is', 'nodes are')} not ready and not in the fleet.`]
  const own = { cluster: facts.record.id, groups }
  if (kind === 'now') {
    const window = { from: asOf, to: instant(asOf + HOUR_MS) }
    const { shapes, jobs } = jobsOfStays(staysNow(facts, picture, window), window)
    return { ...own, kind, from: window.from, to: window.to, shapes, jobs, notes: [...notes, NOW_NOTE] }
  }
  const week = await staysOfWeek(store, { cluster: facts.record.id, asOf, gpus: gpusOf(groups) })
  const { shapes, jobs } = jobsOfStays(week.stays, week.window)
  return { ...own, kind, from: week.window.from, to: week.window.to, shapes, jobs, notes: [...notes, ...week.notes] }
}

const NOW_NOTE =
  'The model that waiting work would run on is unknown; the most common model in the cluster is assumed. Utilization is from the last reading.'

type Asking = { readonly cluster: string; readonly asOf: Instant; readonly gpus: number }
type Week = { readonly stays: readonly GpuStay[]; readonly window: Window; readonly notes: readonly string[] }

/** Pods of the last seven days: from hours, and from five minutes where these are kept and not too many. */
async function staysOfWeek(store: Store, { cluster, asOf, gpus }: Asking): Promise<Week> {
  const [fine, coarse] = await Promise.all([store.usage.coverage(cluster, '5m'), store.usage.coverage(cluster, '1h')])
  if (fine === undefined) {
    throw notReady(
      'No usage is stored yet, so there is no week to replay.',
      'Try again in a few minutes, or start from what runs now.',
    )
  }
  const { from, to } = wholeHours({ from: instant(Math.min(coarse?.from ?? fine.from, fine.from)), to: fine.to })
  const border = instant(Math.min(to, borderOf({ fine, coarse, from, gpus })))
  const parts = await Promise.all([
    staysIn(store, { cluster, span: '1h', window: { from, to: border } }).then((stays) =>
      spreadWithinRows(stays, seconds(SPAN_SECONDS['1h'])),
    ),
    staysIn(store, { cluster, span: '5m', window: { from: border, to } }),
  ])
  const notes = [
    `Replayed from stored usage rows of ${daysText(to - from)}: who held which GPUs is known to ${border > from ? `an hour, and to 5 minutes in the last ${daysText(to - border)}` : '5 minutes'}.`,
    ...(border > from ? ['Work that lies within one hourly row is taken to have run one after the other.'] : []),
    ...(to - from < WEEK_MS - HOUR_MS ? ['Less than a week is stored, so the replay is shorter.'] : []),
    ...(asOf - fine.to > 2 * HOUR_MS ? ['The newest stored usage is hours old.'] : []),
  ]
  return { stays: joined(parts.flat(), SPAN_SECONDS['1h'] * 1000), window: { from, to }, notes }
}

/**
 * The last week of what is stored, cut at full hours: an hourly row that the edge cuts would be left out, and its work would
 * come all at once an hour later. As stored where that is less than an hour.
 */
function wholeHours(stored: Window): Window {
  const to = Math.floor(stored.to / HOUR_MS) * HOUR_MS
  const from = Math.max(to - WEEK_MS, Math.ceil(stored.from / HOUR_MS) * HOUR_MS)
  return to > from ? { from: instant(from), to: instant(to) } : stored
}

type Border = {
  readonly fine: Window
  readonly coarse: Window | undefined
  readonly from: Instant
  readonly gpus: number
}

/** Up to when hours are read; a full hour, so that no time is in both. */
function borderOf({ fine, coarse, from, gpus }: Border): Instant {
  if (coarse === undefined) return from
  const wanted = gpus > FINE_UP_TO ? coarse.to : Math.ceil(fine.from / HOUR_MS) * HOUR_MS
  return instant(Math.max(from, Math.min(wanted, coarse.to)))
}

const staysIn = async (
  store: Store,
  query: { readonly cluster: string; readonly span: Span; readonly window: Window },
): Promise<readonly GpuStay[]> => (query.window.to > query.window.from ? store.usage.stays(query) : [])

/** Stays of one pod on one kind of device, before and after the border, as one. */
function joined(stays: readonly GpuStay[], gap: number): readonly GpuStay[] {
  const groups = Map.groupBy(stays, ({ namespace, pod, model, profile, share }) =>
    JSON.stringify([namespace, pod, model, profile, share]),
  )
  return [...groups.values()].flatMap((group) => {
    const inOrder = group.toSorted((a, b) => a.from - b.from)
    const [first, second] = inOrder
    if (first === undefined) return []
    return second === undefined || second.from - first.to > gap ? inOrder : [asOne(first, second)]
  })
}

const asOne = (a: GpuStay, b: GpuStay): GpuStay => ({
  ...a,
  devices: Math.max(a.devices, b.devices),
  to: instant(Math.max(a.to, b.to)),
  measuredGpuSeconds: a.measuredGpuSeconds + b.measuredGpuSeconds,
  busyGpuSeconds: a.busyGpuSeconds + b.busyGpuSeconds,
  measuredSeconds: seconds(a.measuredSeconds + b.measuredSeconds),
  busyPeak: highest(a.busyPeak, b.busyPeak, ratio),
  memoryPeak: highest(a.memoryPeak, b.memoryPeak, mib),
})

const highest = <Unit extends number>(
  a: Unit | undefined,
  b: Unit | undefined,
  unit: (value: number) => Unit,
): Unit | undefined => (a === undefined ? b : b === undefined ? a : unit(Math.max(a, b)))

const daysText = (milliseconds: number): string => {
  const hours = Math.round(milliseconds / HOUR_MS)
  return hours < 48 ? `${hours} hours` : `${Math.round(hours / 24)} days`
}
