import { describe, expect, test } from 'vitest'

import { differences, saidBy } from './changes.ts'
import type { FieldLimits } from './limits.ts'

const LIMITS: FieldLimits = {
  properties: {
    share: { type: 'number' },
    most: { type: 'number', nullable: true },
    wait: { type: 'integer' },
    names: { type: 'array' },
    labels: { type: 'object' },
    mode: { type: 'string' },
  },
}
type Order = {
  readonly share: number
  readonly most: number | null
  readonly wait: number
  readonly names: readonly string[]
  readonly labels: Readonly<Record<string, string>>
  readonly mode: string
}
const ORDER: Order = { share: 0.05, most: null, wait: 1800, names: [], labels: {}, mode: 'observe' }
const FIELDS = [
  { at: 'share', label: 'Busy at most', unit: '%', scale: 0.01 },
  { at: 'most', label: 'Spend', unit: '$/mo' },
  { at: 'wait', label: 'Wait', scale: 'time' },
  { at: 'names', label: 'Names' },
  { at: 'labels', label: 'Labels' },
  { at: 'mode', label: 'Mode' },
] as const
const says = (change: Partial<Order>): string[] =>
  saidBy(LIMITS, FIELDS as Parameters<typeof saidBy<Order>>[1], { ...ORDER, ...change }).map((said) => said.says)

describe('what a field says', () => {
  test('has its unit, and a word where nothing is chosen', () =>
    expect(says({})).toEqual(['5%', 'no limit', '30 min', 'none', 'none', 'observe']))

  test('tells no spending from no limit', () => expect(says({ most: 0 })[1]).toBe('$0/mo'))

  test('names all of a list', () =>
    expect(says({ names: ['ml', 'etl'], labels: { team: 'a', gpu: '' } }).slice(3, 5)).toEqual([
      'ml, etl',
      'team=a, gpu=',
    ]))
})

test('a change has before and after, and what is the same is none', () => {
  const before = [
    { name: 'Wait', says: '30 min' },
    { name: 'Names', says: 'none' },
  ]
  const after = [
    { name: 'Wait', says: '30 min' },
    { name: 'Names', says: 'ml' },
    { name: 'More', says: '1' },
  ]
  expect(differences(before, after)).toEqual([
    { name: 'Names', before: 'none', after: 'ml' },
    { name: 'More', before: '', after: '1' },
  ])
  expect(differences(before, before)).toEqual([])
})
