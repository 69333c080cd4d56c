import { changeAsked } from './changes.ts'
import { ideasOf, wordsIn, type CopilotEvidence, type MeasuredFigure, type Named } from './evidence.ts'
import { agrees, quantitiesOf, type Quantity } from './quantities.ts'
import { STATES, meaningOf } from './words.ts'
import { isNameLike } from './name-tokens.ts'

/** A name in a sentence, and where results have it; nowhere: it is made up, or of somewhere else. */
type NameAt = { readonly name: string; readonly at: number; readonly places: readonly Named[] }

/** After these, a word is a name. */
const BEFORE =
  /\b(?:namespace|project|tenant|team|node|host|pool|workload|job|pod|deployment|cluster|queue|model)\s+$/iu
const QUOTED = /[“"]([^“”"]{1,253})[”"]/gu
const WORD = /[\p{L}\d](?:[\p{L}\d._/:@+-]*[\p{L}\d])?/gu
/** Proper nouns of the trade. */
const TRADE = new Set(
  'kubernetes nvidia septet prometheus kueue karpenter mig gpu gpus cpu cuda nvlink helm dcgm monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october november december utc usd i no not if when it the this these that those there their they'.split(
    ' ',
  ),
)
/** Follow "the node" and the like, and name nothing. */
const VERBS = new Set(
  'is are was were be been has have had holds hold held needs need uses use used runs run waits wait can could would will with that which who whose in on and or of to for from by at as than costs cost spends spend wastes where while but because so also currently now itself alone'.split(
    ' ',
  ),
)

/** Everything in a sentence that names something of a cluster, in order. */
function namesIn(sentence: string, evidence: CopilotEvidence): readonly NameAt[] {
  const quoted = [...sentence.matchAll(QUOTED)].map((match) => ({ name: match[1] ?? '', at: match.index + 1 }))
  const words = [...sentence.matchAll(WORD)]
    .map(({ 0: name, index: at }) => ({ name, at }))
    .filter(({ at }) => !quoted.some((one) => at >= one.at && at < one.at + one.name.length))
    .filter((word) => isName(word, sentence, evidence))
  return [...quoted, ...words]
    .toSorted((a, b) => a.at - b.at)
    .map(({ name, at }) => ({ name, at, places: placesOf(name, evidence) }))
}

type Word = { readonly name: string; readonly at: number }

function isName({ name, at }: Word, sentence: string, evidence: CopilotEvidence): boolean {
  if (isNameLike(name)) return true
  const lower = name.toLowerCase()
  if (!/\p{L}/u.test(name) || TRADE.has(lower) || /^[A-Z]{2,5}s?$/u.test(name)) return false
  if (isPlacedLikeName(name, sentence.slice(0, at))) return true
  // A plain word that is the name of a row: "web" among namespaces.
  return meaningOf(lower) === undefined && placesOf(name, evidence).some(({ isProse }) => !isProse)
}

/** After "the namespace", or with a capital letter within a sentence. */
function isPlacedLikeName(name: string, before: string): boolean {
  const lower = name.toLowerCase()
  if (BEFORE.test(before) && !VERBS.has(lower) && meaningOf(lower) === undefined) return true
  return /^\p{Lu}/u.test(name) && !/(?:^|[.!?:]|[“"(])\s*$/u.test(before)
}

const placesOf = (name: string, { names }: CopilotEvidence): readonly Named[] =>
  names.get(name.toLowerCase().trim()) ?? []

/** Whether the results of this turn hold what a sentence says: which ones, or the first thing that none holds. */
export type Checked =
  | { readonly isCovered: true; readonly cites: readonly number[] }
  | { readonly isCovered: false; readonly because: string }

/** Said of what was not counted, or what only a comparison of several results could tell. */
const UNCHECKABLE =
  /\b(?:half|halves|halved|thirds?|quarters?|twice|doubled?|doubles|tripled?|dozens?|hundreds|thousands|millions|majority|every|everything|everyone|everywhere|always|never|none|nothing|nobody|all|entire|entirely|increas\w+|decreas\w+|rose|risen|rising|fell|fallen|falling|dropp\w+|grew|grown|growing|declin\w+|improv\w+|worsen\w*)\b/giu
const NEGATED = /\b(?:no|not|n't|never|without|isn't|aren't|wasn't|weren't|cannot)\b|n['’]t\b/iu
/** What a model says it did, or thinks: no result could hold it. */
const OF_ITSELF = /\bI\b/u
/** Leads out of the answer, or is not a sentence. */
const MARKUP = /https?:|www\.|\]\(|<\/?[a-z]|!\[|\|.*\|/iu

/**
 * Checks the numbers, names and states of one sentence. A number is covered by the same one, rounded at most, of the
 * same kind and noun, in the row of the name that it is said of, unless another number there fits the words better.
 */
export function checkSentence(sentence: string, evidence: CopilotEvidence): Checked {
  const unfit = whyUnfit(sentence)
  if (unfit !== undefined) return dropped(unfit)
  const names = namesIn(sentence, evidence)
  const stranger = names.find(({ places }) => places.length === 0)
  if (stranger !== undefined) return dropped(`no result names “${stranger.name}”`)
  const vague = [...sentence.matchAll(UNCHECKABLE)].find(([word]) => !saidInProse(word, evidence))
  if (vague !== undefined) return dropped(`no result says “${vague[0]}”`)
  const numbers = quantitiesOf(sentence)
  const covers = numbers.map((quantity) => coverOf(quantity, { sentence, names, evidence }))
  const missing = covers.indexOf(undefined)
  if (missing >= 0) return dropped(`no result holds ${numbers[missing]?.text.trim()} for what the sentence says`)
  const states = statesOf(sentence)
  const placed = states.map((state) => placesOfState(state, { sentence, names, evidence }))
  const unsaid = placed.findIndex((places) => places === undefined)
  if (unsaid >= 0) return dropped(`no result says “${states[unsaid]}” of it`)
  if (numbers.length + names.length + states.length === 0) return dropped('it says nothing that can be checked')
  const cites = [...covers.flatMap((cover) => cover ?? []), ...(numbers.length > 0 ? [] : citesOf(names, placed))]
  return { isCovered: true, cites: [...new Set(cites)].toSorted((a, b) => a - b) }
}

/** No statement about a cluster. Orders are what text in names and events makes a model say. */
function whyUnfit(sentence: string): string | undefined {
  if (MARKUP.test(sentence)) return 'it holds a link or markup'
  if (OF_ITSELF.test(sentence)) return 'the model speaks of itself'
  return changeAsked(sentence) === undefined ? undefined : 'it tells a person to change something'
}

const dropped = (because: string): Checked => ({ isCovered: false, because })

const saidInProse = (word: string, { prose }: CopilotEvidence): boolean =>
  new RegExp(`\\b${word.toLowerCase()}\\b`, 'u').test(prose)

type About = { readonly sentence: string; readonly names: readonly NameAt[]; readonly evidence: CopilotEvidence }

/** The first result of each name, else where the states are said. */
const citesOf = (names: readonly NameAt[], placed: ReadonlyArray<readonly number[] | undefined>): readonly number[] => {
  const ofNames = names.flatMap(({ places }) => places.slice(0, 1).map(({ result }) => result))
  return ofNames.length > 0 ? ofNames : placed.flatMap((results) => (results ?? []).slice(0, 1))
}

/** Results that hold a number as the sentence says it. */
function coverOf(quantity: Quantity, { sentence, names, evidence }: About): readonly number[] | undefined {
  const same = evidence.measured.filter((one) => agrees(quantity, one) && fitsNoun(quantity, one))
  if (quantity.isWhole) return resultsOf(same)
  const said = ideasOf(wordsIn(sentence))
  const clause = ideasOf(wordsIn(clauseAt(sentence, quantity.at)))
  const about = namesFor(quantity, sentence, names)
  const inRow = same.filter((one) => about.length === 0 || about.some((name) => isOf(one, name)))
  if (quantity.kind === 'day' || quantity.kind === 'clock') {
    return resultsOf([...inRow, ...same.filter(({ within }) => within.length === 0)])
  }
  const fitting = inRow.filter((one) => {
    const states = [...one.ideas].filter((idea) => STATES.has(idea))
    if (states.length > 0 && !states.some((state) => said.has(state))) return false
    if (isOfTheUnknown(one, clause, evidence)) return false
    return !isBeaten(one, quantity, { clause, said, evidence })
  })
  return resultsOf(fitting)
}

/** One result is enough to look it up. */
const resultsOf = (found: readonly MeasuredFigure[]): readonly number[] | undefined =>
  found[0] === undefined ? undefined : [found[0].result]

const fitsNoun = ({ noun, kind }: Quantity, measured: MeasuredFigure): boolean =>
  kind !== 'count' || noun === undefined || measured.noun === undefined || same(noun, measured.noun)
const same = (a: string, b: string): boolean => a === b || [a, b].every((noun) => noun.startsWith('cluster'))

/** "Verified savings were $0" where they were not measured, and something else was $0. */
const isOfTheUnknown = (
  { ideas, kind }: MeasuredFigure,
  clause: ReadonlySet<string>,
  { unknown }: CopilotEvidence,
): boolean => {
  const states = [...clause].filter((idea) => STATES.has(idea))
  return kind !== 'seconds' && states.some((state) => unknown.has(state)) && !states.some((state) => ideas.has(state))
}

type Words = {
  readonly clause: ReadonlySet<string>
  readonly said: ReadonlySet<string>
  readonly evidence: CopilotEvidence
}

/** Whether another number of the same row is what the words speak of: "idle cost" is not the cost beside it. */
function isBeaten(one: MeasuredFigure, quantity: Quantity, { clause, said, evidence }: Words): boolean {
  if (one.isProse) return false
  const score = (other: MeasuredFigure): number =>
    [...other.ideas].filter((idea) => STATES.has(idea) && clause.has(idea)).length -
    [...other.ideas].filter((idea) => STATES.has(idea) && !said.has(idea)).length
  const own = score(one)
  return evidence.measured.some(
    (other) =>
      !other.isProse &&
      other.result === one.result &&
      other.kind === one.kind &&
      other.within.join() === one.within.join() &&
      fitsNoun(quantity, other) &&
      !agrees(quantity, other) &&
      score(other) > own,
  )
}

/** Whether a number stands in the row of a name, or in the same text. */
const isOf = (one: MeasuredFigure, { places }: NameAt): boolean => places.some((named) => isWithin(one, named))

function isWithin(one: Pick<MeasuredFigure, 'result' | 'within'>, named: Named): boolean {
  if (one.result !== named.result) return false
  const [short, long] = one.within.length < named.within.length ? [one, named] : [named, one]
  // Beside a text that mentions a name, nothing is said of it; above all rows, only what has no name of its own.
  if (short === one && (named.isProse || one.within.length === 0)) return false
  return short.within.every((row, order) => long.within[order] === row)
}

const CLAUSE = /[,;:()—–]|\b(?:and|but|while|whereas|of which)\b/giu

function clauseAt(sentence: string, at: number): string {
  const [from, to] = clauseRange(sentence, at)
  return sentence.slice(from, to)
}

function clauseRange(sentence: string, at: number): readonly [from: number, to: number] {
  // A comma or period within a number ends nothing.
  const cuts = [...sentence.matchAll(CLAUSE)]
    .map(({ index }) => index)
    .filter((cut) => !/\d.\d/u.test(sentence.slice(cut - 1, cut + 2)))
  return [cuts.findLast((cut) => cut < at) ?? 0, cuts.find((cut) => cut > at) ?? sentence.length]
}

/** Of whom a number is said: the names of its clause, else the last one before it, else the first one after it. */
function namesFor({ at }: Quantity, sentence: string, names: readonly NameAt[]): readonly NameAt[] {
  const [from, to] = clauseRange(sentence, at)
  const here = names.filter((name) => name.at >= from && name.at < to)
  if (here.length > 0) return here
  const before = names.findLast((name) => name.at < at)
  return before === undefined ? names.slice(0, 1) : [before]
}

const statesOf = (sentence: string): readonly string[] =>
  [...ideasOf(wordsIn(sentence))].filter((idea) => STATES.has(idea))

/** Results that say a state of what the sentence names; of a denied one it is enough that they speak of it. */
function placesOfState(state: string, { sentence, names, evidence }: About): readonly number[] | undefined {
  const places = evidence.ideas.get(state) ?? []
  if (NEGATED.test(sentence) && evidence.named.has(state)) return places.map(({ result }) => result)
  const own = places.filter(
    (place) => names.length === 0 || names.some(({ places: named }) => named.some((one) => isWithin(place, one))),
  )
  return own.length === 0 ? undefined : own.map(({ result }) => result)
}
