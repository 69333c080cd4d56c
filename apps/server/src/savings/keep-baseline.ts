import {
  HOUR_MS,
  instant,
  pricesOf,
  shippedPrices,
  type ActionRun,
  type Baseline,
  type ClusterSnapshot,
  type Instant,
  type Price,
  type Store,
  type Window,
  type WorkReader,
} from '@septet/domain'

import type { WorkById } from '../known-work.ts'
import { displacedBy, readPools, readWorks } from './find-work.ts'
import { filterOf, hourOf, readHours, readPoolGpus, witnessesOf, type ByHour } from './read-hours.ts'
import { readWorkOf } from './read-work.ts'
import { subjectOf, type SavingSubject } from './saving-subject.ts'

export type SavingsParts = {
  readonly store: Pick<Store, 'actions' | 'usage' | 'prices'>
  /** The newest: what its nodes are, and what they cost. */
  readonly snapshot: ClusterSnapshot
  /** What is known of workloads that run, or ran. */
  readonly known: WorkById
  /** Counts work; undefined where no engine is asked. */
  readonly work: WorkReader | undefined
  readonly now: Instant
}

/** A week, so that each hour has one of the same weekday to be compared with. */
const BASELINE_MS = 168 * HOUR_MS

/**
 * Keeps what a run's object held in each hour of the week before its approval, with what a GPU-hour of it cost then. The first
 * baseline stays. Nothing is kept of what was never approved, and of what saves no GPU-hours.
 */
export async function keepBaselineOf(run: ActionRun, parts: SavingsParts): Promise<void> {
  const { store, snapshot, work, now } = parts
  const subject = subjectOf(run)
  const approved = run.transitions.find(({ state }) => state === 'approved')
  if (subject === undefined || approved === undefined) return
  const to = hourOf(approved.at)
  const window = { from: instant(to - BASELINE_MS), to }
  const asked = { cluster: run.cluster, subject, window, witnesses: witnessesOf(subject, snapshot) }
  const [held, poolGpus, price, works] = await Promise.all([
    readHours(store.usage, asked),
    subject.kind === 'removed-node' && subject.pool !== undefined
      ? readPoolGpus(store.usage, asked, (pool) => pool === subject.pool)
      : undefined,
    priceOf(store, { run, subject, window, snapshot }),
    readWorks(parts, asked),
  ])
  const pool = meanOf(poolGpus ?? [])
  const done = await readWorkOf({ run, window, held, now }, { usage: store.usage, work })
  await store.actions.keepBaseline(run.id, {
    window,
    workload: subject.kind === 'workload' ? subject.workload : undefined,
    heldByHour: sinceItBegan(held),
    ...price,
    ...(pool === undefined ? {} : { poolGpus: pool }),
    ...(done === undefined ? {} : { work: done }),
    ...(subject.kind === 'removed-node' ? { pools: await readPools(store.usage, asked) } : {}),
    works,
    displaced: displacedBy(run, subject, snapshot),
  })
}

/** Before it first held anything it was not there: that is not a usage to go back to. */
function sinceItBegan(hours: ByHour): ByHour {
  const first = hours.findIndex((held) => held !== null && held > 0)
  return first < 0 ? hours : hours.map((held, order) => (order < first ? null : held))
}

function meanOf(hours: ByHour): number | undefined {
  const known = hours.filter((hour) => hour !== null)
  return known.length === 0 ? undefined : known.reduce((sum, hour) => sum + hour, 0) / known.length
}

type Priced = {
  readonly run: ActionRun
  readonly subject: SavingSubject
  readonly window: Window
  readonly snapshot: ClusterSnapshot
}

/** What a GPU-hour of the object cost when it was approved: the mean of what it held. Undefined where any of it has no price. */
async function priceOf(
  { usage, prices }: Pick<Store, 'usage' | 'prices'>,
  { run: { cluster }, subject, window, snapshot: { nodes } }: Priced,
): Promise<Pick<Baseline, 'usdPerGpuHour' | 'priceSource' | 'prepaid'>> {
  const own = subject.kind === 'workload' ? { workloads: [subject.workload] } : {}
  const by = ['pool', 'model', 'node'] as const
  const query = { ...filterOf(subject), ...own, cluster, by }
  const spans = (['1h', '5m'] as const).map((span) => usage.totals({ ...query, span, window }))
  const [hours = [], fresh = []] = await Promise.all(spans)
  const find = pricesOf([...(await prices.list()), ...shippedPrices], { cluster, nodes, at: window.to })
  // Where hours are stored the five minutes of them are too: what weighs in a mean must not weigh twice.
  const found = (hours.length === 0 ? fresh : hours).map(({ key, gpuSeconds }) => ({
    gpuSeconds,
    price: find({ pool: key.pool ?? '', model: key.model ?? '', node: key.node }),
  }))
  const known = found.flatMap(({ price, gpuSeconds }) => (isKnown(price) ? [{ price, gpuSeconds }] : []))
  const weight = known.reduce((sum, { gpuSeconds }) => sum + gpuSeconds, 0)
  if (known.length < found.length || weight === 0) return { usdPerGpuHour: undefined, priceSource: undefined }
  return {
    usdPerGpuHour: known.reduce((sum, { price, gpuSeconds }) => sum + price.price * gpuSeconds, 0) / weight,
    priceSource: [...new Set(known.map(({ price }) => price.source))].toSorted().join('; '),
    ...(known.every(({ price }) => price.prepaid) ? { prepaid: true } : {}),
  }
}

const isKnown = (price: Price): price is Extract<Price, { readonly kind: 'known' }> => price.kind === 'known'
