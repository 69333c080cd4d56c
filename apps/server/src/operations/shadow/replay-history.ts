import {
  instant,
  rowText,
  shadowMonth,
  shippedPrices,
  type ClusterRecord,
  type Instant,
  type ShadowMonth,
  type ShadowProgress,
  type ShadowQuestion,
  type Store,
  type UsageRow,
  type Window,
} from '@septet/domain'

import { readActPolicy } from '../../act-policies.ts'
import { contentDigest, digestOfAll } from '../../content-digest.ts'
import { analysisPolicyOf, readPolicies } from '../../policies.ts'
import { floorTo } from '../../usage/segments.ts'
import { readWorkloadLabels } from '../../workload-labels.ts'

export type ReplayQuestion = {
  readonly record: ClusterRecord
  readonly days: number
  readonly now: Instant
}

/** A replay of stored hours, with what shows that another run over the same says the same. */
export type Replay = {
  readonly month: ShadowMonth
  readonly digest: string
  /** Workloads that idled at all: those that are replayed, and those that idled less than all of these. */
  readonly workloads: { readonly replayed: number; readonly leftOut: number }
}

const HOUR = 3600
const DAY_MS = 86_400_000
/** As many as recommendations are made from: a month of hours of these is some hundred thousand rows. */
const MOST_REPLAYED = 300
/** Grows when the same history would give another answer. */
const VERSION = 1

/** Replays the stored hours of a cluster. Throws what the store throws. */
export async function replayHistory(
  store: Store,
  { record, days, now }: ReplayQuestion,
  progress?: ShadowProgress,
): Promise<Replay> {
  const window = await windowOf(store, { record, days, now })
  const { workloads, leftOut } = await idlers(store, record.id, window)
  const rows = await rowsOf(store, { cluster: record.id, window, workloads })
  const question = await questionOf(store, record, { window, rows, workloads })
  const month = shadowMonth(question, progress)
  return {
    month,
    digest: digestOf(question, month),
    workloads: { replayed: workloads.length, leftOut },
  }
}

/**
 * Whole hours that are stored. The last one ended an hour ago at least: how idle an hour was is only settled once a stretch
 * that began in it is long enough, and what is not settled would give another answer a minute later.
 */
async function windowOf({ usage }: Store, { record, days, now }: ReplayQuestion): Promise<Window> {
  const stored = await usage.coverage(record.id, '1h')
  const to = floorTo(Math.min(now - HOUR * 1000, stored?.to ?? now), HOUR)
  const from = Math.max(to - days * DAY_MS, floorTo(stored?.from ?? to, HOUR))
  return { from: instant(Math.min(from, to)), to }
}

/** The workloads that idled most, by id where two idled alike. */
async function idlers(
  { usage }: Store,
  cluster: string,
  window: Window,
): Promise<{ readonly workloads: readonly string[]; readonly leftOut: number }> {
  const totals = await usage.totals({ cluster, span: '1h', window, by: ['workload'], kinds: ['held'] })
  const idle = totals
    .flatMap(({ key: { workload = '' }, idleGpuSeconds }) =>
      workload === '' || idleGpuSeconds <= 0 ? [] : [{ workload, idleGpuSeconds }],
    )
    .toSorted((a, b) => b.idleGpuSeconds - a.idleGpuSeconds || (a.workload < b.workload ? -1 : 1))
  const workloads = idle.slice(0, MOST_REPLAYED).map(({ workload }) => workload)
  return { workloads, leftOut: idle.length - workloads.length }
}

type RowsAsked = { readonly cluster: string; readonly window: Window; readonly workloads: readonly string[] }

/** A day at a time: a month of a large fleet at once would hold the connection for long. */
async function rowsOf({ usage }: Store, { cluster, window, workloads }: RowsAsked): Promise<readonly UsageRow[]> {
  const rows: UsageRow[] = []
  if (workloads.length === 0) return rows
  for (let from: number = window.from; from < window.to; from += DAY_MS) {
    const day = { from: instant(from), to: instant(Math.min(from + DAY_MS, window.to)) }
    const found = await usage.rows({ cluster, span: '1h', window: day, workloads })
    for (const row of found) if (row.kind === 'held') rows.push(row)
  }
  return rows
}

type Read = { readonly window: Window; readonly rows: readonly UsageRow[]; readonly workloads: readonly string[] }

async function questionOf(
  store: Store,
  record: ClusterRecord,
  { window, rows, workloads }: Read,
): Promise<ShadowQuestion> {
  const cluster = record.id
  const [{ policy }, kept, prices, snapshot, labels, seen] = await Promise.all([
    readActPolicy(store.settings, record),
    readPolicies(store.settings),
    store.prices.list(),
    store.snapshots.latest(cluster),
    readWorkloadLabels(store.settings, cluster),
    store.usage.totals({ cluster, span: '1h', window, by: ['at'] }),
  ])
  return {
    cluster,
    window,
    rows,
    recorded: seen.map(({ key }) => instant(Number(key.at))),
    policy,
    rules: { analysis: analysisPolicyOf(kept), plans: kept.policies.plans },
    prices: [...prices, ...shippedPrices],
    today: { nodes: snapshot?.nodes ?? [], pods: snapshot?.pods ?? [] },
    labels: new Map(workloads.flatMap((id) => (labels.has(id) ? [[id, labels.get(id) ?? {}]] : []))),
  }
}

/** Which mode a class is set to changes nothing: it is replayed as if it were on auto. */
function digestOf(
  { cluster, window, rows, recorded, policy, rules, prices }: ShadowQuestion,
  month: ShadowMonth,
): string {
  const { modes: _modes, ...limits } = policy
  return contentDigest({
    version: VERSION,
    cluster,
    window,
    history: digestOfAll(rows.map(rowText)),
    recorded: digestOfAll(recorded.map(String)),
    policy: limits,
    rules,
    prices: digestOfAll(prices.map(contentDigest)),
    month,
  })
}
