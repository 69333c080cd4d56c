import type { FigureView } from './figure.ts'

type Unit = FigureView['unit']

/** A value and its unit, apart, so that the unit can be set smaller. Never 0 for unknown and never NaN. */
export type FigureWords = { readonly known: boolean; readonly value: string; readonly unit: string }

export function figureWords(figure: Pick<FigureView, 'value' | 'unit'>): FigureWords {
  const { value, unit } = figure
  if (value === null || !Number.isFinite(value)) return { known: false, value: 'Not measured', unit: '' }
  return { known: true, value: WRITE[unit](value), unit: SUFFIX[unit] }
}

/** A share between 0 and 1 as a percentage with one decimal. */
export const percent = (ratio: number): string => `${(ratio * 100).toFixed(1)}%`

/** A share without decimals, for small print; a little is never written as none, nor nearly all as all. */
export function wholePercent(ratio: number): string {
  if (ratio > 0 && ratio < 0.005) return '<1%'
  if (ratio < 1 && ratio >= 0.995) return '>99%'
  return `${Math.round(ratio * 100)}%`
}

/** Dollars: exact below ten thousand, three digits above it. */
export function dollars(amount: number): string {
  const sign = amount < 0 ? '−' : ''
  const size = Math.abs(amount)
  return size < 10 ? `${sign}$${size.toFixed(2)}` : `${sign}$${short(size)}`
}

/** A count or an amount in at most five characters: 950, 4,120, 12.4K, 324K, 1.2M. */
export function short(amount: number): string {
  const size = Math.abs(amount)
  if (size < 10_000) return amount.toLocaleString('en-US', { maximumFractionDigits: size < 10 ? 1 : 0 })
  const [step, letter] = size < 999_500 ? ([1e3, 'K'] as const) : ([1e6, 'M'] as const)
  const scaled = amount / step
  return `${Math.abs(scaled) < 100 ? scaled.toFixed(1).replace(/\.0$/u, '') : String(Math.round(scaled))}${letter}`
}

const WRITE = {
  ratio: percent,
  USD: dollars,
  'USD/mo': dollars,
  'USD/GPU-h': (amount) => `$${amount.toFixed(2)}`,
  'GPU-h': short,
  GPU: short,
  count: short,
  s: duration,
  MiB: memory,
  W: (power) => Math.round(power).toLocaleString('en-US'),
  '°C': (temperature) => String(Math.round(temperature)),
} satisfies Record<Unit, (value: number) => string>

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

/** Seconds as the two largest units that matter: 45 s, 12 min, 3 h 20 min, 2 d 4 h. */
export function duration(seconds: number): string {
  if (seconds < 60) return `${Math.round(seconds)} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  if (hours < 24) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`
  return hours % 24 === 0 ? `${hours / 24} d` : `${Math.floor(hours / 24)} d ${hours % 24} h`
}

/** Memory in MiB below one GiB, above it in GiB with one decimal. */
export function memory(mebibytes: number): string {
  return mebibytes < 1024 ? `${Math.round(mebibytes)} MiB` : `${(mebibytes / 1024).toFixed(1)} GiB`
}
