/** Label names and values, unescaped. */
export type Labels = Readonly<Record<string, string>>

/**
 * Reads `{name="value",…}`, which must be all of the text; undefined when it is malformed. Escapes are `\\`, `\"` and
 * `\n`, as the text format defines them.
 */
export function readLabels(text: string): Labels | undefined {
  const labels: Record<string, string> = {}
  const end = text.length
  let at = skipSpace(text, 1, end)
  while (at < end && text.charCodeAt(at) !== CLOSE) {
    const pair = readPair(text, at, end)
    if (pair === undefined) return undefined
    labels[pair.name] = pair.value
    at = skipSpace(text, pair.end, end)
    if (text.charCodeAt(at) === COMMA) at = skipSpace(text, at + 1, end)
    else if (text.charCodeAt(at) !== CLOSE) return undefined
  }
  return at === end - 1 ? labels : undefined
}

/** Where the text after the brace begins that closes the one at `start`; undefined when none does before `end`. */
export function labelsEnd(text: string, start: number, end: number): number | undefined {
  let at = start + 1
  while (at < end) {
    const code = text.charCodeAt(at)
    if (code === CLOSE) return at + 1
    if (code === QUOTE) {
      const close = closingQuote(text, at + 1, end)
      if (close === undefined) return undefined
      at = close
    }
    at += 1
  }
  return undefined
}

const CLOSE = 125
const COMMA = 44
const QUOTE = 34
const BACKSLASH = 92

function readPair(text: string, start: number, end: number): { name: string; value: string; end: number } | undefined {
  const equals = text.indexOf('=', start)
  if (equals === -1 || equals >= end) return undefined
  const name = text.slice(start, equals).trim()
  if (!/^[a-zA-Z_][a-zA-Z0-9_]*$/.test(name)) return undefined
  const open = skipSpace(text, equals + 1, end)
  if (text.charCodeAt(open) !== QUOTE) return undefined
  const close = closingQuote(text, open + 1, end)
  if (close === undefined) return undefined
  return { name: intern(name), value: unescape(text.slice(open + 1, close)), end: close + 1 }
}

function closingQuote(text: string, start: number, end: number): number | undefined {
  let at = text.indexOf('"', start)
  while (at !== -1 && at < end) {
    if (!isEscaped(text, start, at)) return at
    at = text.indexOf('"', at + 1)
  }
  return undefined
}

/** True after an odd number of backslashes. */
function isEscaped(text: string, start: number, at: number): boolean {
  let before = at
  while (before > start && text.charCodeAt(before - 1) === BACKSLASH) before -= 1
  return (at - before) % 2 === 1
}

function unescape(value: string): string {
  if (!value.includes('\\')) return value
  return value.replaceAll(/\\([\\"n])/g, (_, escaped: string) => (escaped === 'n' ? '\n' : escaped))
}

function skipSpace(text: string, start: number, end: number): number {
  let at = start
  while (at < end && (text.charCodeAt(at) === 32 || text.charCodeAt(at) === 9)) at += 1
  return at
}

const names = new Map<string, string>()
/** Label names repeat endlessly; keep one copy of the first few hundred. */
function intern(name: string): string {
  const known = names.get(name)
  if (known !== undefined) return known
  if (names.size < 500) names.set(name, name)
  return name
}
