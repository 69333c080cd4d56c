import type { ReceiptFigure } from '../receipts.ts'
import { figureText } from './figure-text.ts'

type Props = {
  readonly figure: ReceiptFigure
  /** Whether the figure is a measurement of ours, or a published one. */
  readonly isOurs: boolean
}

/** A figure above what it stands beside, as bars from zero in one unit. */
export function BaselineBars({ figure: { name, figure, unit, baseline }, isOurs }: Props) {
  if (baseline === undefined) return undefined
  const end = Math.max(figure ?? 0, baseline.figure ?? 0)
  return (
    <li>
      <p className="text-13 text-pretty">{name}</p>
      <dl className="mt-2 grid gap-y-1.5 text-12">
        <Bar
          label={isOurs ? 'Septet' : 'as published'}
          value={figure}
          unit={unit}
          end={end}
          look={isOurs ? 'ours' : 'published'}
        />
        <Bar label={baseline.name} value={baseline.figure} unit={unit} end={end} look="beside" />
      </dl>
    </li>
  )
}

type BarProps = {
  readonly label: string
  readonly value: number | undefined
  readonly unit: string
  readonly end: number
  readonly look: keyof typeof LOOK
}

function Bar({ label, value, unit, end, look }: BarProps) {
  const share = value === undefined || end <= 0 ? 0 : Math.max(0, value / end)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-3">
      <dt className="truncate text-ink-quiet" title={label}>
        {label}
      </dt>
      <dd className="font-mono">{figureText(value, unit)}</dd>
      <dd aria-hidden className="col-span-2 mt-0.5 h-2.5 border-l border-ink-quiet">
        {share > 0 && <div className={`h-full rounded-r-[3px] ${LOOK[look]}`} style={{ width: `${share * 100}%` }} />}
      </dd>
    </div>
  )
}

const LOOK = {
  ours: 'bg-busy',
  published: 'border border-l-0 border-busy bg-busy-soft',
  beside: 'border border-l-0 border-line-strong bg-sunken',
} as const
