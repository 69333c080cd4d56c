/** Shorter words are a slip away from too many others, but for two letters in the wrong order. */
const SHORTEST = 6
const SHORTEST_SWAPPED = 4

/** A word with each of its letters left out once, and itself. */
const shortened = (word: string): readonly string[] => [
  word,
  ...Array.from(word, (_, at) => word.slice(0, at) + word.slice(at + 1)),
]

/** A word with each two letters that follow each other in the other order. */
const swapped = (word: string): readonly string[] =>
  Array.from(
    word.slice(1),
    (_, at) => `${word.slice(0, at)}${word[at + 1] ?? ''}${word[at] ?? ''}${word.slice(at + 2)}`,
  )

/**
 * Reads words with one letter missing, added, wrong, or two in the wrong order: two words are that near where both
 * become the same by leaving out at most one letter each. A word that is near to several meanings stays unknown.
 */
export function correctedWith(known: ReadonlyMap<string, string>): (word: string) => string | undefined {
  const near = new Map<string, Set<string>>()
  for (const [word, meaning] of known) {
    const slips = word.length < SHORTEST ? swapped(word).map((slip) => `=${slip}`) : shortened(word)
    if (word.length >= SHORTEST_SWAPPED)
      for (const slip of slips) near.set(slip, (near.get(slip) ?? new Set()).add(meaning))
  }
  return (word) => {
    if (word.length < SHORTEST_SWAPPED || !/^[a-z]+$/u.test(word)) return undefined
    const slips = [`=${word}`, ...(word.length < SHORTEST - 1 ? [] : shortened(word))]
    const [only, ...others] = new Set(slips.flatMap((slip) => [...(near.get(slip) ?? [])]))
    return others.length === 0 ? only : undefined
  }
}
