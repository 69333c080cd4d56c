import { plural } from '@septet/domain/words'

import type { Report } from '../../operations/report/report.ts'

/** Where prices are from, in a few words; the table of models has each source whole. */
export function priceWords({ uses }: Report['prices']): string {
  const priced = uses.filter(({ usdPerGpuHour }) => usdPerGpuHour !== null)
  const sources = [...new Set(priced.map(({ source }) => source))]
  const unpriced = new Set(uses.filter(({ usdPerGpuHour }) => usdPerGpuHour === null).map(({ model }) => model))
  if (sources.length === 0) return uses.length === 0 ? 'none in use' : 'not set'
  const without = unpriced.size === 0 ? '' : `; none for ${plural(unpriced.size, 'model')}`
  // "AWS us-east-1, on demand, p5.48xlarge (…)" and its neighbors: what all of them begin with says it. An estimate says first how it follows from one.
  const own = priced.map(({ source, estimate }) => (estimate ? source.replace(/^[^;]*; /u, '') : source).split(', '))
  const [first = []] = own
  const differs = first.findIndex((part, index) => own.some((parts) => parts[index] !== part))
  const shared = differs === -1 ? first : first.slice(0, differs)
  if (sources.length === 1 || shared.length === 0)
    return `${sources.length === 1 ? (sources[0] ?? '') : plural(sources.length, 'source')}${without}`
  return `${shared.join(', ')}${without}`
}
