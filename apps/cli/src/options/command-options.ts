import { errorText } from '@septet/domain/words'
import { parseArgs, type ParseArgsConfig } from 'node:util'

/** Wrong words on the command line; the message says what to type. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** The options of a command out of its words. Throws a `UsageError` for words that it does not know. */
export function parseOptions<const Options extends ParsedOptions>(args: readonly string[], options: Options) {
  const { values, positionals } = parseWords(args, options)
  const [word] = positionals
  if (word !== undefined) throw new UsageError(`"${word}" is not understood: use flags here.`)
  return values
}

type ParsedOptions = NonNullable<ParseArgsConfig['options']>

/** The options, and the words that belong to none. Throws a `UsageError` for options that it does not know. */
export function parseWords<const Options extends ParsedOptions>(args: readonly string[], options: Options) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (error) {
    throw new UsageError(errorText(error))
  }
}

export function oneOf<Name extends string>(option: string, value: string, names: readonly Name[]): Name {
  const found = names.find((name) => name === value)
  if (found !== undefined) return found
  throw new UsageError(`${option} is "${value}" but must be one of ${names.join(', ')}.`)
}

type Limits = { readonly least: number; readonly most: number; readonly whole: boolean }

export function numberOf(option: string, value: string, { least, most, whole }: Limits): number {
  const number = value.trim() === '' ? Number.NaN : Number(value)
  if (number >= least && number <= most && (!whole || Number.isInteger(number))) return number
  throw new UsageError(`${option} is "${value}" but must be a ${whole ? 'whole ' : ''}number from ${least} to ${most}.`)
}

/** An address, where one is given. */
export function urlOf<Value extends string | undefined>(option: string, value: Value): Value {
  if (value === undefined || (/^https?:\/\//u.test(value) && URL.canParse(value))) return value
  throw new UsageError(`${option} is "${value}" but must be an http:// or https:// URL.`)
}

const UNITS: Readonly<Record<string, number>> = { m: 60, h: 3600, d: 86_400, w: 604_800 }

type Lengths = { readonly from: string; readonly to: string }

/** Seconds out of `24h` or `7d` (m, h, d, w), between two lengths that are written alike. */
export function optionsLength(option: string, value: string, { from, to }: Lengths): number {
  const length = secondsIn(value)
  if (length >= secondsIn(from) && length <= secondsIn(to)) return length
  throw new UsageError(`${option} is "${value}" but must be a length of time from ${from} to ${to}, such as 24h or 7d.`)
}

function secondsIn(text: string): number {
  const [, count, unit] = /^(\d{1,4})([mhdw])$/u.exec(text) ?? []
  return Number(count) * (UNITS[unit ?? ''] ?? Number.NaN)
}
