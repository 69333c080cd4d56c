import { money } from '@septet/domain/words'
import type { Answer } from '../../api.ts'

type Outlook = NonNullable<Answer<'budgetsList'>['outlook']>

type Props = {
  readonly outlook: Pick<Outlook, 'spent' | 'forecast'>
  readonly budget?: { readonly usdPerMonth: number; readonly thresholds: readonly number[] }
}

/** What was spent, solid; what is expected, lighter, with its interval as a whisker; a budget and its thresholds as marks. */
export function OutlookBar({ outlook: { spent, forecast }, budget }: Props) {
  const high = forecast.kind === 'known' ? forecast.high : 0
  const end = Math.max(high, spent ?? 0, budget?.usdPerMonth ?? 0, 0.01) * 1.02
  const at = (amount: number): string => `${(amount / end) * 100}%`
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- drawn inline, so that it follows the theme
    <svg role="img" aria-label={wordsOf({ spent, forecast }, budget)} width="100%" height="28" className="block">
      <rect y="6" width="100%" height="16" rx="2" fill="var(--sunken)" />
      {forecast.kind === 'known' && (
        <rect
          y="6"
          width={at(forecast.usd)}
          height="16"
          rx="2"
          fill="var(--busy-soft)"
          stroke="var(--busy)"
          strokeWidth="0.75"
        />
      )}
      {spent !== null && <rect y="6" width={at(spent)} height="16" rx="2" fill="var(--busy)" />}
      {forecast.kind === 'known' && (
        <g stroke="var(--ink)" strokeWidth="1.5">
          <line x1={at(forecast.low)} x2={at(forecast.high)} y1="14" y2="14" />
          <line x1={at(forecast.low)} x2={at(forecast.low)} y1="10" y2="18" />
          <line x1={at(forecast.high)} x2={at(forecast.high)} y1="10" y2="18" />
        </g>
      )}
      {budget?.thresholds.map((percent) => (
        <line
          key={percent}
          x1={at((budget.usdPerMonth * percent) / 100)}
          x2={at((budget.usdPerMonth * percent) / 100)}
          y1="1"
          y2="27"
          stroke={percent >= 100 ? 'var(--fault)' : 'var(--idle)'}
          strokeWidth="2"
          strokeDasharray={percent >= 100 ? undefined : '3 2'}
        />
      ))}
    </svg>
  )
}

function wordsOf({ spent, forecast }: Props['outlook'], budget: Props['budget']): string {
  const expected =
    forecast.kind === 'known'
      ? `, ${money(forecast.usd)} expected, between ${money(forecast.low)} and ${money(forecast.high)}`
      : ''
  return `${spent === null ? 'unknown amount' : money(spent)} spent${expected}${budget === undefined ? '' : `, of a budget of ${money(budget.usdPerMonth)}`}`
}
