import { Refusal, type clustersTotals, type FigureView, type InputOf, type OutputOf } from '@septet/contract'
import { firstFew, percent } from '@septet/domain/words'
import { rangeText, type Ratio, type TimeRange } from '@septet/domain'
import type { Ask } from '@septet/tools'

import type { ClusterFacts } from '../../facts.ts'
import { shareRead } from '../../freshness.ts'
import { isoOrNull, numberView, windowFrom } from '../answering/view.ts'
import { leftOutOfSums } from './counted-once.ts'

type Totals = OutputOf<typeof clustersTotals>
type View = Totals['clusters'][number]
type Figures = NonNullable<View['figures']>
/** `read`: how much of the past is read, where its figures reach into what is not. */
type Counted = { readonly view: View; readonly read: Ratio | undefined }

/** What every cluster costs, wastes and waits for, as each answers it itself, and the sum of it. */
export async function clusterTotals(
  clusters: readonly ClusterFacts[],
  { range }: InputOf<typeof clustersTotals>,
  ask: Ask,
): Promise<Totals> {
  const leftOut = leftOutOfSums(clusters)
  const counted = await Promise.all(
    clusters.map(async (facts) => {
      const because = leftOut.get(facts.record.id)
      return because === undefined ? countedOf(facts, range, ask) : leftOutOf(facts, because)
    }),
  )
  const summed = counted.filter(({ view }) => !leftOut.has(view.id))
  const of = (name: keyof Figures) => sumOf(summed, name)
  return {
    gpus: of('gpus'),
    capacity: of('capacity'),
    used: of('used'),
    idleHeld: of('idleHeld'),
    unallocated: of('unallocated'),
    waiting: of('waiting'),
    bill: of('bill'),
    freed: of('freed'),
    verifiedBill: of('verifiedBill'),
    verifiedFreed: of('verifiedFreed'),
    clusters: counted.map(({ view }) => view),
  }
}

const UNITS = {
  gpus: 'GPU',
  capacity: 'USD',
  used: 'USD',
  idleHeld: 'USD',
  unallocated: 'USD',
  waiting: 'USD',
  bill: 'USD/mo',
  freed: 'USD/mo',
  verifiedBill: 'USD',
  verifiedFreed: 'USD',
} as const satisfies Record<keyof Figures, string>

const nameAndAge = (facts: ClusterFacts) => ({
  id: facts.record.id,
  name: facts.record.name,
  asOf: isoOrNull(facts.asOf()),
})

const leftOutOf = (facts: ClusterFacts, leftOut: string): Counted => ({
  view: { ...nameAndAge(facts), window: null, leftOut, figures: null },
  read: undefined,
})

async function countedOf(facts: ClusterFacts, over: TimeRange, ask: Ask): Promise<Counted> {
  const { id } = facts.record
  const range = rangeText(over)
  try {
    const [summary, waits] = await Promise.all([
      ask('summaryGet', { cluster: id, range }),
      ask('queueWaits', { cluster: id, range, limit: 1 }),
    ])
    const { cost, savings, capacity } = summary
    const gpus = numberView(capacity.gpus, {
      unit: 'GPU',
      explain: { formula: 'GPUs of all nodes', window: undefined, source: 'snapshot' },
    })
    const { used, idleHeld, unallocated } = cost
    const { asOf, age, window } = summary
    // As far as it was read when these figures were worked out.
    const history = (await facts.analysis(over))?.history ?? facts.history()
    const reach = window === null ? undefined : windowFrom(window)
    const figures = {
      gpus,
      capacity: cost.capacity,
      used,
      idleHeld,
      unallocated,
      waiting: waits.cost,
      bill: savings.bill,
      freed: savings.capacity,
      verifiedBill: savings.verified,
      verifiedFreed: savings.freed,
    }
    return {
      view: {
        ...nameAndAge(facts),
        asOf,
        window: cost.capacity.explain.window,
        ...(age !== undefined && { age }),
        leftOut: null,
        figures,
      },
      read: reach && shareRead(history, reach),
    }
  } catch (error) {
    // One that cannot answer yet does not keep the others from being added up.
    if (!(error instanceof Refusal)) throw error
    return leftOutOf(facts, error.message)
  }
}

/** What is known is added up; whose figure is missing is named. */
function sumOf(counted: readonly Counted[], name: keyof Figures): FigureView {
  const figures = counted.flatMap(({ view, read }) =>
    view.figures === null ? [] : { name: partName(view.name, read), figure: view.figures[name] },
  )
  // Where nothing has a price a saving is told in GPU-hours, which are not dollars.
  const known = figures.filter(({ figure }) => figure.value !== null && figure.unit === UNITS[name])
  const missing = counted
    .map(({ view }) => view)
    .filter(({ figures: own }) => own === null || isMissing(own[name], name))
  const partial = known.filter(({ figure }) => figure.quality === 'partial')
  const words = [
    missing.length === 0 ? undefined : `${namesOf(missing)} not included: not known there.`,
    partial.length === 0 ? undefined : `Partial in ${namesOf(partial)}.`,
  ].filter((each) => each !== undefined)
  const sum = numberView(known.length === 0 ? undefined : sumUp(known.map(({ figure }) => figure.value)), {
    unit: UNITS[name],
    // What is estimated anywhere is estimated in the sum.
    quality: known.some(({ figure }) => figure.quality === 'estimated') ? 'estimated' : 'measured',
    because: counted.length === 0 ? 'There is no cluster yet.' : whyNone(name),
    leavesOut: words.length === 0 ? undefined : words.join(' '),
    explain: { formula: 'sum over clusters', window: undefined, source: 'the summary of each cluster' },
  })
  const intervals = known.flatMap(({ figure: { interval } }) => interval ?? [])
  if (known.length === 0 || intervals.length < known.length) return sum
  return {
    ...sum,
    interval: { low: sumUp(intervals.map(({ low }) => low)), high: sumUp(intervals.map(({ high }) => high)) },
  }
}

/** Of a cluster whose past is being read also how much of it is. */
const partName = (name: string, read: Ratio | undefined): string =>
  read === undefined ? name : `${name} (${percent(read, 0)} of its past is read)`

const isVerified = (name: keyof Figures): boolean => name.startsWith('verified')

const whyNone = (name: keyof Figures): string =>
  isVerified(name) ? 'No cluster has a verified saving now; each says why.' : 'No cluster knows it yet.'

/** Where nothing was verified yet there is nothing to add; everything else that a cluster does not tell is missing. */
const isMissing = ({ value, unit }: FigureView, name: keyof Figures): boolean =>
  value === null ? !isVerified(name) : unit !== UNITS[name]

const sumUp = (values: readonly (number | null)[]): number =>
  values.reduce<number>((sum, value) => sum + (value ?? 0), 0)

const namesOf = (some: readonly { readonly name: string }[]): string =>
  firstFew(
    some.map(({ name }) => name),
    5,
  )
