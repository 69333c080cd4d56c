import { meaningOf } from './words.ts'
import { nameTokensOf } from './name-tokens.ts'
import { nounOfKey, quantitiesOf, type Quantity, type QuantityKind } from './quantities.ts'

/** What one tool answered in this turn, and the number by which it is cited. */
export type ToolEvidence = { readonly number: number; readonly answer: Readonly<Record<string, unknown>> }

/** Something a result says at one place. */
type Place = {
  readonly result: number
  /** The rows of lists that it stands in, the outermost first, and the text it is part of. */
  readonly within: readonly string[]
}

/** A number of a result. `ideas` is what its key or the words around it speak of. */
export type MeasuredFigure = Place &
  Pick<Quantity, 'kind' | 'value' | 'text' | 'noun'> & {
    readonly ideas: ReadonlySet<string>
    /** Part of a text, and not a value of its own. */
    readonly isProse: boolean
  }

/** A name of a result; in prose it says nothing of what stands beside the text. */
export type Named = Place & { readonly isProse: boolean }

/** What a sentence is checked against. */
export type CopilotEvidence = {
  readonly measured: readonly MeasuredFigure[]
  /** Where each name stands, by the name in lower case. */
  readonly names: ReadonlyMap<string, readonly Named[]>
  /** Ideas of keys and texts, each with where; only of what is neither nought nor missing, but for `named`. */
  readonly ideas: ReadonlyMap<string, readonly Place[]>
  /** Ideas of every key, also where its value is nought. */
  readonly named: ReadonlySet<string>
  /** Ideas of keys whose value is missing somewhere. */
  readonly unknown: ReadonlySet<string>
  /** Everything that is said in words. */
  readonly prose: string
}

/** They hold what was asked, and not what was found. */
const NOT_EVIDENCE = new Set(['sources', 'source', 'formula', 'page', 'endpoint', 'query'])

/** What the tools of this turn said, ready to be looked up. */
export function evidenceOf(results: readonly ToolEvidence[]): CopilotEvidence {
  const found: Found = {
    measured: [],
    names: new Map(),
    ideas: new Map(),
    named: new Set(),
    unknown: new Set(),
    prose: [],
  }
  for (const { number, answer } of results) {
    walk(answer, { result: number, within: [], keys: [] }, found)
    windowOf(answer, number, found)
  }
  return { ...found, prose: found.prose.join('\n').toLowerCase() }
}

type Found = {
  readonly measured: MeasuredFigure[]
  readonly names: Map<string, Named[]>
  readonly ideas: Map<string, Place[]>
  readonly named: Set<string>
  readonly unknown: Set<string>
  readonly prose: string[]
}
type Here = Place & { readonly keys: readonly string[]; readonly unit?: string | undefined }

function walk(value: unknown, here: Here, found: Found): void {
  if (Array.isArray(value)) {
    for (const [order, item] of value.entries()) {
      const isRow = typeof item === 'object' && item !== null
      const within = isRow ? [...here.within, `${here.keys.join('.')}[${order}]`] : here.within
      walk(item, { ...here, within }, found)
    }
  } else if (typeof value === 'object' && value !== null) members(value, here, found)
  else leaf(value, here, found)
}

function members(value: object, here: Here, found: Found): void {
  const unit = 'unit' in value && 'says' in value && typeof value.unit === 'string' ? value.unit : undefined
  for (const [key, item] of Object.entries(value)) {
    if (!NOT_EVIDENCE.has(key)) walk(item, { ...here, keys: [...here.keys, key], unit }, found)
  }
}

/** What a figure says that has no value. */
const UNKNOWN = 'Not measured'

function leaf(value: unknown, at: Here, found: Found): void {
  const words = at.keys.flatMap(wordsOfKey)
  const ideas = ideasOf(words)
  const here = { ...at, words, ideas }
  for (const idea of ideas) found.named.add(idea)
  if (value === null || value === UNKNOWN) for (const idea of ideas) found.unknown.add(idea)
  if (value === UNKNOWN) return
  if (typeof value === 'number') numberLeaf(value, here, found)
  else if (typeof value === 'string') textLeaf(value, here, found)
  else if (value === true) place(found.ideas, ideas, here)
}

const wordsOfKey = (key: string): readonly string[] =>
  key
    .replaceAll(/([a-z])([A-Z])/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}]+/u)

export const ideasOf = (words: readonly string[]): ReadonlySet<string> =>
  new Set(words.map((word) => meaningOf(word) ?? '').filter((idea) => idea !== ''))

/** With the words of its keys, and what they speak of. */
type Leaf = Here & { readonly words: readonly string[]; readonly ideas: ReadonlySet<string> }

