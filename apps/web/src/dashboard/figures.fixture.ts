import { SECONDS_PER_HOUR } from '@septet/domain/units'
import type { FigureView } from '@septet/contract'

/** The instant at which the fixtures were read; tests run the page's clock from it. */
export const NOW = Date.parse('2026-11-20T10:41:30Z')
export const at = (secondsAgo: number): string => new Date(NOW - secondsAgo * 1000).toISOString()

const SPAN: Record<string, number> = {
  '1h': SECONDS_PER_HOUR,
  '6h': 6 * SECONDS_PER_HOUR,
  '24h': 24 * SECONDS_PER_HOUR,
  '7d': 168 * SECONDS_PER_HOUR,
  '30d': 720 * SECONDS_PER_HOUR,
}
export const spanOf = (range: string): number => SPAN[range] ?? 24 * SECONDS_PER_HOUR
export const windowOf = (range: string): { from: string; to: string } => ({ from: at(spanOf(range)), to: at(0) })

export const measured = (value: number, unit: FigureView['unit'], formula: string): FigureView => ({
  value,
  unit,
  quality: 'partial',
  because: '6.1% of the time has no trustworthy measurement.',
  coverage: 0.939,
  explain: { formula, window: windowOf('24h'), source: 'usage rows of this cluster' },
})

export const unknown = (unit: FigureView['unit'], because: string): FigureView => ({
  value: null,
  unit,
  quality: 'unknown',
  because,
  coverage: null,
  explain: { formula: 'measured after an applied plan', window: null, source: 'savings ledger' },
})
