import { expect, test } from 'vitest'

import { riskWords, savingWords } from './recommendation-words.ts'

const risk = {
  level: 'low' as const,
  seconds: { low: 60, high: 120, source: 'a guess' },
  overrun: null,
  confidence: 0.9,
}

test.each([
  [[], 'Low risk: no pod is displaced; 1 min to 2 min (a guess). Confidence 90%.'],
  [['lab/a'], 'Low risk: 1 pod is displaced; 1 min to 2 min (a guess). Confidence 90%.'],
  [['lab/a', 'lab/b'], 'Low risk: 2 pods are displaced; 1 min to 2 min (a guess). Confidence 90%.'],
])('a change that displaces %j', (displaced, words) => expect(riskWords({ ...risk, displaced })).toBe(words))

const saving = {
  kind: 'estimated' as const,
  gpuHoursPerMonth: 2000,
  usdPerMonth: 8012,
  usdPerGpuHour: 4,
  priceSource: null,
}

test.each([
  ['bill-reduced' as const, '$8,012/mo off the bill'],
  ['capacity-freed' as const, '$8,012/mo of capacity'],
])('an amount that stands alone says what it is of: %s', (effect, words) =>
  expect(savingWords({ ...saving, effect }).alone).toBe(words),
)
