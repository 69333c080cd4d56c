import { UsageError } from '../options/command-options.ts'
import type { Flag } from './flags.ts'
import { GENERAL_FLAGS, generalFlag, type GeneralName } from './general-flags.ts'
import { kebab } from './verbs.ts'

export type CommandWords = {
  /** What was said of each input, in the order it was said. */
  readonly said: ReadonlyMap<Flag, readonly string[]>
  /** Flags of the program; the empty text where nothing follows one. */
  readonly general: Readonly<Partial<Record<GeneralName, string>>>
}

/** The words after verb and noun. Throws a `UsageError` for words that the operation does not know. */
export function readWords(words: readonly string[], flags: readonly Flag[]): CommandWords {
  const rest = [...words]
  const said = new Map<Flag, readonly string[]>()
  const general: Partial<Record<GeneralName, string>> = {}
  const say = (flag: Flag, text: string): void => void said.set(flag, [...(said.get(flag) ?? []), text])
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    const [, dashes = '', name = '', equals] = /^(--?)([^=]+)(?:=([\s\S]*))?$/u.exec(word) ?? []
    const own = flags.find((flag) => (dashes === '--' ? flag.name === kebab(name) : dashes + name === SHORT[flag.name]))
    if (word === ALL_NAMESPACES) continue
    if (dashes === '') say(nextPosition(word, flags, said), word)
    else if (own !== undefined) say(own, equals ?? valueOf(own, rest))
    else {
      const known = generalOf(dashes, name)
      general[known] = equals ?? generalValue(known, rest)
    }
  }
  return { said, general }
}

/** As kubectl has them. */
const SHORT: Readonly<Record<string, string>> = { namespace: '-n' }
/** Which is what is shown where no namespace is named. */
const ALL_NAMESPACES = '-A'

function nextPosition(word: string, flags: readonly Flag[], said: CommandWords['said']): Flag {
  const positions = flags.filter(({ positional }) => positional)
  const flag = positions.find((one) => !said.has(one))
  if (flag === undefined) throw new UsageError(tooMany(word, positions))
  return flag
}

function generalOf(dashes: string, name: string): GeneralName {
  const known = generalFlag(name)
  if (known === undefined || (dashes === '-') !== (name.length === 1)) {
    throw new UsageError(`There is no flag ${dashes}${name} here.`)
  }
  return known
}

function valueOf({ kind, name }: Flag, rest: string[]): string {
  const [next] = rest
  if (kind === 'switch' && next !== 'true' && next !== 'false') return 'true'
  rest.shift()
  if (next === undefined) throw new UsageError(`--${name} needs a value.`)
  return next
}

function generalValue(name: GeneralName, rest: string[]): string {
  const { takes, optional } = GENERAL_FLAGS[name]
  if (takes === undefined || (optional && !/^\d/u.test(rest[0] ?? ''))) return ''
  const next = rest.shift()
  if (next === undefined) throw new UsageError(`--${name} needs a value: ${takes}.`)
  return next
}

const tooMany = (word: string, positions: readonly Flag[]): string =>
  positions.length === 0
    ? `"${word}" is not understood: use flags here.`
    : `"${word}" is one word too many: expected only ${positions.map(({ name }) => name.toUpperCase()).join(' ')}.`
