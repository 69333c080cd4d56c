import type { OPERATIONS, OutputOf } from '@septet/contract'
import type { Ask } from '@septet/tools'

import { classifier } from './classify.ts'
import { isOrdinary } from './concepts.ts'
import type { SlotName, Slots } from './family.ts'
import { meaningOf, meaningOfTypo, simplified, wordsOf } from './words.ts'

type Choices = OutputOf<typeof OPERATIONS.workloadsList>['choices']
type Found = OutputOf<typeof OPERATIONS.searchFind>['found'][number]

/** What of a question is known: ideas in order, what it is about, and words that mean nothing here. */
export type Understood = {
  readonly ideas: readonly string[]
  readonly slots: Slots
  /** The other of two times that are compared. */
  readonly against?: string | undefined
  /** Those that name nothing, in order. */
  readonly words: readonly string[]
  readonly unknown: readonly string[]
  /** Words that stand where a name does, or look like one, of which the cluster has none. */
  readonly unfound: readonly string[]
  /** Workloads of one name: which is meant must be said. */
  readonly several: readonly string[]
}

/** A word of a name in Kubernetes that no English word is. */
const NAME = /[\d/#_]|\w[-.]\w/u
const PROFILE = /^(?:\d{1,2}c\.)?\d{1,2}g\.\d{1,3}gb(?:\+[a-z.]+)?$/u
const COUNTED = /^\d{1,5}$/u
const NUMBERS: Readonly<Record<string, string>> = {
  one: '1',
  two: '2',
  three: '3',
  four: '4',
  five: '5',
  six: '6',
  eight: '8',
  ten: '10',
}
const CLASSES: Readonly<Record<string, string>> = {
  notebook: 'notebook', notebooks: 'notebook', jupyter: 'notebook',
  training: 'training', trainings: 'training', inference: 'inference', serving: 'inference', analytics: 'analytics',
} // prettier-ignore
/** After these a word is a name, whatever else it means. */
const BEFORE_A_NAME: Readonly<Record<string, SlotName>> = {
  namespace: 'namespace', project: 'namespace', tenant: 'tenant', team: 'tenant', node: 'node', host: 'node', server: 'node',
  pool: 'pool', model: 'model', workload: 'workload', job: 'workload', pod: 'workload',
} // prettier-ignore

type Known = { readonly choices: Choices; readonly models: readonly string[]; readonly pools: readonly string[] }

/** Reads a question word by word. What is no word is looked up in the cluster as the caller, and never guessed. */
export async function understand(text: string, ask: Ask, cluster: string | undefined): Promise<Understood> {
  const words = wordsOf(simplified(text))
  const needsNames = words.some((word, order) => isName(word, beforeOf(words, order)))
  const known = needsNames ? await knownOf(ask, cluster) : NOTHING
  const meant: Meant = { ideas: [], slots: {}, words: [], unknown: [], unfound: [], several: [] }
  const compared = new Set<SlotName>()
  for (const [order, word] of words.entries()) {
    const before = beforeOf(words, order)
    const named = await namesOf(word.replace(/'s$/u, ''), before, { known, ask, cluster })
    const [only] = named
    if (only === undefined) addWord(word, before, meant)
    else if (named.length > 1) meant.several.push(...named.map(([, id]) => id))
    else {
      const [slot, name] = only
      if (meant.slots[slot] !== undefined && meant.slots[slot] !== name) compared.add(slot)
      meant.slots[slot] = name
      if (slot === 'namespace' && isAfterTeam(before)) askedOfNamespace(meant)
    }
  }
  // Two of a kind are compared: of neither alone is the answer.
  for (const slot of compared) {
    delete meant.slots[slot]
    meant.ideas.push(slot)
    meant.words.push(slot)
  }
  return meant
}

/** What stands before a word; nothing where that is one of many, as in "a node entirely": no name follows it. */
const beforeOf = (words: readonly string[], order: number): string | undefined =>
  ONE_OF_MANY.has(words[order - 2] ?? '') ? undefined : words[order - 1]
const ONE_OF_MANY: ReadonlySet<string> = new Set(
  'a an any another each every per by which what one no some most whole single'.split(' '),
)

const isAfterTeam = (before = ''): boolean => BEFORE_A_NAME[before] === 'tenant'

/** Where no team has the name, people call a namespace by it: that is what they ask of. */
function askedOfNamespace({ words, ideas }: Meant): void {
  for (const said of [words, ideas]) said.splice(-1, 1, 'namespace')
}

type Meant = {
  -readonly [Key in keyof Omit<Understood, 'against'>]: Understood[Key] extends readonly string[] ? string[] : Slots
}

/** A word that is the name of nothing here. */
function addWord(word: string, before: string | undefined, meant: Meant): void {
  const { ideas, words, unknown, unfound } = meant
  const plain = word.replace(/'s$/u, '')
  if (looksLikeName(plain, before)) {
    const parts = partsOf(plain)
    return parts === undefined ? void unfound.push(word) : parts.forEach((part) => addWord(part, undefined, meant))
  }
  const meaning =
    meaningOf(plain) ?? (isOrdinary(plain) ? '' : classifier().isSaid(plain) ? undefined : meaningOfTypo(plain))
  words.push(plain)
  if (meaning === undefined) unknown.push(word)
  else if (meaning !== '') ideas.push(meaning)
}

/** What a word of language is made of, as "fleet-wide" and "10%" are; undefined for what may be a name. */
function partsOf(word: string): readonly string[] | undefined {
  if (AMOUNT.test(word)) return []
  const parts = word.split('-')
  const [first = '', last = ''] = [parts[0], parts.at(-1)]
  const isJoined = parts.length > 1 && (JOINS_FIRST.has(first) || JOINS_LAST.test(last))
  return isJoined && parts.every((part) => classifier().spelled(part) !== undefined) ? parts : undefined
}

const AMOUNT = /^\$?\d+(?:[.,]\d+)*(?:%|x|st|nd|rd|th|k|m|mins?|minutes|hrs?|hours?|days?|w)?$/u
const JOINS_FIRST: ReadonlySet<string> = new Set(
  'per over under re un non pre co self semi well so short long high low double single multi first last right on off top bottom best worst real held half hand day week month year end not most least too gpu card mig node cost'.split(
    ' ',
  ),
)
const JOINS_LAST =
  /(?:ed|ing|est|ly|wise|wide|level|hours?|capable|out|off|up|down|in|back|based|only|free|time|line|for|bit|demand|ready|related|specific|term|sized?|ends?|cases?|cuts?)$/u

/** What a word stands for by itself, or is the name of. */
async function namesOf(
  word: string,
  before: string | undefined,
  looking: Omit<Looking, 'kind'>,
): Promise<readonly Named[]> {
  const fixed = fixedSlot(word, before)
  if (fixed !== undefined) return [fixed]
  return isName(word, before) ? nameOf(word, { ...looking, kind: BEFORE_A_NAME[before ?? ''] }) : []
}

const NOTHING: Known = { choices: { namespaces: [], tenants: [], classes: [] }, models: [], pools: [] }

/** Whether a word may be the name of something: it is none that is known, or stands where a name does. */
const isName = (word: string, before = ''): boolean =>
  fixedSlot(word, before) === undefined &&
  (meaningOf(word) === undefined || (BEFORE_A_NAME[before] !== undefined && meaningOf(word) !== ''))

function fixedSlot(word: string, before = ''): readonly [SlotName, string] | undefined {
  if (BEFORE_A_NAME[before] !== undefined && CLASSES[word] !== undefined) return undefined
  if (PROFILE.test(word)) return ['profile', word]
  if (COUNTED.test(word)) return ['count', word]
  if (NUMBERS[word] !== undefined && /^(?:top|for|fit)$/u.test(before)) return ['count', NUMBERS[word]]
  return CLASSES[word] === undefined ? undefined : ['class', CLASSES[word]]
}

/** Names of teams and namespaces that are words of questions as well, and said of none of them. */
const OFTEN_CALLED: ReadonlySet<string> = new Set(
  'agents assistant batch billing bot cloud common data demo dev developers finance hr infra king mgmt monitoring ops payments platform prod red safety shared speed staging'.split(
    ' ',
  ),
)

const isOftenCalled = (word: string, kind: SlotName | undefined): boolean =>
  (kind === 'namespace' || kind === 'tenant') && OFTEN_CALLED.has(word)

/** After "job" or "pod" people go on with any word; what they call so has a name that no word is. */
const looksLikeName = (word: string, before = ''): boolean =>
  isOftenCalled(word, BEFORE_A_NAME[before]) ||
  (NAME.test(word) && meaningOf(word) === undefined && !classifier().isSaid(word)) ||
  (BEFORE_A_NAME[before] !== undefined &&
    BEFORE_A_NAME[before] !== 'workload' &&
    meaningOf(word) === undefined &&
    !classifier().isSpoken(word))

async function knownOf(ask: Ask, cluster: string | undefined): Promise<Known> {
  const [{ choices }, { facets }] = await Promise.all([
    ask('workloadsList', { cluster, limit: 1 }),
    ask('partitionsList', { cluster, mig: 'false', limit: 1 }),
  ])
  return {
    choices,
    models: facets.models.map(({ name }) => name),
    pools: facets.pools.map(({ name }) => name).filter(Boolean),
  }
}

type Looking = {
  readonly known: Known
  readonly ask: Ask
  readonly cluster: string | undefined
  readonly kind: SlotName | undefined
}
type Named = readonly [SlotName, string]

/** What is called just so: nothing, one thing, or several workloads. */
async function nameOf(word: string, { known, ask, cluster, kind }: Looking): Promise<readonly Named[]> {
  const same = (name: string): boolean => name.toLowerCase() === word
  const { choices, models, pools } = known
  const listed: Named[] = [
    ...choices.namespaces.filter(same).map((name): Named => ['namespace', name]),
    ...choices.tenants.filter(same).map((name): Named => ['tenant', name]),
    ...models
      .filter((name) => isModel(name.toLowerCase(), word) || isModel(name.toLowerCase(), word.replace(/s$/u, '')))
      .map((name): Named => ['model', name]),
    ...pools.filter(same).map((name): Named => ['pool', name]),
  ]
  const wanted = listed.filter(([slot]) => slot === kind)
  if (wanted.length > 0) return wanted
  // Where no team has the name, people call a namespace by it.
  const isAny = kind === undefined || kind === 'tenant'
  if (isAny && listed.length > 0) return listed.slice(0, 1)
  const { found } = await ask('searchFind', { cluster, query: word.replaceAll(/[#/]/gu, ' '), limit: 50 })
  const exact = found.filter((one) => isCalled(one, word) && (kind === undefined || one.kind === kind))
  const gpu = kind === undefined || kind === 'gpu' ? gpuOf(word, found) : undefined
  const others = exact.filter(({ kind: what }) => what !== 'workload')
  const best = others.length > 0 ? others.slice(0, 1) : exact
  return gpu === undefined ? best.map(({ kind: what, id }): Named => [what, id]) : [gpu]
}

/** `a100` and `a100-sxm4` are `A100-SXM4-80GB`. */
const isModel = (name: string, word: string): boolean =>
  name.split('-')[0] === word.split('-')[0] && name.startsWith(word)

/** By its name, its whole id, or namespace/name. */
function isCalled({ kind, id, name }: Found, word: string): boolean {
  const [namespace = '', , ...rest] = id.toLowerCase().split('/')
  const short = kind === 'workload' ? `${namespace}/${rest.join('/')}` : id.toLowerCase()
  return [name.toLowerCase(), id.toLowerCase(), short].includes(word)
}

/** `node#3`: the GPU of that index. */
function gpuOf(word: string, found: readonly Found[]): Named | undefined {
  const [node = '', index] = word.split('#')
  if (index === undefined) return undefined
  const one = found.find(
    ({ kind, detail }) => kind === 'gpu' && detail.toLowerCase().startsWith(`gpu ${index} of ${node},`),
  )
  return one === undefined ? undefined : ['gpu', one.id]
}
