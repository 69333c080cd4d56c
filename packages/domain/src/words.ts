/**
 * Shares, counts, amounts, lists and failures in words, written once: what one face says, the others say alike. It asks for
 * nothing, so that a page takes it without the rest of the domain.
 */

/** A share between 0 and 1 as a percentage: "81.4%". */
export const percent = (share: number, decimals = 1): string => `${(share * 100).toFixed(decimals)}%`

/** A share without decimals, for small print; a little is never written as none, nor nearly all as all. */
export function wholePercent(share: number): string {
  if (share > 0 && share < 0.005) return '<1%'
  if (share < 1 && share >= 0.995) return '>99%'
  return percent(share, 0)
}

/** A number with its separators: "10,240"; by default whole ones as they are and others with up to three decimals. */
export const grouped = (amount: number, decimals = 3): string =>
  // Words are made of thousands of counts at a time, most of them small.
  Number.isInteger(amount) && amount >= 0 && amount < 1000 ? String(amount) : formatOf(decimals).format(amount)

type Format = number | keyof typeof DOLLARS
const USD = { style: 'currency', currency: 'USD', signDisplay: 'negative' } as const
const DOLLARS = { cents: USD, whole: { ...USD, maximumFractionDigits: 0 } } as const
const formats = new Map<Format, Intl.NumberFormat>()

/** By decimals, or of dollars. Making one costs as much as formatting a thousand numbers, so it is made when it is needed. */
function formatOf(wanted: Format): Intl.NumberFormat {
  const options = typeof wanted === 'number' ? { maximumFractionDigits: wanted } : DOLLARS[wanted]
  const format = formats.get(wanted) ?? new Intl.NumberFormat('en-US', options)
  formats.set(wanted, format)
  return format
}

/** "8 GPUs", or "8 × 1g.20gb" where instances of a MIG profile are meant. */
export const gpusText = (count: number, profile: string | undefined): string =>
  profile === undefined ? plural(count, 'GPU') : `${grouped(count)} × ${profile}`

/** "1 GPU", "10,240 GPUs"; `many` where an s is not enough. */
export const plural = (count: number, one: string, many?: string): string =>
  `${grouped(count)} ${agree(count, one, many)}`

/** The form of a word that goes with a count that stands elsewhere: "node" or "nodes", "is" or "are". */
export const agree = (count: number, one: string, many = `${one}s`): string => (count === 1 ? one : many)

/** "a", "a and b", "a, b and c". */
export const listed = (names: readonly (string | number)[], joint = 'and'): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} ${joint} ${names.at(-1)}`

/** `namespace/name` of a workload, by its ID `namespace/Kind/name`. */
export function nameOfWorkload(workload: string): string {
  const [namespace = '', , ...name] = workload.split('/')
  return `${namespace}/${name.join('/')}`
}

/** The first few names, and how many more there are: "a, b, c and 4 more". */
export const firstFew = (names: readonly string[], most: number): string =>
  `${names.slice(0, most).join(', ')}${names.length > most ? ` and ${grouped(names.length - most)} more` : ''}`

/** Dollars: to the cent below ten, in at most five characters from there on; nothing is $0. */
export function dollars(amount: number): string {
  const sign = amount < 0 ? '−' : ''
  const size = Math.abs(amount)
  if (size === 0) return '$0'
  return size < 10 ? `${sign}$${size.toFixed(2)}` : `${sign}$${short(size)}`
}

/** Dollars written out, for screens: cents below a hundred, whole dollars from there on: $0, $6.88, $2,635. */
export function money(amount: number): string {
  const size = Math.abs(amount)
  return formatOf(size === 0 || size >= 99.995 ? 'whole' : 'cents')
    .format(amount)
    .replace('-', '−')
}

/** Dollars to the cent, for documents whose reader adds them up. */
export const cents = (amount: number): string => formatOf('cents').format(amount)

/** A count or an amount in at most five characters: 950, 4,120, 12.4K, 324K, 1.2M, 3.4B. */
export function short(amount: number): string {
  const size = Math.abs(amount)
  if (size < 9999.5) return grouped(amount, size < 10 ? 1 : 0)
  const [step, letter] = STEPS.find(([each]) => size < each * 999.5) ?? ([1e9, 'B'] as const)
  const scaled = amount / step
  return `${Math.abs(scaled) < 100 ? scaled.toFixed(1).replace(/\.0$/u, '') : String(Math.round(scaled))}${letter}`
}

const STEPS = [
  [1e3, 'K'],
  [1e6, 'M'],
] as const

/** Dollars for a million tokens: to the cent, of less than ten cents the first two digits: $4.20, $0.031. */
export const perMillionTokens = (amount: number): string =>
  amount >= 0.0995 || amount === 0 ? cents(amount) : `$${Number(amount.toPrecision(2))}`

/** Seconds as the two largest units that matter: 45 s, 12 min, 3 h 20 min, 2 d 4 h. */
export function duration(seconds: number): string {
  const minutes = Math.floor(Math.round(seconds) / 60)
  if (minutes < 1) return `${Math.round(seconds)} s`
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  if (hours < 24) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`
  return hours % 24 === 0 ? `${hours / 24} d` : `${Math.floor(hours / 24)} d ${hours % 24} h`
}

/** "Nov 1, 2026, 06:00", for `Intl.DateTimeFormat` in American English. */
export const DAY_AND_TIME = {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
} as const

/** Memory in MiB below one GiB, above it in GiB with one decimal. */
export function memory(mebibytes: number): string {
  return Math.round(mebibytes) < 1024 ? `${Math.round(mebibytes)} MiB` : `${(mebibytes / 1024).toFixed(1)} GiB`
}

/** What was thrown, in its own words. */
export const errorText = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown))

/** What was thrown, as an error: nothing keeps code from throwing something else. */
export const asError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)))

/** As a sentence begins. */
export const capitalized = (words: string): string => `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`

/** Which of some words somebody may have meant, nearest first: at most two letters are other, missing or too many. */
export function meantWords(word: string, known: readonly string[]): readonly string[] {
  const typed = word.toLowerCase()
  if (typed.length < 3) return []
  const most = typed.length < 6 ? 1 : 2
  return known
    .map((text) => ({ text, letters: lettersApart(typed, text) }))
    .filter(({ letters }) => letters > 0 && letters <= most)
    .toSorted((a, b) => a.letters - b.letters)
    .slice(0, 2)
    .map(({ text }) => text)
}

/** How many letters have to change, come or go. */
function lettersApart(a: string, b: string): number {
  let before = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (const [row, letter] of Array.from(a).entries()) {
    const next = [row + 1]
    for (const [column, other] of Array.from(b).entries()) {
      const [left = 0, above = 0, corner = 0] = [next[column], before[column + 1], before[column]]
      next.push(Math.min(left + 1, above + 1, corner + Number(letter !== other)))
    }
    before = next
  }
  return before.at(-1) ?? 0
}
