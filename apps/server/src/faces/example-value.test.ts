import { type Operation, OPERATIONS } from '@septet/contract'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

import { exampleValue } from './example-value.ts'

const inputs = Object.values<Operation>(OPERATIONS).map(({ name, input }) => [name, input] as const)

describe('the example of a schema', () => {
  test.each(inputs)('of what %s takes is accepted by it', (_name, input) => {
    const schema = z.toJSONSchema(input, { io: 'input' })
    expect(input.safeParse(exampleValue(schema, schema.$defs)).error?.message).toBeUndefined()
  })

  test('is what the schema says, before what its type would give', () => {
    expect(exampleValue({ type: 'string', examples: ['08:00'], enum: ['x'] })).toBe('08:00')
    expect(exampleValue({ type: 'string', enum: ['x', 'y'] })).toBe('x')
    expect(exampleValue({ $ref: '#/$defs/A' }, { A: { anyOf: [{ const: 7 }] } })).toBe(7)
    expect(exampleValue({ type: 'array', minItems: 2, items: { type: 'integer' } })).toEqual([2, 2])
    expect(exampleValue({ type: 'object', properties: { a: { type: 'boolean' }, b: {} }, required: ['a'] })).toEqual({
      a: true,
    })
  })
})
