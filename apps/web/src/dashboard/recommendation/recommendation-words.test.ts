import { expect, test } from 'vitest'

import { riskWords } from './recommendation-words.ts'

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
