import { ROUTES, type OperationKey, type Route } from '@septet/contract/routes'

/** An operation as it is typed: `septet list workloads`, `septet get workload`. */
export type Spoken = { readonly key: OperationKey; readonly verb: string; readonly noun: string }

/**
 * Every operation by its verb and noun, in the order of the list. Made from the routes alone, which are plain data:
 * whoever only asks for help does not wait for the schemas.
 */
export const SPOKEN: readonly Spoken[] = Object.entries(ROUTES).map(([key, route]) => {
  const [subject = '', verb = ''] = route.name.split('.').map(kebab)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of this very object
  return { key: key as OperationKey, verb, noun: isOfOne(route, subject) ? singular(subject) : subject }
})

/** The operation that two words name, verb first or noun first, the noun in its singular or plural. */
export function spokenAs(first: string | undefined, second: string | undefined): Spoken | undefined {
  if (first === undefined || second === undefined) return undefined
  return (
    SPOKEN.find(({ verb, noun }) => isVerb(verb, first) && isSameNoun(noun, second)) ??
    SPOKEN.find(({ verb, noun }) => isVerb(verb, second) && isSameNoun(noun, first))
  )
}

/** Verbs with their nouns, the verbs with the most nouns first. */
export function nounsByVerb(): ReadonlyMap<string, readonly Spoken[]> {
  const groups = Map.groupBy(SPOKEN, ({ verb }) => verb)
  return new Map([...groups].toSorted(([, a], [, b]) => b.length - a.length))
}

/** Whether a word begins a command that one operation answers. */
export const isSpoken = (word: string): boolean =>
  SPOKEN.some(({ verb, noun }) => isVerb(verb, word) || isSameNoun(noun, word))

/** What other programs call the same. */
const OTHER_VERBS: Readonly<Record<string, string>> = { describe: 'get', show: 'get', ls: 'list' }
const isVerb = (verb: string, word: string): boolean => verb === word || verb === OTHER_VERBS[word]

/** `actPolicies` as `act-policies`. */
export function kebab(name: string): string {
  return name.replaceAll(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`)
}

/** One thing is meant where the path names it, or says so itself (`/api/v1/workload`). */
function isOfOne({ path }: Route, subject: string): boolean {
  return path.includes(':') || path.endsWith(`/${singular(subject)}`)
}

function isSameNoun(noun: string, word: string): boolean {
  return noun === word || singular(noun) === singular(word)
}

function singular(noun: string): string {
  return noun.replace(/ies$/u, 'y').replace(/(?<=[^s])s$/u, '')
}
