import { Refusal } from './refusal.ts'

/** As many as a person's YAML may hold; the largest form of the dashboard has a few hundred. */
const MOST_VALUES = 10_000
const MOST_LEVELS = 64

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c]
/** `[` and `{`, `]` and `}`, without the bit that tells them apart. */
const [OPENS, CLOSES, SHAPE] = [0x5b, 0x5d, ~0x20]

/**
 * What is too much in a body of JSON, which holds or nests more than anyone sends; undefined where nothing is. It looks at
 * each character once and keeps nothing: to read the 130,000 values of 256 KiB costs a hundred times that.
 */
export function tooMuchJson(text: string): string | undefined {
  let [values, levels, isText] = [1, 0, false]
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (isText) {
      if (code === BACKSLASH) at += 1
      else isText = code !== QUOTE
    } else if (code === QUOTE) isText = true
    else if (code === COMMA) values += 1
    else if ((code & SHAPE) === OPENS) [values, levels] = [values + 1, levels + 1]
    else if ((code & SHAPE) === CLOSES) levels -= 1
    if (levels > MOST_LEVELS) return `The request body nests more than ${MOST_LEVELS} levels deep.`
    if (values > MOST_VALUES) return `The request body holds more than ${MOST_VALUES} values.`
  }
  return undefined
}

/** Throws a `Refusal` for a body of JSON that is too much. */
export function refuseLargeJson(text: string): void {
  const tooMuch = tooMuchJson(text)
  if (tooMuch !== undefined) throw new Refusal('too-large', tooMuch, 'Send a smaller one, or split it.')
}