function numberLeaf(value: number, here: Leaf, found: Found): void {
  const { result, within, keys, unit, words, ideas } = here
  const noun = nounOfKey(wordsOfKey(keys.at(-1) ?? '')) ?? nounOfKey(words)
  const base = { result, within, text: String(value), noun, ideas, isProse: false }
  for (const [kind, factor] of kindsOf(keys.at(-1) ?? '', unit, value)) {
    found.measured.push({ ...base, kind, value: value * factor })
  }
  if (value !== 0) place(found.ideas, ideas, here)
}

const BY_UNIT: Readonly<Record<string, readonly [QuantityKind, number]>> = {
  USD: ['money', 1], 'USD/mo': ['money', 1], 'USD/GPU-h': ['money', 1], 'GPU-h': ['gpu-hours', 1],
  s: ['seconds', 1], MiB: ['gib', 1 / 1024], W: ['watts', 1], '°C': ['celsius', 1], ratio: ['percent', 100],
} // prettier-ignore
const BY_KEY: ReadonlyArray<readonly [RegExp, QuantityKind, number]> = [
  [/usd|cost|price|spend|saving/iu, 'money', 1],
  [/gpuHours$/iu, 'gpu-hours', 1],
  [/(?:milliseconds|Ms)$/u, 'seconds', 1e-3],
  [/seconds$/iu, 'seconds', 1],
  [/minutes$/iu, 'seconds', 60],
  [/hours$/iu, 'seconds', 3600],
  [/days$/iu, 'seconds', 86_400],
  [/gib$/iu, 'gib', 1],
  [/watts$/iu, 'watts', 1],
]

/** Shares also where they are 0 or 1. */
const SHARE_KEY = /^(?:busy|busyOfAllocated|coverage|unmeasuredShare)$/u

function kindsOf(key: string, unit: string | undefined, value: number): ReadonlyArray<readonly [QuantityKind, number]> {
  const known = unit === undefined ? undefined : BY_UNIT[unit]
  if (known !== undefined) return known[0] === 'percent' ? [known, ['count', 1]] : [known]
  const byKey = unit === undefined ? BY_KEY.find(([pattern]) => pattern.test(key)) : undefined
  if (byKey !== undefined) return [[byKey[1], byKey[2]]]
  const mayBeShare = SHARE_KEY.test(key) || (!Number.isInteger(value) && value > 0 && value < 1)
  return mayBeShare ? [['count', 1], ['percent', 100]] : [['count', 1]] // prettier-ignore
}

function textLeaf(value: string, here: Leaf, found: Found): void {
  const { result, keys, ideas } = here
  const isProse = value.trim().split(/\s+/u).length > 3
  const within = isProse ? [...here.within, `text of ${result} ${keys.join('.')} ${found.prose.length}`] : here.within
  const quantities = quantitiesOf(value)
  for (const { noun, ...quantity } of quantities) {
    const own = isProse ? ideasOf(wordsIn(value)) : ideas
    found.measured.push({ ...quantity, result, within, isProse, ideas: own, noun: noun ?? nounOfKey([...ideas]) })
  }
  nameIn(value, { result, within, isProse }, found)
  found.prose.push(value)
  const isNought = quantities.length > 0 && quantities.every((one) => one.value === 0 && one.kind !== 'day')
  if (!isNought && value !== '') place(found.ideas, new Set([...ideas, ...ideasOf(wordsIn(value))]), { result, within })
}

/** A short text is a name as a whole, and each part of `namespace/Kind/name`; of a long one, what is written like a name. */
function nameIn(value: string, named: Named, found: Found): void {
  const tokens = nameTokensOf(value)
  const whole = named.isProse ? [] : [value.trim()]
  const all = [...whole, ...[...whole, ...tokens].flatMap((token) => [token, ...token.split('/')])]
  for (const name of new Set(all.map((one) => one.toLowerCase()).filter((one) => one !== ''))) {
    found.names.set(name, [...(found.names.get(name) ?? []), named])
  }
}

export const wordsIn = (text: string): readonly string[] => text.toLowerCase().split(/[^\p{L}]+/u)

function place(ideas: Map<string, Place[]>, which: ReadonlySet<string>, { result, within }: Place): void {
  for (const idea of which) ideas.set(idea, [...(ideas.get(idea) ?? []), { result, within }])
}

/** How long the window of an answer is: "in the last 7 days". */
function windowOf({ window }: ToolEvidence['answer'], result: number, found: Found): void {
  if (typeof window !== 'object' || window === null || !('from' in window) || !('to' in window)) return
  const value = (Date.parse(String(window.to)) - Date.parse(String(window.from))) / 1000
  const base = { result, within: [], text: '', noun: undefined, ideas: new Set<string>(), isProse: false }
  // Windows end at the newest reading, which is seconds before the hour.
  for (const unit of [3600, 86_400]) {
    found.measured.push({ ...base, kind: 'seconds', value: Math.round(value / unit) * unit })
  }
}
