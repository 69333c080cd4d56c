import type { CopilotAnswer } from '@septet/contract'

import { memberOf, wordsOfKey, type ToolResult } from './results.ts'
import { isNarrowed, shownAt, type Shown } from './shown.ts'

type Sentence = CopilotAnswer['sentences'][number]
type Part = NonNullable<Sentence['parts']>[number]

/** A sentence as it is shown, or why it is not, in half a sentence that holds no word of it. */
export type ReadSentence =
  | { readonly isShown: true; readonly sentence: Sentence }
  | { readonly isShown: false; readonly because: string }

/** Say nothing by themselves. Not among them: whatever denies, compares, counts, orders, causes, foretells, or points back. */
export const JOINING_WORDS = 'a an and are at had has have in is of on the there was were'.split(' ')
const JOINING: ReadonlySet<string> = new Set([...JOINING_WORDS, '’s', "'s"])
/** Say that something is over. */
const PAST: ReadonlySet<string> = new Set(['had', 'was', 'were'])
/** Turn what stands beside them, also where a key holds them. */
const NEVER: ReadonlySet<string> = new Set(['no', 'not', 'none', 'never', 'all', 'only', 'lost'])
const REFERENCE = /\{\{([^{}]*)\}\}/gu
const CLAUSE_END = /[,;]|\band\b/u

/** A reference, or two that are compared, as it stands in a sentence; or the words between. */
type Piece = { readonly words: string } | { readonly shown: readonly Shown[] }
type Clause = {
  /** Between one reference and the next. */
  readonly spoken: ReadonlyArray<readonly string[]>
  readonly shown: ReadonlyArray<readonly Shown[]>
}

/**
 * Reads a sentence of a model: references into results, and words that join them. Beside a reference may stand the
 * words of its own keys, all of them; nothing else is said by anyone but the server.
 */
export function readSentence(text: string, results: readonly ToolResult[]): ReadSentence {
  const pieces = piecesOf(text, results)
  if (typeof pieces === 'string') return left(pieces)
  const shown = pieces.flatMap((piece) => ('shown' in piece ? [piece.shown] : []))
  if (shown.length === 0) return left('it cites nothing')
  const why = shown.flat().some(({ kind }) => kind === 'said') ? whyNotSaid(pieces) : whyNot(pieces, shown)
  if (why !== undefined) return left(why)
  const parts = pieces.flatMap((piece) => ('shown' in piece ? partsOf(piece.shown) : [{ text: piece.words }]))
  const cites = [...new Set(shown.flat().map(({ cite }) => cite))].toSorted((a, b) => a - b)
  return { isShown: true, sentence: { text: parts.map(inWords).join(''), cites, parts } }
}

const left = (because: string): ReadSentence => ({ isShown: false, because })
const inWords = ({ text, about }: Part): string => (about === undefined ? text : `${text} (${about})`)

/** Words and references in turn; a text says why it has none. */
function piecesOf(text: string, results: readonly ToolResult[]): readonly Piece[] | string {
  const pieces: Piece[] = []
  for (const [order, part] of text.split(REFERENCE).entries()) {
    if (order % 2 === 0) {
      if (part !== '') pieces.push({ words: part })
      continue
    }
    const shown = part.split(/\s+vs\.?\s+/u).map((reference) => shownAt(reference, results))
    if (shown.length > 2 || !shown.every((one) => one !== undefined)) return 'it cites what no result holds'
    pieces.push({ shown })
  }
  return pieces
}

