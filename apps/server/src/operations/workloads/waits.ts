import type { InputOf, FiguresOf, queueWaits } from '@septet/contract'
import {
  instant,
  onceFor,
  pricePeriods,
  pricesOf,
  shippedPrices,
  WAIT_CAUSES,
  waitLedger,
  type CauseWait,
  type GpuNode,
  type PriceEntry,
  type Store,
  type WaitAmount,
  type WaitLedger,
  type WaitTotal,
  type Window,
  type Workload,
} from '@septet/domain'
import { duration } from '@septet/domain/words'

import type { ClusterFacts, ClusterPicture, Namespaces } from '../../facts.ts'
import { RecentlyUsed } from '../../recently-used.ts'
import { needAnalysis } from '../answering/source.ts'
import { numberView, type Explanation } from '../answering/view.ts'

type Waits = FiguresOf<typeof queueWaits>

export type WaitNeeds = {
  readonly store: Pick<Store, 'waits' | 'prices'>
  /** What the caller is limited to. */
  readonly namespaces: Namespaces | undefined
  /** Of the whole cluster, for prices. */
  readonly nodes: readonly GpuNode[]
}

const WAIT_NOTE =
  'Priced at the cheapest GPU that could have run it, for as long as it waited: what that capacity would have cost, not money lost on a bill.'
const WITHHELD =
  'Why no GPU was free, and what would change that, is shown only to people who can see the whole cluster.'

/** What waited over a range, for what, and what would end it. */
export async function liveWaits(
  facts: ClusterFacts,
  { range, workload, limit }: InputOf<typeof queueWaits>,
  needs: WaitNeeds,
): Promise<Waits> {
  const { analysis, answered, unread } = await needAnalysis(facts, range)
  const window = wholeSeconds(analysis.window)
  const ledger = await ledgerOf(facts, { window, workload }, needs)
  return {
    ...answered,
    seconds: ledger.seconds,
    ...figuresOf(ledger, { window, unread }),
    causes: ledger.causes.map(causeView),
    workloads: ledger.workloads.slice(0, limit).map(({ id, namespace, asks, waitsFor, causes, ...amount }) => ({
      ...amountView(amount),
      id,
      name: id.split('/').slice(2).join('/'),
      namespace,
      asks,
      waitsFor: waitsFor ?? null,
      causes: causes.map(causeView),
    })),
    total: ledger.workloads.length,
    note: WAIT_NOTE,
    withheld: needs.namespaces === undefined ? null : WITHHELD,
  }
}

type Asked = { readonly window: Window; readonly workload: string | undefined }

/** Worked out once a picture for all who ask the same: it takes long on a large cluster, and agents ask often. */
async function ledgerOf(facts: ClusterFacts, asked: Asked, needs: WaitNeeds): Promise<WaitLedger> {
  const prices = await needs.store.prices.list()
  const picture = facts.picture()
  if (picture === undefined) return readLedger(facts, { ...asked, prices }, needs)
  const known = ledgersOf(picture)
  const key = JSON.stringify([asked.window, asked.workload, needs.namespaces, prices])
  const found = known.get(key)
  if (found !== undefined) return found
  const ledger = readLedger(facts, { ...asked, prices }, needs)
  known.set(key, ledger)
  ledger.catch(() => known.forget(key))
  return ledger
}

const ledgersOf = onceFor((_picture: ClusterPicture) => new RecentlyUsed<Promise<WaitLedger>>(8))

