/** A regular expression, as JavaScript and PostgreSQL read it, for an address in a text and not for the end of a longer one. */
export const mentionOf = (email: string): string =>
  `(?<![a-z0-9._%+-])${email.replaceAll(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`)}(?![a-z0-9-]|\\.[a-z0-9])`

/** A document with an anonymous name in the place of an address; in lists of addresses there is nobody in its place. */
export function withoutPerson(value: unknown, email: string, as: string): unknown {
  const mention = new RegExp(mentionOf(email), 'giu')
  const without = (part: unknown): unknown => {
    if (typeof part === 'string') return part.replaceAll(mention, as)
    if (Array.isArray(part)) return part.filter((item) => !isIt(item)).map(without)
    if (typeof part !== 'object' || part === null) return part
    return Object.fromEntries(Object.entries(part).map(([name, inner]) => [name, without(inner)]))
  }
  const isIt = (item: unknown): boolean => typeof item === 'string' && item.toLowerCase() === email.toLowerCase()
  return without(value)
}
