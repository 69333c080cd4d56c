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

/** An amount to the cent. */
export const toCents = (amount: number): Usd => usd(Math.round(amount * 100) / 100)

/** Floating-point sums fall short of a whole cent by some 1e-10; that must not cost a cent. */
const TINY = 1e-6

const sumOf = (amounts: readonly number[]): number => amounts.reduce((sum, amount) => sum + amount, 0)

function add(cents: number[], index: number | undefined, more: number): void {
  if (index !== undefined) cents[index] = (cents[index] ?? 0) + more
}
