import { type Usd, usd } from '../units.ts'

/**
 * Rounds amounts to the cent so that they add up to the whole, also rounded to the cent: every amount is rounded down,
 * and the cents that are missing go to the largest remainders, ties to the first. `whole` is the sum of the amounts
 * unless a total shown elsewhere has to be met. No amount may be negative.
 */
export function splitToCents(amounts: readonly number[], whole: number = sumOf(amounts)): Usd[] {
  const exact = amounts.map((amount) => amount * 100)
  const cents = exact.map((amount) => Math.floor(amount + TINY))
  let missing = Math.round(whole * 100) - sumOf(cents)
  const byRemainder = exact
    .map((amount, index) => ({ index, remainder: amount - (cents[index] ?? 0) }))
    .toSorted((a, b) => b.remainder - a.remainder || a.index - b.index)
  for (let turn = 0; missing > 0 && byRemainder.length > 0; turn++, missing--) {
    add(cents, byRemainder[turn % byRemainder.length]?.index, 1)
  }
  for (let turn = byRemainder.length - 1; missing < 0 && turn >= 0; turn--) {
    const index = byRemainder[turn]?.index
    const taken = Math.min(-missing, cents[index ?? -1] ?? 0)
    add(cents, index, -taken)
    missing += taken
  }
  return cents.map((amount) => usd(amount / 100))
}

/**
 * A column of amounts as it is shown above or beneath its total: in cents that add up to the total's, where the amounts are
 * what it is made of; else to their own sum. What is undefined stays so.
 */
export function columnToCents(amounts: readonly (number | undefined)[], total?: number): (Usd | undefined)[] {
  const known = amounts.filter((amount) => amount !== undefined)
  const own = sumOf(known)
  const cents = splitToCents(known, total !== undefined && Math.abs(total - own) < SAME ? total : own).values()
  return amounts.map((amount) => (amount === undefined ? undefined : cents.next().value))
}

/** Amounts are exact to a millionth: as much as thousands of them can be off together. */
const SAME = 0.005

/** An amount to the cent. */
export const toCents = (amount: number): Usd => usd(Math.round(amount * 100) / 100)

/** Floating-point sums fall short of a whole cent by some 1e-10; that must not cost a cent. */
const TINY = 1e-6

const sumOf = (amounts: readonly number[]): number => amounts.reduce((sum, amount) => sum + amount, 0)

function add(cents: number[], index: number | undefined, more: number): void {
  if (index !== undefined) cents[index] = (cents[index] ?? 0) + more
}
