import {
  isNullable,
  plainSchema,
  type JsonSchema,
  type PlainOperation,
  type PlainSchema,
} from '../output/json-schema.ts'
import { kebab } from './verbs.ts'

type FlagKind = 'text' | 'number' | 'switch' | 'texts' | 'numbers' | 'document' | 'secret'

/** One input of an operation, as it is typed. */
export type Flag = {
  /** As the operation calls it. */
  readonly input: string
  /** Without its dashes. */
  readonly name: string
  readonly kind: FlagKind
  readonly choices: readonly string[]
  readonly required: boolean
  /** Whether `null` is a value. */
  readonly nullable: boolean
  /** Told after the verb and noun, without a name. */
  readonly positional: boolean
  /** As it is taken where the flag is left out. */
  readonly standard: string | undefined
  readonly help: string
}

/** Every input of an operation as a flag. What the path names is positional, and what a question cannot do without. */
export function flagsOf(operation: PlainOperation): readonly Flag[] {
  const root = operation.input
  const required = new Set(root.required)
  const flags = Object.entries(root.properties ?? {}).map(([input, given]): Flag => {
    const schema = plainSchema(given, root)
    const standard = given.default ?? schema.default
    return {
      input,
      name: kebab(input),
      kind: operation.secrets?.includes(input) === true ? 'secret' : kindOf(schema, root),
      choices: schema.enum?.map(String) ?? [],
      required: required.has(input),
      nullable: isNullable(given),
      positional: false,
      standard: standard === undefined ? undefined : typeof standard === 'string' ? standard : JSON.stringify(standard),
      help: given.description ?? schema.description ?? '',
    }
  })
  const positional = positionalOf(operation, flags)
  return flags.map((flag) => ({ ...flag, positional: positional.includes(flag.input) }))
}

function positionalOf({ path }: PlainOperation, flags: readonly Flag[]): readonly string[] {
  const inPath = [...path.matchAll(/:(\w+)/gu)].map(([, name = '']) => name)
  if (inPath.length > 0) return inPath
  const needed = flags.filter(({ required, kind }) => required && kind === 'text')
  return needed.length === 1 ? needed.map(({ input }) => input) : []
}

function kindOf(schema: PlainSchema, root: JsonSchema): FlagKind {
  const { type = '', items } = schema
  if (isSwitch(schema)) return 'switch'
  if (items === undefined) return SIMPLE[type] ?? 'document'
  return LISTS[plainSchema(items, root).type ?? ''] ?? 'document'
}

const SIMPLE: Readonly<Record<string, FlagKind>> = {
  boolean: 'switch',
  integer: 'number',
  number: 'number',
  string: 'text',
}
const LISTS: Readonly<Record<string, FlagKind>> = { string: 'texts', integer: 'numbers', number: 'numbers' }

/** A question's yes or no travels as text. */
const isSwitch = ({ enum: choices = [] }: PlainSchema): boolean =>
  choices.length === 2 && choices.includes('true') && choices.includes('false')
