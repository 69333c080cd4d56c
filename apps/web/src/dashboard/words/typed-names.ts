/** Names as they were typed, by commas or spaces; undefined when there are none: then all are meant. */
export function typedNames(text: string): string[] | undefined {
  const names = text.split(/[\s,]+/u).filter((name) => name !== '')
  return names.length === 0 ? undefined : [...new Set(names)]
}

/** Labels as they are typed: `team=vision, tier=gold`. */
export const labelsText = (labels: object): string =>
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
