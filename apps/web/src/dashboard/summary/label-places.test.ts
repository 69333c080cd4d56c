import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { placeLabels } from './TrendChart.tsx'

const PLOT = { top: 8, height: 286 }
const label = fc.record({
  name: fc.string({ minLength: 1, maxLength: 8 }),
  value: fc.double({ min: 0, max: 1, noNaN: true }),
})

test('labels far from each other stand at their values', () => {
  const placed = placeLabels(
    [
      { name: 'Busy', value: 0 },
      { name: 'Held', value: 1 },
    ],
    PLOT,
  )
  expect(Object.fromEntries(placed.map(({ name, top }) => [name, top]))).toEqual({ Busy: 294, Held: 8 })
})

test('no two labels ever touch, and none falls below the plot', () => {
  fc.assert(
    fc.property(fc.array(label, { maxLength: 6 }), (labels) => {
      const tops = placeLabels(labels, PLOT)
        .map(({ top }) => top)
        .toSorted((a, b) => a - b)
      for (const [index, top] of tops.entries()) expect(top - (tops[index - 1] ?? -100)).toBeGreaterThan(16.99)
      expect(Math.max(0, ...tops)).toBeLessThanOrEqual(PLOT.top + PLOT.height)
    }),
  )
})
