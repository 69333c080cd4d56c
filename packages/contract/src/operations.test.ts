import { expect, test } from 'vitest'
import { z } from 'zod'

import { OPERATIONS } from './operations.ts'
import type { Operation } from './operation.ts'

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

function* unboundedLists(schema: unknown, at = ''): Generator<string> {
  if (!isObject(schema)) return
  if (schema['type'] === 'array' && schema['maxItems'] === undefined) yield at
  for (const [name, part] of Object.entries(schema)) yield* unboundedLists(part, `${at}/${name}`)
}

test.each(Object.values<Operation>(OPERATIONS).map((operation) => [operation.name, operation] as const))(
  'every list that %s takes has an upper bound, past which none of it is read',
  (_name, { input }) => {
    const schema = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' })
    expect([...unboundedLists(schema)]).toEqual([])
  },
)
