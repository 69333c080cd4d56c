/** Characters of a text of a cluster that are shown. */
const MOST = 240

/** A text that somebody may have written into a cluster, in quotes that it cannot end. */
export function quoted(text: string): string {
  const bare = text
    .replaceAll(/[“”„‟"«»]/gu, '’')
    .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
  return `“${bare.length > MOST ? `${bare.slice(0, MOST)}…` : bare}”`
}

const TOKEN = /[\p{L}\d](?:[\p{L}\d._/:@+-]*[\p{L}\d])?/gu

/** A sentence of Septet with what the cluster calls things in quotes: `texts`, and whatever is written like a name. */
export function withQuotes(sentence: string, texts: readonly string[], isName: (token: string) => boolean): string {
  const found = texts
    .filter((text) => /\p{L}/u.test(text) && sentence.includes(text))
    .toSorted((a, b) => b.length - a.length)
  const whole = found.reduce(
    (said, text) => outsideQuotes(said, (part) => part.replaceAll(apart(text), quoted)),
    sentence,
  )
  return outsideQuotes(whole, (part) => part.replaceAll(TOKEN, (token) => (isName(token) ? quoted(token) : token)))
}

/** The text where it is no part of a longer word. */
const apart = (text: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\d])${text.replaceAll(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`)}(?![\\p{L}\\d])`, 'gu')

const outsideQuotes = (said: string, change: (part: string) => string): string =>
  said.replaceAll(/“[^”]*”|[^“]+/gu, (part) => (part.startsWith('“') ? part : change(part)))
