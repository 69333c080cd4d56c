import type { Figure } from '../benchmark.ts'

/**
 * How a claim stands: `measured` here, `published` by others and quoted with its source, or `not-reached`: what was
 * measured falls short of the words, and says so.
 */
type ClaimKind = 'measured' | 'published' | 'not-reached'

/** What the site says, and what stands behind it. */
export type Claim = {
  /** Stable: the name of the receipt's file and of its link. */
  readonly id: string
  /** The site's words. */
  readonly words: string
  /** Benchmarks whose figures it is made from. */
  readonly needs: readonly string[]
  judge(figures: FiguresOf): ClaimVerdict
}

/** The figures of a benchmark of this run, by its name. */
type FiguresOf = (benchmark: string) => readonly Figure[]

type ClaimVerdict = {
  readonly kind: ClaimKind
  /** What is true, in sentences; the first one carries the number. */
  readonly says: string
  /** What the words could be taken for and the figures do not say. */
  readonly saysNot: string
  readonly figures: readonly Figure[]
  /** What was looked at: files of a published trace, a board's table, a publication. */
  readonly input: string
  readonly sources: readonly string[]
}

/** The figure of that name; throws when the benchmark no longer gives it, so that no claim stands on nothing. */
export function figureNamed(figures: readonly Figure[], name: string): Figure {
  const found = figures.find((figure) => figure.name === name)
  if (found === undefined) throw new Error(`no figure "${name}" among: ${figures.map((each) => each.name).join('; ')}`)
  return found
}
