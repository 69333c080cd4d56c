import { dollars, listed, plural } from '../../words.ts'
import type { BlastLimits } from './act-policy.ts'
import type { BlastRadius } from './blast-radius.ts'

/** What all of these touch together exceeds, in words: "24 GPUs (16 allowed)"; undefined where it exceeds nothing. */
export function overLimits(radii: readonly BlastRadius[], limits: BlastLimits): string | undefined {
  const sum = (amount: (radius: BlastRadius) => number): number => radii.reduce((all, each) => all + amount(each), 0)
  const over = (
    [
      ['pods', 'pod'],
      ['nodes', 'node'],
      ['gpus', 'GPU'],
    ] as const
  ).flatMap(([field, word]) => {
    const [count, limit] = [sum((radius) => radius[field].length), limits[field]]
    return limit === undefined || count <= limit ? [] : `${plural(count, word)} (${limit} allowed)`
  })
  const money = { hourly: sum(({ usdPerHour }) => usdPerHour), unpriced: sum(({ unpriced }) => unpriced.length) }
  const words = [...over, ...overMoney(money, limits)]
  return words.length === 0 ? undefined : listed(words)
}

/** What has no price may cost anything, so it is not within a limit of money. */
function overMoney(
  { hourly, unpriced }: { readonly hourly: number; readonly unpriced: number },
  { usdPerHour: limit }: BlastLimits,
): readonly string[] {
  if (limit === undefined) return []
  if (hourly > limit) return [`GPUs for ${dollars(hourly)} an hour (${dollars(limit)} allowed)`]
  return unpriced === 0 ? [] : [`${plural(unpriced, 'GPU')} of unknown price (${dollars(limit)} an hour allowed)`]
}
