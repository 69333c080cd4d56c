import { stemmer } from 'stemmer'

import { conceptsOf, isOrdinary, plainWords } from './concepts.ts'
import { examples, type Example } from './examples.ts'
import type { SlotName } from './family.ts'
import { correctedWith } from './typos.ts'
import { knownWords, meaningOf } from './words.ts'

/** A question as a class of questions: a family, or `none` of them. */
export type Likely = {
  readonly family: string
  /** 0 to 1, over all that could be meant. */
  readonly likelihood: number
}

type Weights = ReadonlyMap<string, number>

/** Of `none`: questions that people ask as well, and that nothing here answers. */
export const NONE = 'none'
/** Added to each count, so that a word which a family never had does not rule it out. */
const SMOOTHING = 0.06
/** How much further apart the likelihoods are drawn: the weights of a question are scaled to length 1. */
const SHARPNESS = 3
/**
 * Multinomial naive Bayes over the words of the examples, their stems, what they mean and what the question names,
 * weighted by how rare they are (Rennie et al., "Tackling the Poor Assumptions of Naive Bayes Text Classifiers", 2003).
 * Families with many examples are as if they had fewer, so that they do not win what is unclear. It learns once.
 */
class Classifier {
  readonly #rarity: Weights
  readonly #families = new Map<string, Map<string, number>>()
  readonly #totals = new Map<string, number>()
  /** How often each family says the stem of a word. */
  readonly #said = new Map<string, Map<string, number>>()
  /** Questions that nothing answers, word for word. */
  readonly #unanswered: ReadonlySet<string>
  readonly #corrected: (word: string) => string | undefined

  constructor(known: readonly Example[]) {
    const features = known.map((example) => featuresOf(example.words, example.slots))
    this.#unanswered = new Set(known.flatMap((one) => (one.family === NONE ? [wordForWord(one)] : [])))
    const seen = new Map<string, number>()
    for (const one of features) for (const name of one) seen.set(name, (seen.get(name) ?? 0) + 1)
    this.#rarity = new Map([...seen].map(([name, count]) => [name, Math.log((known.length + 1) / (count + 0.5))]))
    for (const { family, words: own } of known) {
      for (const stem of own.map((word) => stemmer(word))) {
        const said = this.#said.get(stem) ?? new Map<string, number>()
        this.#said.set(stem, said.set(family, (said.get(family) ?? 0) + 1))
      }
    }
    const words = new Set([...knownWords(), ...known.flatMap((example) => example.words), ...plainWords()])
    // Of the forms of a word, the one that is known best.
    const oneOf = new Map([...words].toReversed().map((word) => [stemmer(word), word]))
    this.#corrected = correctedWith(new Map([...words].map((word) => [word, oneOf.get(stemmer(word)) ?? word])))
    for (const [order, { family }] of known.entries()) this.#learn(family, features[order] ?? new Set())
    this.#balance()
  }

