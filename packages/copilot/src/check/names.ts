import { meaningOf } from './words.ts'
import type { Evidence, Named } from './evidence.ts'
import { isNameLike } from './name-tokens.ts'

/** A name in a sentence, and where results have it; nowhere: it is made up, or of somewhere else. */
export type NameAt = { readonly name: string; readonly at: number; readonly places: readonly Named[] }

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
export function namesIn(sentence: string, evidence: Evidence): readonly NameAt[] {
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

function isName({ name, at }: Word, sentence: string, evidence: Evidence): boolean {
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

const placesOf = (name: string, { names }: Evidence): readonly Named[] => names.get(name.toLowerCase().trim()) ?? []
