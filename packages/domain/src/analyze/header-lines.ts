/** A name as HTTP has it (RFC 9110), a colon, and a value in one line of visible ASCII, which is what every server takes. */
const LINE = /^([\w!#$%&'*+.^`|~-]+)[ \t]*:[ \t]*([\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?)$/u

/** Of a connection rather than of a question: a wrong one breaks the exchange itself. */
const NOT_OURS = new Set(['connection', 'content-length', 'host', 'te', 'trailer', 'transfer-encoding', 'upgrade'])

/** How headers are written, for anyone who wrote something else. */
export const HEADER_LINES_WORDS = 'one header a line, like X-Team: gpu, and none of Host, Content-Length or Connection'

/** Headers of a text with one a line, names in lower case; undefined for a text that is something else. */
export function headerLines(text: string): Readonly<Record<string, string>> | undefined {
  const lines = text.split(/\r?\n/u).filter((line) => line.trim() !== '')
  const read = lines.map((line) => LINE.exec(line.trim()))
  const headers = read.flatMap((match) => (match === null ? [] : [[match[1]?.toLowerCase() ?? '', match[2] ?? '']]))
  const isFine = headers.length === lines.length && headers.every(([name = '']) => !NOT_OURS.has(name))
  return isFine ? Object.fromEntries(headers) : undefined
}