  #learn(family: string, features: ReadonlySet<string>): void {
    const own = this.#families.get(family) ?? new Map<string, number>()
    this.#families.set(family, own)
    for (const [name, weight] of this.#scaled(features)) {
      own.set(name, (own.get(name) ?? 0) + weight)
      this.#totals.set(family, (this.#totals.get(family) ?? 0) + weight)
    }
  }

  /** Brings what families weigh nearer to each other, to the square root of it. */
  #balance(): void {
    const mean = [...this.#totals.values()].reduce((sum, total) => sum + total, 0) / this.#totals.size
    for (const [family, own] of this.#families) {
      const total = this.#totals.get(family) ?? mean
      const factor = Math.sqrt(mean / total)
      for (const [name, weight] of own) own.set(name, weight * factor)
      this.#totals.set(family, total * factor)
    }
  }

  /** Whether just this question is known to have no answer. */
  isUnanswered = (words: readonly string[], slots: readonly SlotName[]): boolean =>
    this.#unanswered.has(wordForWord({ words, slots }))

  /** Whether a question that is known here has this word. */
  isSaid = (word: string): boolean => this.#said.has(stemmer(word))

  /** Whether it is a word of questions that are answered, and so hardly a name. */
  isSpoken = (word: string): boolean =>
    conceptsOf(word).length > 0 || [...(this.#said.get(stemmer(word))?.keys() ?? [])].some((family) => family !== NONE)

  /** A word as it is known here, with a slip of the finger mended; undefined for one that nobody has asked with. */
  spelled(word: string): string | undefined {
    const isKnown =
      this.isSaid(word) || meaningOf(word) !== undefined || conceptsOf(word).length > 0 || isOrdinary(word)
    return isKnown ? word : this.#corrected(word)
  }

  /** Whether it is a word of questions that nothing here answers, as "disk" is, and not of those of the family. */
  isForeign(word: string, family: string): boolean {
    if (conceptsOf(word).length > 0) return false
    const said = this.#said.get(stemmer(word))
    const elsewhere = said?.get(NONE) ?? 0
    const here = [...(said?.values() ?? [])].reduce((sum, count) => sum + count, -elsewhere)
    return elsewhere > 2 * here && said?.has(family) === false
  }

  /** By how rare each is, to length 1, without what was never seen. */
  #scaled(features: ReadonlySet<string>): Weights {
    const known = [...features].flatMap((name) => {
      const rarity = this.#rarity.get(name)
      return rarity === undefined ? [] : [[name, rarity] as const]
    })
    const length = Math.hypot(...known.map(([, rarity]) => rarity))
    return new Map(known.map(([name, rarity]) => [name, rarity / length]))
  }

  /** The likeliest first, of those that are possible. */
  likely(words: readonly string[], slots: readonly SlotName[], isPossible: (family: string) => boolean): Likely[] {
    const asked = this.#scaled(
      featuresOf(
        words.map((word) => this.spelled(word) ?? word),
        slots,
      ),
    )
    if (asked.size === 0) return []
    const scores = [...this.#families].flatMap(([family, own]) =>
      isPossible(family) ? [{ family, score: SHARPNESS * this.#score(asked, family, own) }] : [],
    )
    const best = Math.max(...scores.map(({ score }) => score))
    const sum = scores.reduce((all, { score }) => all + Math.exp(score - best), 0)
    return scores
      .map(({ family, score }) => ({ family, likelihood: Math.exp(score - best) / sum }))
      .toSorted((a, b) => b.likelihood - a.likelihood)
  }

  #score(asked: Weights, family: string, own: Weights): number {
    const of = (this.#totals.get(family) ?? 0) + SMOOTHING * this.#rarity.size
    let score = 0
    for (const [name, weight] of asked) score += weight * Math.log(((own.get(name) ?? 0) + SMOOTHING) / of)
    return score
  }
}

const wordForWord = ({ words, slots }: Pick<Example, 'words' | 'slots'>): string =>
  [...words, '', ...slots.toSorted()].join(' ')

/**
 * What of a question its family is told by: words by their stem, what they mean, which follow each other, what is named.
 * What a word stands for is met again where the word is not, and two such together tell more than each alone.
 */
function featuresOf(words: readonly string[], slots: readonly SlotName[]): ReadonlySet<string> {
  const stems = words.map((word) => stemmer(word))
  const ideas = words.map((word) => meaningOf(word) ?? '')
  const said = stems.map((stem, order) => ideas[order] || stem)
  const concepts = [...new Set(words.flatMap((word) => conceptsOf(word)))].toSorted()
  return new Set([
    ...stems.map((stem) => `word ${stem}`),
    ...ideas.filter(Boolean).map((idea) => `idea ${idea}`),
    ...said.slice(1).map((one, order) => `pair ${said[order]} ${one}`),
    ...concepts.map((concept) => `of ${concept}`),
    ...concepts.flatMap((one, order) => concepts.slice(order + 1).map((other) => `both ${one} ${other}`)),
    ...slots.map((slot) => `slot ${slot}`),
  ])
}

let learned: Classifier | undefined

/** The classifier of all examples, made at the first question. */
export const classifier = (): Classifier => (learned ??= new Classifier(examples()))
