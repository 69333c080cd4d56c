import { short } from '@septet/domain/words'
import type { FigureView } from '@septet/contract'

import { FigureText } from '../../ui/FigureText.tsx'

import type { Recommendation } from '../recommendation/recommendation-words.ts'

type Props = Pick<Recommendation, 'saving' | 'evidence'>

/** What it would bring, and of which kind that is. */
export function SavingFacts({ saving, evidence }: Props) {
  if (saving.kind === 'none') {
    return (
      <div className="rounded-card bg-sunken px-4 py-3">
        <p className="text-14 font-medium">{saving.brings}</p>
        <p className="mt-0.5 text-12 text-ink-soft">{saving.because}</p>
      </div>
    )
  }
  const { gpuHoursPerMonth, usdPerGpuHour, priceSource, effect } = saving
  return (
    <div className="rounded-card bg-sunken px-4 py-3">
      <p className="flex flex-wrap items-baseline gap-x-3">
        <span className="text-20">
          <FigureText
            size="headline"
            name={EFFECT_NAMES[effect]}
            figure={figureOf({ saving, evidence })}
            unknown="No price known"
          />
        </span>
        {gpuHoursPerMonth !== null && (
          <span className="font-mono text-13 text-ink-soft">{short(gpuHoursPerMonth)} GPU-h a month</span>
        )}
      </p>
      <p className="mt-1 text-12 text-ink-soft">
        {EFFECT_WORDS[effect]}
        {usdPerGpuHour === null ? '' : ` At $${usdPerGpuHour.toFixed(2)} a GPU-hour (${priceSource ?? 'no source'}).`}
      </p>
    </div>
  )
}

const EFFECT_NAMES = { 'bill-reduced': 'Bill reduction', 'capacity-freed': 'Capacity freed' } as const
const EFFECT_WORDS = {
  'bill-reduced': 'Estimated reduction of the bill.',
  'capacity-freed': 'Estimated GPU time freed for other work. The bill stays the same.',
} as const

type Estimated = Extract<Recommendation['saving'], { readonly kind: 'estimated' }>

const figureOf = ({
  saving,
  evidence,
}: {
  readonly saving: Estimated
  readonly evidence: Recommendation['evidence']
}): FigureView => ({
  value: saving.usdPerMonth,
  unit: 'USD/mo',
  quality: saving.usdPerMonth === null ? 'unknown' : 'estimated',
  because: saving.usdPerMonth === null ? 'No price is known for these GPUs.' : null,
  coverage: evidence.coverage,
  explain: {
    formula: 'GPU-hours a month × price of a GPU-hour; 730 hours make a month',
    window: evidence.window,
    source: evidence.query,
  },
})
