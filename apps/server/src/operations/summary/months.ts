import { cents, percent } from '@septet/domain/words'
import type { costMonths, FigureView, OutputOf } from '@septet/contract'
import {
  instant,
  theLast,
  wasteOf,
  type ClusterAnalysis,
  type CostParts,
  type MonthlyPoint,
  totalOf,
  type SealedMonth,
  type SettingStore,
  type Window,
} from '@septet/domain'

import type { ClusterFacts, HistoryProgress } from '../../facts.ts'
import { unreadWords } from '../../freshness.ts'
import { readSealedMonths } from '../../usage/sealed-months.ts'
import { needAnalysis } from '../answering/source.ts'
import { verifiedIn, type KnownSavings } from '../savings/verified-savings.ts'
import { inSentences, isoOf, numberView, windowView } from '../answering/view.ts'

type Months = OutputOf<typeof costMonths>

/** What each calendar month cost, and what it would have cost without the waste that could be removed. */
export async function liveMonths(
  facts: ClusterFacts,
  { measured, settings }: { readonly measured: () => Promise<KnownSavings>; readonly settings: SettingStore },
): Promise<Months> {
  const [{ analysis, answered, history = facts.history() }, known, sealed] = await Promise.all([
    needAnalysis(facts, theLast('24h'), EVER),
    measured(),
    readSealedMonths(settings, facts.record.id),
  ])
  const { months, scope } = analysis
  const [first, last] = [months[0], months.at(-1)]
  const window = first === undefined || last === undefined ? undefined : { from: first.window.from, to: last.window.to }
  return {
    ...answered,
    window: windowView(window),
    months: months.map((point) =>
      monthView(point, { history, scope, known, sealed: scope === 'cluster' ? sealed : [] }),
    ),
    note: `Baseline is what ${scope === 'namespaces' ? 'was held' : 'the capacity'} cost, optimized the same without the waste that could be removed: ${wasteWords(scope)}. At the prices of each day; an upper bound, not a promise.`,
  }
}

/** All months that there are: those of which nothing is read yet are missing. */
const EVER: Window = { from: instant(0), to: instant(Infinity) }

const wasteWords = (scope: ClusterAnalysis['scope']): string =>
  scope === 'namespaces'
    ? 'idle-held and oversized time'
    : 'idle-held, oversized, unallocated, stranded and broken time'

type MonthNeeds = {
  readonly history: HistoryProgress | undefined
  readonly scope: ClusterAnalysis['scope']
  readonly known: KnownSavings
  readonly sealed: readonly SealedMonth[]
}

/** How it stood when it was sealed, and what was learned since. */
export function sealedView(sealed: SealedMonth | undefined): Months['months'][number]['sealed'] {
  if (sealed === undefined) return null
  return {
    at: isoOf(sealed.sealedAt),
    usd: totalOf(sealed.sums).usd,
    digest: sealed.digest,
    corrections: sealed.corrections.map(({ at, reason, change }) => ({ at: isoOf(at), reason, ...totalOf(change) })),
    says: sealed.corrections.length === 0 ? null : sealed.corrections.map(correctionSays).join(' '),
  }
}

/** "Corrected by 1.5 GPU-h and $3.00 on 2026-11-03: Usage that was missing was read later." */
function correctionSays({ at, reason, change }: SealedMonth['corrections'][number]): string {
  const { gpuHours, usd } = totalOf(change)
  return `Corrected by ${gpuHours.toFixed(1)} GPU-h and ${cents(usd)} on ${isoOf(at).slice(0, 10)}: ${reason}`
}

function monthView(point: MonthlyPoint, { history, scope, known, sealed }: MonthNeeds): Months['months'][number] {
  const { month, window, cost, coverage } = point
  const money = cost.money
  const waste = money === undefined ? undefined : wasteOf(money)
  const unread = unreadWords(history, window)
  const figure = (value: number | undefined, formula: string, quality: 'measured' | 'estimated'): FigureView =>
    numberView(value, {
      unit: 'USD',
      quality,
      because: 'No price is known for the GPUs of this cluster.',
      leavesOut: leftOut(cost, coverage),
      explain: { formula, source: 'usage rows × price book', window, unread },
    })
  return {
    month,
    from: isoOf(window.from),
    to: isoOf(window.to),
    coverage,
    sealed: sealedView(sealed.find((each) => each.month === month)),
    baseline: figure(
      money?.capacity,
      `GPU-h ${scope === 'namespaces' ? 'held in' : 'of all GPUs in'} the month × price`,
      'measured',
    ),
    optimized: figure(
      money === undefined || waste === undefined ? undefined : money.capacity - waste,
      'baseline − estimated savings',
      'estimated',
    ),
    savings: {
      estimated: figure(waste, `cost of ${wasteWords(scope)}`, 'estimated'),
      ...verifiedIn(known, window),
    },
  }
}

/** A month is called whole above this share: the first bucket of a cluster rarely begins at midnight. */
const WHOLE = 0.97

function leftOut({ unpriced, money }: CostParts, coverage: number): string | undefined {
  return inSentences([
    coverage < WHOLE
      ? `Usage is known for ${percent(coverage)} of the month so far; the rest is not included.`
      : undefined,
    unpriced > 0 && money !== undefined ? `${unpriced.toFixed(1)} GPU-h have no price and are not in it.` : undefined,
  ])
}
