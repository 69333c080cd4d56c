import { dollars, duration, grouped, memory, money, percent, short } from '@septet/domain/words'

import type { FigureView } from './schemas/figure.ts'

type Unit = FigureView['unit']

/** A value and its unit, apart, so that the unit can be set smaller. Never 0 for unknown and never NaN. */
export type FigureWords = { readonly known: boolean; readonly value: string; readonly unit: string }

export function figureInWords(figure: Pick<FigureView, 'value' | 'unit'>): FigureWords {
  const { value, unit } = figure
  if (value === null || !Number.isFinite(value)) return { known: false, value: 'Not measured', unit: '' }
  return { known: true, value: WRITE[unit](value), unit: suffix(unit, value) }
}

/** The ends between which a figure lies nine times in ten; undefined where it has none. */
export function intervalWords({ interval, unit }: Pick<FigureView, 'interval' | 'unit'>): string | undefined {
  if (interval === undefined) return undefined
  return `${WRITE[unit](interval.low)} to ${WRITE[unit](interval.high)}${suffix(unit, interval.high)}`
}

const WRITE = {
  ratio: percent,
  USD: dollars,
  'USD/mo': dollars,
  'USD/GPU-h': money,
  'GPU-h': short,
  GPU: short,
  count: short,
  s: duration,
  MiB: memory,
  W: (power) => grouped(power, 0),
  '°C': (temperature) => String(Math.round(temperature)),
} satisfies Record<Unit, (value: number) => string>

const suffix = (unit: Unit, value: number): string => (unit === 'GPU' && value !== 1 ? ' GPUs' : SUFFIX[unit])

const SUFFIX = {
  ratio: '',
  USD: '',
  'USD/mo': '/mo',
  'USD/GPU-h': '/GPU-h',
  'GPU-h': ' GPU-h',
  GPU: ' GPU',
  count: '',
  s: '',
  MiB: '',
  W: ' W',
  '°C': ' °C',
} satisfies Record<Unit, string>
