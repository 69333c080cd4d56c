/** Most texts kept: about the different names on 20,000 GPUs. */
const MOST = 100_000
const known = new Map<string, string>()

/**
 * The first equal text that was asked for: each series of an answer spells the names of its model, node and pod again.
 */
export function internText(text: string): string {
  const found = known.get(text)
  if (found !== undefined) return found
  if (known.size >= MOST) known.clear()
  const copy = detach(text)
  known.set(copy, copy)
  return copy
}

/** A slice keeps the whole text that it was cut from alive; a copy does not. */
export const detach = (slice: string): string => Buffer.from(slice, 'utf8').toString('utf8')
