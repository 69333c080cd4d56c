/** An amount of money in billionths of its currency, exact: sums of millions of lines must meet the invoice to the cent. */
export type Nanos = bigint

const DECIMAL = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/u
const PLACES = 9
const FURTHEST = 60

/** Reads a decimal number exactly, rounded half away from zero beyond nine places. Undefined where it is none. */
export function readNanos(text: string): Nanos | undefined {
  const [found, sign, whole = '', fraction = '', exponent = '0'] = DECIMAL.exec(text.trim()) ?? []
  if (found === undefined || whole + fraction === '') return undefined
  const size = scaled(BigInt(whole + fraction), PLACES - fraction.length + Number(exponent))
  return sign === '-' && size !== undefined ? -size : size
}

/** Times a power of ten. Undefined beyond all money. */
function scaled(digits: bigint, power: number): Nanos | undefined {
  if (power > FURTHEST) return undefined
  if (power < -FURTHEST) return 0n
  return power >= 0 ? digits * 10n ** BigInt(power) : rounded(digits, 10n ** BigInt(-power))
}

const rounded = (digits: bigint, by: bigint): bigint => (digits + by / 2n) / by

const PER_CENT = 10_000_000n

/** Dollars, to the cent. */
export const dollarsOf = (amount: Nanos): number => Number(centsOf(amount)) / 100

const centsOf = (amount: Nanos): bigint => (amount < 0n ? -rounded(-amount, PER_CENT) : rounded(amount, PER_CENT))

/**
 * Amounts to the cent that add up to their sum, to the cent: each is rounded down, and the cents that are missing go to the
 * largest remainders, ties to the first. Amounts may be negative, as credits are.
 */
export function centsThatAddUp(amounts: readonly Nanos[]): number[] {
  const floors = amounts.map((amount) => (amount - remainderOf(amount)) / PER_CENT)
  const whole = centsOf(amounts.reduce((sum, amount) => sum + amount, 0n))
  const missing = Number(whole - floors.reduce((sum, cents) => sum + cents, 0n))
  const byRemainder = amounts
    .map((amount, index) => ({ index, remainder: remainderOf(amount) }))
    .toSorted((a, b) => (a.remainder === b.remainder ? a.index - b.index : a.remainder < b.remainder ? 1 : -1))
  const raised = new Set(byRemainder.slice(0, missing).map(({ index }) => index))
  return floors.map((cents, index) => (Number(cents) + (raised.has(index) ? 1 : 0)) / 100)
}

/** What lies above the next lower cent; never negative. */
const remainderOf = (amount: Nanos): bigint => ((amount % PER_CENT) + PER_CENT) % PER_CENT