const BARE = /^(?:[\p{L}\s,;:.’']|(?<=\p{L})-(?=\p{L}))*$/u

function whyNot(pieces: readonly Piece[], shown: ReadonlyArray<readonly Shown[]>): string | undefined {
  if (!pieces.every((piece) => 'shown' in piece || BARE.test(piece.words))) return 'it has a figure or sign of its own'
  if (pieces.some((_piece, at) => isTouching(pieces, at))) return 'it changes a figure by what it writes beside it'
  if (!shown.every(isComparable)) return 'it compares what has no common unit'
  if (shown.flat().every(({ kind }) => kind === 'name')) return 'it only names things'
  if (!hasOwnNames(shown.flat())) return 'it puts a figure beside the name of something else'
  return clausesOf(pieces)
    .map(whyNoClause)
    .find((why) => why !== undefined)
}

/** A point, a letter or another figure without a blank between would change a figure. */
function isTouching(pieces: readonly Piece[], at: number): boolean {
  const [before, piece, after] = [pieces[at - 1], pieces[at], pieces[at + 1]]
  if (piece === undefined || 'shown' in piece) return after !== undefined && 'shown' in after
  const begins = before === undefined || /^(?:[’']s\b|[\s,;:]|\.?$)/u.test(piece.words)
  return !begins || (after !== undefined && !/\s$/u.test(piece.words))
}

/** A sentence of Septet stands alone. */
const whyNotSaid = (pieces: readonly Piece[]): string | undefined =>
  pieces.every((piece) => ('words' in piece ? /^[\s.]*$/u.test(piece.words) : piece.shown.length === 1)) &&
  pieces.filter((piece) => 'shown' in piece).length === 1
    ? undefined
    : 'it adds to a sentence of Septet'

const isComparable = ([one, other]: readonly Shown[]): boolean =>
  other === undefined || (one?.amount !== undefined && one.amount.unit === other.amount?.unit)

/** Whether each figure is of the thing that was named last before it, and whether each name but a cluster's has one. */
function hasOwnNames(shown: readonly Shown[]): boolean {
  let named: Shown | undefined
  let isWaiting = false
  for (const [at, one] of shown.entries()) {
    const before = shown[at - 1]
    if (one.kind === 'name') {
      if (isWaiting) return false
      named = one
      isWaiting = one.place.rows.length > 0 && (before === undefined || !isOfOneRow(before, one))
    } else {
      if (named === undefined ? before?.kind === 'quoted' && one.kind !== 'quoted' : !isOfOneRow(one, named))
        return false
      isWaiting = false
    }
  }
  return !isWaiting
}

/** Whether two are of one row, or of all of one cluster. */
function isOfOneRow(one: Shown, other: Shown): boolean {
  if (one.place.rows[0]?.path !== other.place.rows[0]?.path) return false
  if (one.place.rows.length > 0) return true
  const isNamed = [one, other].some(({ kind }) => kind === 'name')
  const isPart = [one, other].some(({ kind, place }) => kind !== 'name' && isNarrowed(place))
  return clusterOf(one.place.result) === clusterOf(other.place.result) && !(isNamed && isPart)
}

const clusterOf = ({ answer }: ToolResult): unknown => memberOf(answer['cluster'], 'id')

/** What stands between commas and "and", each with its words. */
function clausesOf(pieces: readonly Piece[]): readonly Clause[] {
  const all = pieces.flatMap((piece) => ('shown' in piece ? [piece] : clauseParts(piece.words)))
  const ends = all.flatMap((piece, at) => (piece === END ? [at] : []))
  return [...ends, all.length].map((end, order) => {
    const own = all.slice((ends[order - 1] ?? -1) + 1, end)
    return {
      spoken: own.flatMap((piece) => ('words' in piece ? [wordsIn(piece.words)] : [])),
      shown: own.flatMap((piece) => ('shown' in piece ? [piece.shown] : [])),
    }
  })
}

const END: Piece = { words: '' }
const clauseParts = (words: string): readonly Piece[] =>
  words.split(CLAUSE_END).flatMap((part, order) => (order === 0 ? [{ words: part }] : [END, { words: part }]))
const wordsIn = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}’']+/u)
    .filter(Boolean)

function whyNoClause({ spoken, shown }: Clause): string | undefined {
  const all = shown.flat()
  const figures = all.filter(({ kind }) => kind === 'measured' || kind === 'unknown')
  if (spoken.flat().some((word) => PAST.has(word)) && !figures.some(({ amount }) => amount?.isOfWindow === true))
    return 'it puts the present in the past tense'
  if (all.length > shown.length)
    return shown.length === 1 && spoken.flat().every(isJoining) ? undefined : 'it adds to a comparison'
  if (figures.length > 1) return 'it puts two figures into one clause'
  if (!all.every((one) => all.every((other) => isOfOneRow(one, other)))) return 'it mixes figures of different things'
  return isOwn(spoken, figures[0], all) ? undefined : 'its words are not those of what it cites'
}

const isJoining = (word: string): boolean => JOINING.has(word)

/** Whether the words are those of the keys: of a figure all of them, once and in one piece, or none. */
function isOwn(spoken: Clause['spoken'], figure: Shown | undefined, all: readonly Shown[]): boolean {
  const beside = new Set(all.flatMap(wordsBeside).map(stem))
  const more = spoken
    .map((words) => words.filter((word) => !beside.has(stem(word))).join(' '))
    .map((words) => words.replaceAll(OUTER, ''))
    .filter((words) => words !== '')
  const words = more.flatMap(wordsIn).map(stem)
  const label = figure?.kind === 'measured' ? wordsOf(figure.place.label).map(stem) : []
  const own = new Set(label.filter((word) => !beside.has(word)))
  const isWhole = more.length === 1 && words.length === own.size && words.every((word) => own.has(word))
  return (more.length === 0 || isWhole) && isOnce(spoken.flat()) && !words.some((word) => NEVER.has(word))
}

/** Joining words before and after the others. */
const OUTER = new RegExp(
  `^(?:(?:${JOINING_WORDS.join('|')}|[’']s)(?: |$))+|(?:(?:^| )(?:${JOINING_WORDS.join('|')}))+$`,
  'gu',
)

const isOnce = (spoken: readonly string[]): boolean => {
  const words = spoken.filter((word) => !isJoining(word)).map(stem)
  return new Set(words).size === words.length
}

/** What names and quoted texts are called, and what a total may be of. */
function wordsBeside({ kind, place }: Shown): readonly string[] {
  if (kind === 'name') return [...wordsOfKey(place.rows[0]?.list ?? place.label), ...byOf(place.result)]
  if (kind === 'quoted') return wordsOf(place.label)
  return isNarrowed(place) ? [] : ['cluster', 'fleet']
}

const byOf = ({ asked: { by } }: ToolResult): readonly string[] => (typeof by === 'string' ? wordsOfKey(by) : [])
const wordsOf = (label: string): readonly string[] => label.split(' ').filter(Boolean)
const stem = (word: string): string => (word.length > 3 ? word.replace(/s$/u, '') : word)

/** One reference, or two with what the server says of them. */
function partsOf([one, other]: readonly Shown[]): readonly Part[] {
  if (one === undefined) return []
  return other === undefined ? [partOf(one)] : [partOf(one), { text: ` ${relationOf(one, other)} ` }, partOf(other)]
}

const partOf = ({ text, about, cite }: Shown): Part => ({ text, cite, ...(about === undefined ? {} : { about }) })

function relationOf(one: Shown, other: Shown): string {
  const [a, b] = [one.amount?.value ?? 0, other.amount?.value ?? 0]
  if (one.text === other.text) return a === b && Number.isInteger(a) ? 'is the same as' : 'is about the same as'
  return a > b ? 'is more than' : 'is less than'
}
