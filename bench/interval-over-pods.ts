import { randomFrom } from './random-from.ts'

const RESAMPLES = 1000

/** Middle 95 % of a statistic over 1,000 resamples of whole pods. */
export function intervalOverPods<T extends { readonly pod: string }>(
  items: readonly T[],
  { seed, statistic }: { readonly seed: number; readonly statistic: (items: readonly T[]) => number },
): readonly [number, number] {
  const byPod = [...Map.groupBy(items, ({ pod }) => pod).values()]
  const random = randomFrom(seed)
  const values = Array.from({ length: RESAMPLES }, () =>
    statistic(byPod.flatMap(() => byPod[Math.floor(random() * byPod.length)] ?? [])),
  ).toSorted((a, b) => a - b)
  return [values[Math.floor(0.025 * RESAMPLES)] ?? Number.NaN, values[Math.ceil(0.975 * RESAMPLES) - 1] ?? Number.NaN]
}
