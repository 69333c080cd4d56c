import { listed } from '@septet/domain/words'
import type { z } from 'zod'
import { objectIn } from './raw.ts'

type Read<Value> = {
  /** Undefined where something else than unknown fields is wrong. */
  readonly value: Value | undefined
  /** In sentences, each with where it is. */
  readonly errors: readonly string[]
}

/** What a document says, unknown fields left out, and what is wrong with it; `where` is how people call its root. */
export function readBySchema<Value>(schema: z.ZodType<Value>, document: unknown, where: string): Read<Value> {
  const { data, error } = schema.safeParse(document, { error: wordsFor })
  if (error === undefined) return { value: data, errors: [] }
  const known = structuredClone(document)
  for (const issue of error.issues)
    if (issue.code === 'unrecognized_keys')
      for (const key of issue.keys) Reflect.deleteProperty(objectIn(known, ...pathOf(issue)), key)
  return { value: schema.safeParse(known).data, errors: error.issues.flatMap((issue) => sentences(issue, where)) }
}

const pathOf = ({ path }: z.core.$ZodIssue): readonly (string | number)[] =>
  path.map((part) => (typeof part === 'number' ? part : String(part)))

function sentences(issue: z.core.$ZodIssue, where: string): readonly string[] {
  const path = pathOf(issue).map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`))
  const at = `${where}${path.join('')}`.replace(/^\./u, '') || 'It'
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => `${at} has the unknown field "${key}".`)
  const { message } = issue.code === 'invalid_key' ? (issue.issues[0] ?? issue) : issue
  return [`${at} ${message}.`]
}

/** Where a schema has no words of its own. */
function wordsFor(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.input === undefined) return 'is missing'
  if (issue.code === 'invalid_type') return `must be ${KINDS[issue.expected] ?? issue.expected}`
  if (issue.code === 'invalid_value')
    return `must be ${listed(
      issue.values.map((value) => String(value) || 'empty'),
      'or',
    )}`
  if (issue.code !== 'too_small') return undefined
  return issue.origin === 'array' ? 'must not be empty' : `must be a whole number from ${issue.minimum}`
}

const KINDS: Readonly<Record<string, string>> = {
  object: 'a mapping',
  record: 'a mapping',
  array: 'a list',
  boolean: 'true or false',
  int: 'a whole number',
  number: 'a whole number',
  string: 'a text',
}
