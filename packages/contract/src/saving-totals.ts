import { agree, plural } from '@septet/domain/words'

import type { OutputOf } from './operation.ts'
import type { FigureView } from './schemas/figure.ts'
import type { recommendationsList } from './schemas/recommendations.ts'

type Recommendation = OutputOf<typeof recommendationsList>['recommendations'][number]

type Totals = {
  readonly billReduced: FigureView
  readonly capacityFreed: FigureView
  /** How many bring something that is not counted in money or GPU-hours; undefined before the first are made. */
  readonly without: number | undefined
}

type Estimated = Extract<Recommendation['saving'], { readonly kind: 'estimated' }>

/**
 * Estimated savings a month by their effect; what falls from the bill and what is only freed are never one sum. Before the
 * first recommendations are made there is no sum, which is not a sum of 0.
 */
export function savingTotals(recommendations: readonly Recommendation[], areMade: boolean): Totals {
  const estimated = recommendations.flatMap(({ saving }) => (saving.kind === 'estimated' ? [saving] : []))
  return {
    billReduced: totalOf(
      estimated.filter(({ effect }) => effect === 'bill-reduced'),
      areMade,
    ),
    capacityFreed: totalOf(
      estimated.filter(({ effect }) => effect === 'capacity-freed'),
      areMade,
    ),
    without: areMade ? recommendations.length - estimated.length : undefined,
  }
}

function totalOf(savings: readonly Estimated[], areMade: boolean): FigureView {
  const priced = savings.flatMap(({ usdPerMonth }) => (usdPerMonth === null ? [] : [usdPerMonth]))
  const unpriced = savings.length - priced.length
  const isUnknown = !areMade || (savings.length > 0 && priced.length === 0)
  return {
    value: isUnknown ? null : priced.reduce((sum, amount) => sum + amount, 0),
    unit: 'USD/mo',
    quality: isUnknown ? 'unknown' : 'estimated',
    because: areMade ? unpricedWords(unpriced, savings.length) : 'No recommendation has been made yet.',
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
