import type { OperationKey } from '@septet/contract/routes'
import { errorText } from '@septet/domain/words'

import { isRecord } from '../is-record.ts'
import { UsageError } from '../options/command-options.ts'
import type { JsonSchema, PlainOperation } from '../output/json-schema.ts'
import type { Flag } from './flags.ts'
import type { CommandWords } from './read-words.ts'

export type InputNeeds = {
  /** The text of a file; `-`: of standard input. */
  readonly readText: (path: string) => Promise<string>
}

/**
 * The input of an operation: what stands in a file, with what was said by flags over it, checked as the server would.
 * Throws a `UsageError` that names every flag that is wrong.
 */
export async function readInput(
  operation: PlainOperation & { readonly key: OperationKey },
  { said, general, flags }: CommandWords & { readonly flags: readonly Flag[] },
  { readText }: InputNeeds,
): Promise<Readonly<Record<string, unknown>>> {
  const filed = general.file === undefined ? {} : inputsIn(await readDocument(await readText(general.file)), flags)
  const told = await Promise.all(
    [...said].map(async ([flag, texts]) => [flag.input, await valueOf(flag, texts, readText)] as const),
  )
  const input = { ...filed, ...Object.fromEntries(told) }
  refuseMissing(input, flags)
  const { properties = {} } = operation.input
  const isPlain = Object.entries(input).every(([name, value]) => isRight(value, properties[name]))
  // Of a question the server says what is wrong with the rest.
  if (!isPlain || operation.method !== 'GET') await refuseWrong(operation.key, input, flags)
  return input
}

/** A document names the inputs, or is the one input that is a document itself: a policy, a list of rules. */
function inputsIn(document: unknown, flags: readonly Flag[]): Readonly<Record<string, unknown>> {
  if (isRecord(document) && Object.keys(document).some((key) => flags.some(({ input }) => input === key))) {
    return document
  }
  const documents = flags.filter(({ kind, required }) => kind === 'document' && required)
  const [only] = documents
  if (only !== undefined && documents.length === 1) return { [only.input]: document }
  if (isRecord(document)) return document
  throw new UsageError(`The file must hold an object with ${flags.map(({ input }) => input).join(', ')}.`)
}

async function valueOf(flag: Flag, texts: readonly string[], readText: InputNeeds['readText']): Promise<unknown> {
  const text = texts.at(-1) ?? ''
  if (flag.nullable && text === 'null') return null
  if (flag.kind === 'secret') return (await readText(text)).trimEnd()
  return READ[flag.kind](flag, texts)
}

/** What each kind makes of its words; of one value the last word counts. */
const READ: Readonly<Record<Exclude<Flag['kind'], 'secret'>, (flag: Flag, texts: readonly string[]) => unknown>> = {
  text: (_flag, texts) => texts.at(-1),
  number: (flag, texts) => numberIn(flag, texts.at(-1) ?? ''),
  // Where yes or no is one of two words, it is sent as a word.
  switch: (flag, texts) => (flag.choices.length > 0 ? texts.at(-1) : switchOf(flag, texts.at(-1) ?? '')),
  texts: (_flag, texts) => texts.flatMap(parts),
  numbers: (flag, texts) => texts.flatMap(parts).map((part) => numberIn(flag, part)),
  document: (_flag, texts) => readDocument(texts.at(-1) ?? ''),
}

const parts = (text: string): string[] => text.split(',').map((part) => part.trim())

function numberIn({ name }: Flag, text: string): number {
  const number = text.trim() === '' ? Number.NaN : Number(text)
  if (Number.isFinite(number)) return number
  throw new UsageError(`--${name} is "${text}" but must be a number.`)
}

function switchOf({ name }: Flag, text: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true'
  throw new UsageError(`--${name} is "${text}" but must be true or false.`)
}

/** JSON is YAML too. */
async function readDocument(text: string): Promise<unknown> {
  const { parse } = await import('yaml')
  try {
    return parse(text)
  } catch (error) {
    throw new UsageError(`This is neither JSON nor YAML: ${errorText(error).split('\n')[0]}`)
  }
}

function refuseMissing(input: object, flags: readonly Flag[]): void {
  const missing = flags.filter(({ required, input: name }) => required && !Object.hasOwn(input, name))
  if (missing.length > 0) throw new UsageError(`Missing: ${missing.map(asTyped).join(', ')}.`)
}

/** What the contract says of it; the words of an issue are of the schema, its place is told as the flag. */
export async function refuseWrong(key: OperationKey, input: object, flags: readonly Flag[]): Promise<void> {
  const { OPERATIONS, plainWords } = await import('@septet/contract')
  const checked = OPERATIONS[key].input.safeParse(input)
  if (checked.success) return
  const lines = checked.error.issues.map((issue) => {
    const [first, ...deeper] = issue.path
    const flag = flags.find((one) => one.input === first)
    const place = [flag === undefined ? String(first ?? 'the input') : asTyped(flag), ...deeper].join('.')
    return `${place}: ${plainWords(issue)}`
  })
  throw new UsageError(lines.join('\n'))
}

/** What a schema allows at a glance. To ask about the rest loads the contract, which takes longer than the question. */
function isRight(value: unknown, schema: JsonSchema = {}): boolean {
  const { type, enum: choices, minimum, maximum, minLength, maxLength } = schema
  if (choices !== undefined) return choices.includes(value)
  if (type === 'integer') return Number.isInteger(value) && isWithin(Number(value), minimum, maximum)
  return type === 'string' && isPlainText(schema) && isWithin(String(value).length, minLength, maxLength)
}

const isPlainText = ({ pattern, format }: JsonSchema): boolean => pattern === undefined && format === undefined
const isWithin = (value: number, least = -Infinity, most = Infinity): boolean => value >= least && value <= most

const asTyped = ({ positional, name }: Flag): string => (positional ? name.toUpperCase() : `--${name}`)
