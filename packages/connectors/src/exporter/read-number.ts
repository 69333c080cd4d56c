/** The number written at `start`‥`end`, as the text formats spell it (NaN, +Inf, 1e-3), or undefined when it is none. */
export function readNumber(text: string, start: number, end: number): number | undefined {
  const negative = text.charCodeAt(start) === MINUS
  const first = negative ? start + 1 : start
  let digits = 0
  let mantissa = 0
  let point = -1
  for (let at = first; at < end; at += 1) {
    const code = text.charCodeAt(at)
    if (code === POINT && point === -1) point = at
    else if (code >= ZERO && code <= NINE) {
      mantissa = mantissa * 10 + code - ZERO
      digits += 1
    } else return readAnyNumber(text.slice(start, end))
  }
  // With at most 15 digits both operands are exact, so one division is rounded correctly (Clinger's fast path).
  if (digits === 0 || digits > 15) return readAnyNumber(text.slice(start, end))
  const value = point === -1 ? mantissa : mantissa / (POWERS[end - 1 - point] ?? 1)
  return negative ? -value : value
}

const MINUS = 45
const POINT = 46
const ZERO = 48
const NINE = 57
const POWERS = Array.from({ length: 16 }, (_, exponent) => 10 ** exponent)
const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i

function readAnyNumber(word: string): number | undefined {
  if (DECIMAL.test(word)) return Number(word)
  const infinity = /^([+-]?)inf(?:inity)?$/i.exec(word)
  if (infinity !== null) return infinity[1] === '-' ? -Infinity : Infinity
  return /^[+-]?nan$/i.test(word) ? NaN : undefined
}
