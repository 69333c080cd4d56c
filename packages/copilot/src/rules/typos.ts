/** Shorter words are a slip away from too many others. */
const SHORTEST = 5

/** A word with each of its letters left out once, and itself. */
const shortened = (word: string): readonly string[] => [
  word,
  ...Array.from(word, (_, at) => word.slice(0, at) + word.slice(at + 1)),
]

/**
 * Reads words with one letter missing, added, wrong, or two in the wrong order: two words are that near where both
 * become the same by leaving out at most one letter each. A word that is near to several meanings stays unknown.
 */
export function correctedWith(known: ReadonlyMap<string, string>): (word: string) => string | undefined {
  const near = new Map<string, Set<string>>()
  for (const [word, meaning] of known) {
    if (word.length < SHORTEST) continue
    for (const less of shortened(word)) near.set(less, (near.get(less) ?? new Set()).add(meaning))
  }
  return (word) => {
    if (word.length < SHORTEST || !/^[a-z]+$/u.test(word)) return undefined
    const [only, ...others] = new Set(shortened(word).flatMap((less) => [...(near.get(less) ?? [])]))
    return others.length === 0 ? only : undefined
  }
}
