/**
 * Reads a length of time as the protocol writes it for a ban (a Go duration such as `24h` or `1h30m`), milliseconds; 0 for
 * `none`, which lifts one. Undefined for anything else, and beyond a thousand years.
 */
export function readBanDuration(text: string): number | undefined {
  if (text === 'none' || text === '0') return 0
  if (!/^\+?(?:\d+(?:\.\d*)?(?:ns|us|µs|μs|ms|s|m|h))+$/u.test(text)) return undefined
  const parts = text.matchAll(/(?<count>\d+(?:\.\d*)?)(?<unit>[a-zµμ]+)/gu)
  let total = 0
  for (const { groups } of parts) total += Number(groups?.['count']) * (MILLISECONDS.get(groups?.['unit'] ?? '') ?? NaN)
  return total <= LONGEST ? Math.round(total) : undefined
}

const MILLISECONDS = new Map([
  ['ns', 1e-6],
  ['us', 1e-3],
  ['µs', 1e-3],
  ['μs', 1e-3],
  ['ms', 1],
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
])
const LONGEST = 1000 * 365.25 * 86_400_000
