/** Does `work` for every item, at most `limit` at the same time; answers in the order of the items. */
export async function inParallel<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results = new Map<number, R>()
  const queue = items.entries()
  const worker = async (): Promise<void> => {
    // Workers share one iterator, so each item is taken once.
    for (const [index, item] of queue) results.set(index, await work(item))
  }
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker))
  return [...results].toSorted(([a], [b]) => a - b).map(([, result]) => result)
}
