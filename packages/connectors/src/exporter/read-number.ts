/** The number written at `start`‥`end`, as the text formats spell it (NaN, +Inf, 1e-3), or undefined when it is none. */
export function readNumber(text: string, start: number, end: number): number | undefined {
  if (text.charCodeAt(start) !== MINUS) return readPlain(text, start, end) ?? readAnyNumber(text.slice(start, end))
  const value = readPlain(text, start + 1, end)
  return value === undefined ? readAnyNumber(text.slice(start, end)) : -value
}

/** At most 15 digits with at most one point among them; undefined for anything else. */
function readPlain(text: string, start: number, end: number): number | undefined {
  let mantissa = 0
  let point = end
  for (let at = start; at < end; at += 1) {
    const digit = text.charCodeAt(at) - ZERO
    if (isDigit(digit)) mantissa = mantissa * 10 + digit
    else if (digit === POINT && point === end) point = at
    else return undefined
  }
  const digits = end - start - (point === end ? 0 : 1)
  if (digits === 0 || digits > 15) return undefined
  // With at most 15 digits both operands are exact, so one division is rounded correctly (Clinger's fast path).
  return point === end ? mantissa : mantissa / (POWERS[end - 1 - point] ?? 1)
}

const isDigit = (value: number): boolean => value >= 0 && value <= 9

const MINUS = 45
const ZERO = 48
/** Counted from the digit 0, as digits are. */
const POINT = 46 - ZERO
const POWERS = Array.from({ length: 16 }, (_, exponent) => 10 ** exponent)
const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i

function readAnyNumber(word: string): number | undefined {
  if (DECIMAL.test(word)) return Number(word)
  const infinity = /^([+-]?)inf(?:inity)?$/i.exec(word)
  if (infinity !== null) return infinity[1] === '-' ? -Infinity : Infinity
  return /^[+-]?nan$/i.test(word) ? NaN : undefined
}
