import {
  HOUR_MS,
  SECONDS_PER_HOUR,
  DAY_MS,
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
  type Window,
} from '@septet/domain'
import type { ReplayedClass } from '@septet/domain/action-classes'

import { readActPolicy } from '../../act-policies.ts'
import { contentDigest, digestOfAll } from '../../content-digest.ts'
import { analysisPolicyOf, readPolicies } from '../../policies.ts'
import { floorTo } from '../../usage/segments.ts'
import { readKnownWork } from '../../known-work.ts'
import { readReplayRows, type ReadRows } from './replay-rows.ts'

export type ReplayQuestion = {
  readonly record: ClusterRecord
  readonly class: ReplayedClass
  /** So many days back from the last hour that is settled, or whole hours. */
  readonly asked:
    | { readonly kind: 'days'; readonly days: number }
    | { readonly kind: 'window'; readonly window: Window }
  readonly now: Instant
}

/** A replay of stored hours, with what shows that another run over the same says the same. */
export type Replayed = {
  readonly month: ShadowMonth
  readonly digest: string
  /** Workloads or nodes that left GPUs unused: those that are replayed, and those that left less than all of these. */
  readonly objects: { readonly replayed: number; readonly leftOut: number }
}

/** How far back decisions look, and so what is read before the first of them. */
const LOOKS_BACK_MS = 7 * DAY_MS
/** No longer stretch is replayed: what memory and time are made for. */
const LONGEST_MS = 40 * DAY_MS
/** Grows when the same history would give another answer. */
const VERSION = 4

/** Replays the stored hours of a cluster. Throws what the store throws. */
export async function replayHistory(store: Store, asked: ReplayQuestion, progress?: ShadowProgress): Promise<Replayed> {
  const { record } = asked
  const { window, since } = await windowOf(store, asked)
  const read = await readReplayRows(store.usage, {
    cluster: record.id,
    class: asked.class,
    window: { from: since, to: window.to },
  })
  const question = await questionOf(store, asked, { window, since, ...read })
  const month = shadowMonth(question, progress)
  return { month, digest: digestOf(question, month), objects: read.objects }
}

/**
 * Whole hours that are stored. The last one ended an hour ago at least: how idle an hour was is only settled once a stretch
 * that began in it is long enough, and what is not settled would give another answer a minute later.
 */
async function windowOf(
  { usage }: Store,
  { record, asked, now }: ReplayQuestion,
): Promise<{ readonly window: Window; readonly since: Instant }> {
  const stored = await usage.coverage(record.id, '1h')
  const settled = Math.min(now - HOUR_MS, stored?.to ?? now)
  const to = floorTo(asked.kind === 'days' ? settled : Math.min(settled, asked.window.to), SECONDS_PER_HOUR)
  const wished = asked.kind === 'days' ? to - asked.days * DAY_MS : asked.window.from
  const first = floorTo(stored?.from ?? to, SECONDS_PER_HOUR)
  const from = instant(Math.min(Math.max(wished, first, to - LONGEST_MS), to))
  return { window: { from, to }, since: instant(Math.min(from, Math.max(first, from - LOOKS_BACK_MS))) }
}

type Read = Pick<ReadRows, 'rows' | 'workloads' | 'judged'> & { readonly window: Window; readonly since: Instant }

async function questionOf(
  store: Store,
  { record, class: kind }: ReplayQuestion,
  { window, since, rows, workloads, judged }: Read,
): Promise<ShadowQuestion> {
  const cluster = record.id
  const [{ policy }, kept, prices, snapshot, known, seen] = await Promise.all([
    readActPolicy(store.settings, record),
    readPolicies(store.settings),
    store.prices.list(),
    store.snapshots.latest(cluster),
    readKnownWork(store.settings, cluster),
    store.usage.totals({ cluster, span: '1h', window: { from: since, to: window.to }, by: ['at'] }),
  ])
  return {
    cluster,
    class: kind,
    window,
    since,
    rows,
    ...(judged === undefined ? {} : { judged }),
    recorded: seen.map(({ key }) => instant(Number(key.at))),
    policy,
    rules: { analysis: analysisPolicyOf(kept), plans: kept.policies.plans },
    prices: [...prices, ...shippedPrices],
    today: { nodes: snapshot?.nodes ?? [], pods: snapshot?.pods ?? [] },
    labels: new Map(workloads.flatMap((id) => (known.has(id) ? [[id, known.get(id)?.labels ?? {}]] : []))),
  }
}

/** Which mode a class is set to changes nothing: it is replayed as if it were on auto. */
function digestOf(
  { cluster, window, since, rows, judged, recorded, policy, rules, prices }: ShadowQuestion,
  month: ShadowMonth,
): string {
  const { modes: _modes, ...limits } = policy
  return contentDigest({
    version: VERSION,
    cluster,
    window,
    since,
    judged: judged ?? null,
    history: digestOfAll(rows.map(rowText)),
    recorded: digestOfAll(recorded.map(String)),
    policy: limits,
    rules,
    prices: digestOfAll(prices.map(contentDigest)),
    month,
  })
}
