import { stemmer } from 'stemmer'

import PHRASINGS from './phrasings.json' with { type: 'json' }
import { SLOTS, type SlotName } from './family.ts'
import { timeIn } from './times.ts'
import { correctedWith } from './typos.ts'
import { meaningOf, simplified, wordsOf } from './words.ts'

/** A question as a class of questions: a family, or `none` of them. */
export type Likely = {
  readonly family: string
  /** 0 to 1, over all that could be meant. */
  readonly likelihood: number
}

type Example = { readonly family: string; readonly words: readonly string[]; readonly slots: readonly SlotName[] }
type Weights = ReadonlyMap<string, number>

/** Of `none`: questions that people ask as well, and that nothing here answers. */
export const NONE = 'none'
/** Added to each count, so that a word which a family never had does not rule it out. */
const SMOOTHING = 0.1
/** Two words that follow each other say less than each of them: they are rarely met again. */
const PAIR = 0.7
/** How much further apart the likelihoods are drawn: the weights of a question are scaled to length 1. */
const SHARPNESS = 3

/**
 * Multinomial naive Bayes over the words of `phrasings.json`, their stems, what they mean and what the question names,
 * weighted by how rare they are (Rennie et al., "Tackling the Poor Assumptions of Naive Bayes Text Classifiers", 2003).
 * Learning takes less than a tenth of a second, once.
 */
class Classifier {
  readonly #rarity: Weights
  readonly #families = new Map<string, Map<string, number>>()
  readonly #totals = new Map<string, number>()
  readonly #vocabulary: ReadonlySet<string>
  readonly #spoken = new Map<string, Set<string>>()
  readonly #corrected: (word: string) => string | undefined

  constructor(examples: readonly Example[]) {
    const seen = new Map<string, number>()
    const features = examples.map((example) => featuresOf(example.words, example.slots))
    for (const one of features) for (const name of one.keys()) seen.set(name, (seen.get(name) ?? 0) + 1)
    this.#rarity = new Map([...seen].map(([name, count]) => [name, Math.log((examples.length + 1) / (count + 0.5))]))
    const words = new Set(examples.flatMap((example) => example.words))
    this.#vocabulary = new Set([...words].map((word) => stemmer(word)))
    this.#corrected = correctedWith(new Map([...words].map((word) => [word, word])))
    for (const { family, words: said } of examples) {
      const own = this.#spoken.get(family) ?? new Set()
      this.#spoken.set(family, own)
      for (const word of said) own.add(stemmer(word))
    }
    for (const [order, { family }] of examples.entries()) this.#learn(family, features[order] ?? new Map())
  }

  #learn(family: string, features: Weights): void {
    const own = this.#families.get(family) ?? new Map<string, number>()
    this.#families.set(family, own)
    for (const [name, weight] of this.#scaled(features)) {
      own.set(name, (own.get(name) ?? 0) + weight)
      this.#totals.set(family, (this.#totals.get(family) ?? 0) + weight)
    }
  }

  /** A word as it is known here, with a slip of the finger mended; undefined for one that nobody has asked with. */
  spelled(word: string): string | undefined {
    return this.#vocabulary.has(stemmer(word)) || meaningOf(word) !== undefined ? word : this.#corrected(word)
  }

  /** Whether it is a word of questions that nothing here answers, as "disk" is, and not of those of the family. */
  isForeign(word: string, family: string): boolean {
    const stem = stemmer(word)
    return this.#spoken.get(NONE)?.has(stem) === true && this.#spoken.get(family)?.has(stem) !== true
  }

  /** To length 1, without what was never seen. */
  #scaled(features: Weights): Weights {
    const known = [...features].flatMap(([name, weight]) => {
      const rarity = this.#rarity.get(name)
      return rarity === undefined ? [] : [[name, weight * rarity] as const]
    })
    const length = Math.hypot(...known.map(([, weight]) => weight))
    return new Map(known.map(([name, weight]) => [name, weight / length]))
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

/** What of a question its family is told by: words by their stem, what they mean, which follow each other, what is named. */
function featuresOf(words: readonly string[], slots: readonly SlotName[]): Weights {
  const stems = words.map((word) => stemmer(word))
  const ideas = words.map((word) => meaningOf(word) ?? '')
  const said = stems.map((stem, order) => ideas[order] || stem)
  return new Map([
    ...stems.map((stem) => [`word ${stem}`, 1] as const),
    ...ideas.flatMap((idea) => (idea === '' ? [] : [[`idea ${idea}`, 1] as const])),
    ...said.slice(1).map((one, order) => [`pair ${said[order]} ${one}`, PAIR] as const),
    ...slots.map((slot) => [`slot ${slot}`, 1] as const),
  ])
}

/** What narrows an answer, and does not tell what is asked. */
const NARROWING: ReadonlySet<string> = new Set<SlotName>(['range', 'count'])
const isNamed = (text: string): text is SlotName => SLOTS.some((slot) => slot === text && !NARROWING.has(slot))

function exampleOf(family: string, text: string): Example {
  return {
    family,
    words: wordsOf(timeIn(simplified(text.replaceAll(/\{\w+\}/gu, ' ')), 0).rest),
    slots: [...text.matchAll(/\{(\w+)\}/gu)].flatMap(([, name = '']) => (isNamed(name) ? [name] : [])),
  }
}

/** What is asked of one kind of thing can be asked of each, in the same words. */
const KINDS: ReadonlyMap<string, readonly [RegExp, string]> = new Map([
  ['namespace', [/\b(?:namespace|project)(s?)\b/giu, 'namespace']],
  ['tenant', [/\b(?:tenant|team|department)(s?)\b/giu, 'team']],
  ['model', [/\b(?:model|type|kind)(s?)\b/giu, 'model']],
  ['pool', [/\b(?:node )?pool(s?)\b/giu, 'pool']],
  ['node', [/\b(?:node|host|machine|server)(s?)\b/giu, 'node']],
])

/** The same question of the other kinds. */
function ofOtherKinds(family: string, text: string): readonly Example[] {
  const [, subject = '', kind = ''] = /^((?:usage|cost)-(?:by|of)-)(\w+)$/u.exec(family) ?? []
  const own = KINDS.get(kind)
  if (own === undefined || (subject.endsWith('by-') && !own[0].test(text))) return []
  return [...KINDS].flatMap(([other, [, noun]]) =>
    other === kind
      ? []
      : exampleOf(`${subject}${other}`, text.replaceAll(own[0], `${noun}$1`).replaceAll(`{${kind}}`, `{${other}}`)),
  )
}

let learned: Classifier | undefined

function classifier(asks: readonly (readonly [family: string, text: string])[]): Classifier {
  const told = Object.entries(PHRASINGS).flatMap(([family, texts]) => texts.map((text) => [family, text] as const))
  return new Classifier(
    [...asks, ...told].flatMap(([family, text]) => [exampleOf(family, text), ...ofOtherKinds(family, text)]),
  )
}

/** The classifier of these ways to ask and of `phrasings.json`, made at the first question. */
export const learnedFrom = (asks: readonly (readonly [family: string, text: string])[]): Classifier =>
  (learned ??= classifier(asks))
