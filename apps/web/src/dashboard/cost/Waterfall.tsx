import { cents, percent, short } from '@septet/domain/words'
import { Hint } from '../../ui/Hint.tsx'
import { LOOK } from '../../ui/Swatch.tsx'
import type { ShownAmounts } from './cost-words.ts'
import { waterfallSteps, type Step } from './waterfall-steps.ts'

type Props = { readonly parts: ShownAmounts; readonly unit: 'USD' | 'GPU-h' }

/** From the capacity down to what was used, to scale; every bar says what it is. */
export const Waterfall = ({ parts, unit }: Props) => (
  <ol className="grid gap-1.5">
    {waterfallSteps(parts).map((step) => (
      <li key={step.key}>
        <StepRow step={step} unit={unit} parts={parts} />
      </li>
    ))}
  </ol>
)

type RowProps = { readonly step: Step; readonly unit: Props['unit']; readonly parts: ShownAmounts }

function StepRow({ step, unit, parts }: RowProps) {
  const whole = parts.unallocated === null ? 'what was held' : 'the capacity'
  const isTotal = step.key === 'capacity' || step.key === 'used'
  const sign = isTotal || step.amount === 0 ? '' : '−'
  const share = shareWords(step, parts)
  return (
    <Hint content={<StepWords step={step} whole={whole} />}>
      <button
        type="button"
        className="grid w-full grid-cols-[1fr_auto] items-center gap-x-3 rounded-[4px] text-left hover:bg-sunken sm:grid-cols-[6rem_1fr_6.5rem_3.5rem]"
      >
        <span className={`text-13 ${isTotal ? 'font-medium' : ''}`}>{step.name}</span>
        <span className="max-sm:order-4 max-sm:col-span-2">
          <StepBar step={step} />
        </span>
        <span className={`figure text-right font-mono text-12 ${isTotal ? 'font-medium' : ''}`}>
          {step.known ? `${sign}${amountOf(step.amount, unit)}` : <NotMeasured />}
        </span>
        <span className="figure text-right font-mono text-12 text-ink-quiet max-sm:sr-only">
          {share}
          {share !== '' && <span className="sr-only"> of {whole}</span>}
        </span>
      </button>
    </Hint>
  )
}

const shareWords = ({ known, amount }: Step, { capacity }: ShownAmounts): string =>
  known && capacity > 0 ? percent(amount / capacity) : ''

const NotMeasured = () => <span className="font-sans text-12 text-ink-quiet">Not measured</span>

/** What a bar stands for, and of what is used the part that nobody measured. */
const StepWords = ({ step, whole }: { readonly step: Step; readonly whole: string }) => (
  <p>
    <span className="font-medium text-ink">{step.name}.</span> {step.is}
    {!step.known && ' None of the held time was measured.'}
    {step.key === 'used' && step.unmeasured > 0 && (
      <>
        {' '}
        The striped end, {percent(step.unmeasured)} of {whole}, was not measured: it may hide idle time.
      </>
    )}
  </p>
)

function StepBar({ step }: { readonly step: Step }) {
  const measured = Math.max(step.from, step.to - step.unmeasured)
  return (
    <svg aria-hidden width="100%" height="20" className="block">
      <line x1="0" x2="100%" y1="19.5" y2="19.5" stroke="var(--line)" />
      <Area from={step.from} to={measured} look={step.key === 'capacity' ? CAPACITY : LOOK[step.meaning]} />
      {step.unmeasured > 0 && <Area from={measured} to={step.to} look={LOOK.unknown} />}
    </svg>
  )
}

type AreaProps = {
  readonly from: number
  readonly to: number
  readonly look: { readonly fill: string; readonly stroke: string }
}

const Area = ({ from, to, look }: AreaProps) =>
  to > from && (
    <rect
      x={`${from * 100}%`}
      y="1.5"
      width={`${Math.max(0.15, (to - from) * 100)}%`}
      height="16"
      rx="2"
      fill={look.fill}
      stroke={look.stroke}
    />
  )

const CAPACITY = { fill: 'var(--sunken)', stroke: 'var(--line-strong)' }

const amountOf = (amount: number, unit: Props['unit']): string =>
  unit === 'USD' ? cents(amount) : `${short(amount)} GPU-h`
