import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { boundsAt, isNeeded, limitsAt, putAt, valueAtPath, wrongIn, type FieldLimits } from './limits.ts'

const LIMITS: FieldLimits = {
  properties: {
    name: { type: 'string', pattern: '^[a-z]+$', says: 'must be lowercase letters', maxLength: 8 },
    note: { type: 'string' },
    email: { type: 'string', format: 'email', pattern: '^\\S+@\\S+$' },
    idle: {
      properties: {
        threshold: { type: 'number', minimum: 0.01, maximum: 1 },
        hours: { type: 'integer', exclusiveMinimum: 0 },
        most: { type: 'number', nullable: true },
      },
      required: ['threshold', 'most'],
    },
    days: { type: 'array', minItems: 1, items: { type: 'integer', minimum: 1, maximum: 31 } },
  },
  required: ['name', 'note', 'idle', 'days'],
}
const same = (amount: number): number => amount
const percent = (amount: number): number => amount * 100

describe('what is demanded at a path', () => {
  test('is found in the groups, and is nothing where the contract has nothing there', () => {
    expect(limitsAt(LIMITS, 'idle.threshold').maximum).toBe(1)
    expect(limitsAt(LIMITS, 'idle.none.deeper')).toEqual({})
    expect(boundsAt(LIMITS, 'idle.threshold')).toBe('0.01 to 1')
  })

  test.each([
    ['name', true],
    ['idle.threshold', true],
    ['days', true],
    // Whatever is said there is taken, the empty text too.
    ['note', false],
    // Left empty it means that there is no limit.
    ['idle.most', false],
    ['idle.hours', false],
    ['email', false],
  ])('%s must be filled in: %j', (path, needed) => expect(isNeeded(LIMITS, path)).toBe(needed))
})

describe('what is wrong with a value', () => {
  test.each([
    ['name', 'Vision', 'Vision must be lowercase letters.'],
    ['name', 'abcdefghi', 'Must have at most 8 characters.'],
    ['name', 'vision', undefined],
    ['name', '', undefined],
    ['email', 'ada', 'ada must be an email address.'],
    ['idle.hours', 0, 'Must be more than 0.'],
    ['idle.hours', Number.NaN, 'Enter a number.'],
    ['idle.hours', 1, undefined],
    ['days', [1, 40, 0], 'Must be at most 31.'],
    ['days', [], undefined],
    ['idle.most', null, undefined],
  ])('%s as %j: %j', (path, value, words) => expect(wrongIn(limitsAt(LIMITS, path), value, same)).toBe(words))

  test('is said in what the field shows, and not in what the contract counts', () => {
    expect(wrongIn(limitsAt(LIMITS, 'idle.threshold'), 0.001, percent)).toBe('Must be at least 1.')
    expect(wrongIn(limitsAt(LIMITS, 'idle.threshold'), 2, percent)).toBe('Must be at most 100.')
  })

  test('is said too where the contract has no words for it', () =>
    expect(wrongIn({ pattern: '^a$' }, 'b', same)).toBe('b has another form than it must.'))
})

describe('an order with another value at a path', () => {
  const paths = fc.constantFrom('a', 'b', 'a.b', 'a.c', 'b.c.d')

  test('has that value there, everything else as it was, and leaves the old order alone', () =>
    fc.assert(
      fc.property(paths, fc.anything({ maxDepth: 0 }), (path, next) => {
        const before = { a: { b: 1, c: 2, z: 3 }, b: { c: { d: 4, z: 5 } }, z: 6 }
        const copy = structuredClone(before)
        const after = putAt(before, path, next)
        expect(valueAtPath(after, path)).toEqual(next)
        expect(before).toEqual(copy)
        const others = ['a.b', 'a.c', 'a.z', 'b.c.d', 'b.c.z', 'z'].filter(
          (other) => !`${other}.`.startsWith(`${path}.`),
        )
        expect(others.map((other) => valueAtPath(after, other))).toEqual(
          others.map((other) => valueAtPath(before, other)),
        )
      }),
    ))

  test('gets the groups that it lacks', () =>
    expect(putAt({}, 'idle.policy.hours', 2)).toEqual({ idle: { policy: { hours: 2 } } }))

  test('has nothing where a path leads through a list or a text', () => {
    expect(valueAtPath({ a: [1] }, 'a.0')).toBeUndefined()
    expect(valueAtPath({ a: 'text' }, 'a.length')).toBeUndefined()
  })
})