async function readLedger(
  facts: ClusterFacts,
  { window, workload, prices: own }: Asked & { readonly prices: readonly PriceEntry[] },
  { store, namespaces, nodes }: WaitNeeds,
): Promise<WaitLedger> {
  const cluster = facts.record.id
  const prices = [...own, ...shippedPrices]
  const only = {
    ...(workload === undefined ? {} : { workloads: [workload] }),
    ...(namespaces === undefined ? {} : { namespaces }),
  }
  const periods = await Promise.all(
    pricePeriods(prices, window).map(async (period) => {
      const totals = await store.waits.totals({ cluster, window: period, ...only })
      return {
        totals: namespaces === undefined ? totals : totals.map(withoutOthers),
        priceOf: pricesOf(prices, { cluster, nodes, at: period.from }),
      }
    }),
  )
  const picture = facts.picture()
  const queued = picture && queuedOf(picture.workloads)
  return waitLedger(periods, (id) => queued?.has(id) === true)
}

const queuedOf = onceFor(
  (workloads: readonly Workload[]): ReadonlySet<string> =>
    new Set(workloads.flatMap(({ id, status }) => (status === 'queued' ? id : []))),
)

/** Waits are kept in whole seconds: cut at a whole one too, their sums stay exact. */
const wholeSeconds = ({ from, to }: Window): Window => ({
  from: instant(Math.floor(from / 1000) * 1000),
  to: instant(Math.floor(to / 1000) * 1000),
})

/** What the GPUs of others give as the cause, and changes that name them. */
const OF_OTHERS: ReadonlySet<string> = new Set(['shape', 'fragmentation', 'broken', 'capacity'])
const OWN_CHANGES: ReadonlySet<string> = new Set(['quota', 'gate', 'volume', 'spread'])

const withoutOthers = (total: WaitTotal): WaitTotal => ({
  ...total,
  cause: OF_OTHERS.has(total.cause) ? 'no-device' : total.cause,
  change: total.change !== undefined && OWN_CHANGES.has(total.change.kind) ? total.change : undefined,
})

function figuresOf(ledger: WaitAmount, over: Pick<Explanation, 'window' | 'unread'>): Pick<Waits, 'hours' | 'cost'> {
  const { gpuHours, usd } = amountView(ledger)
  const { unsizedSeconds, unpricedGpuHours } = ledger
  const unsized =
    unsizedSeconds > 0 ? `For ${duration(unsizedSeconds)} it is unknown how many GPUs were requested.` : undefined
  const unpriced =
    unpricedGpuHours > 0 ? `${unpricedGpuHours.toFixed(1)} GPU-h have no price and are not in it.` : undefined
  const leavesOut = [unsized, unpriced].filter((each) => each !== undefined).join(' ')
  const source = 'stretches of waiting, from the pods of this cluster'
  return {
    hours: numberView(gpuHours ?? undefined, {
      unit: 'GPU-h',
      because: 'It is unknown how many GPUs were requested.',
      leavesOut: unsized,
      explain: { formula: 'GPUs asked for × time from creation to binding', source, ...over },
    }),
    cost: numberView(usd ?? undefined, {
      unit: 'USD',
      because: 'No price is known for the GPUs that were waited for; set one in the price book.',
      leavesOut: leavesOut === '' ? undefined : leavesOut,
      explain: {
        formula: 'GPU-h waited × price of the cheapest GPU that could serve',
        source: `${source} × price book`,
        ...over,
      },
    }),
  }
}

const causeView = ({ cause, workloads, waiting, change, ...amount }: CauseWait): Waits['causes'][number] => ({
  ...amountView(amount),
  cause,
  ...WAIT_CAUSES[cause],
  workloads,
  waiting,
  change: change === undefined ? null : { ...change },
})

/** Nothing known is null, and never 0. */
function amountView({
  seconds,
  gpuHours,
  usd,
  unsizedSeconds,
  unpricedGpuHours,
}: WaitAmount): Pick<Waits['causes'][number], 'seconds' | 'gpuHours' | 'usd'> {
  const isUnsized = seconds > 0 && unsizedSeconds === seconds
  const isUnpriced = isUnsized || (gpuHours > 0 && unpricedGpuHours === gpuHours)
  return { seconds, gpuHours: isUnsized ? null : gpuHours, usd: isUnpriced ? null : usd }
}
