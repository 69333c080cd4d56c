import { typedNames } from '../words/role-words.ts'

/** Labels as they are typed: `team=vision, tier=gold`. */
export const labelsText = (labels: Readonly<Record<string, string>>): string =>
  Object.entries(labels)
    .map(([label, value]) => `${label}=${value}`)
    .join(', ')

/** What was typed, as labels; a name alone has an empty value. */
export function labelsOf(text: string): Record<string, string> {
  const pairs = (typedNames(text) ?? []).map((pair): readonly [string, string] => {
    const at = pair.indexOf('=')
    return at < 0 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)]
  })
  return Object.fromEntries(pairs)
}
