import { expect, test } from 'vitest'

import { hoursWords, priceWords, waitNote } from './WaitCauses.tsx'

test.each([
  [null, 'unknown'],
  [0, '0 GPU-h'],
  [0.04, '<0.1 GPU-h'],
  [25, '25 GPU-h'],
  [12_400, '12.4K GPU-h'],
])('GPU time of %j is written %s: a little is not nothing, and unknown is not 0', (gpuHours, words) =>
  expect(hoursWords({ gpuHours })).toBe(words),
)

test.each([
  [{ gpuHours: 25, usd: 62.5 }, '$63'],
  [{ gpuHours: 25, usd: 0 }, '$0'],
  [{ gpuHours: 25, usd: null }, 'no price'],
  [{ gpuHours: null, usd: null }, 'unknown'],
])('the price of %j is %s', (amount, words) => expect(priceWords(amount)).toBe(words))

test('who sees some namespaces is told what is left out', () => {
  expect(waitNote({ note: 'At list price.', withheld: null })).toBe('At list price.')
  expect(waitNote({ note: 'At list price.', withheld: 'Other namespaces are not counted.' })).toBe(
    'At list price. Other namespaces are not counted.',
  )
})
