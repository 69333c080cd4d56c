import type { FiguresOf, FigureView, recommendationsList, RecommendationView } from '@septet/contract'
import { agree, plural } from '@septet/domain/words'

type Totals = FiguresOf<typeof recommendationsList>['saves']
type Estimated = Extract<RecommendationView['saving'], { readonly kind: 'estimated' }>

/**
 * Estimated savings a month by their effect; what falls from the bill and what is only freed are never one sum. `unmade`:
 * why there are none yet, and no sum. `unseen`: what is not seen yet; until it is, a sum of nothing is not a sum of 0.
 */
export function savingTotals(
  recommendations: readonly RecommendationView[],
  { unmade, unseen }: { readonly unmade?: string | undefined; readonly unseen?: string | undefined },
): Totals {
  const estimated = recommendations.flatMap(({ saving }) => (saving.kind === 'estimated' ? [saving] : []))
  const total = (wanted: Estimated['effect']): FigureView => {
    const savings = estimated.filter(({ effect }) => effect === wanted)
    return totalOf(savings, unmade ?? (savings.length === 0 ? unseen : undefined))
  }
  return {
    billReduced: total('bill-reduced'),
    capacityFreed: total('capacity-freed'),
    without: unmade === undefined ? recommendations.length - estimated.length : null,
  }
}

function totalOf(savings: readonly Estimated[], because: string | undefined): FigureView {
  const priced = savings.flatMap(({ usdPerMonth }) => (usdPerMonth === null ? [] : [usdPerMonth]))
  const unpriced = savings.length - priced.length
  const isUnknown = because !== undefined || (savings.length > 0 && priced.length === 0)
  return {
    value: isUnknown ? null : priced.reduce((sum, amount) => sum + amount, 0),
    unit: 'USD/mo',
    quality: isUnknown ? 'unknown' : 'estimated',
    because: because ?? unpricedWords(unpriced, savings.length),
    coverage: null,
    explain: {
      formula: 'Σ of the shown recommendations: GPU-hours a month × price. No two of them change the same thing.',
      window: null,
      source: `${plural(savings.length, 'recommendation')}; the dismissed ones are left out`,
    },
  }
}

const unpricedWords = (unpriced: number, all: number): string | null =>
  unpriced === 0
    ? null
    : `${unpriced} of ${all} ${agree(unpriced, 'has', 'have')} no price and ${agree(unpriced, 'is', 'are')} not in it.`
