import { expect, test } from 'vitest'

import { linesOf } from '../dashboard/summary/ModelTrends.tsx'

test('a gap parts the line, and is drawn neither as 0 nor across; a point alone is a dot', () => {
  expect(linesOf([0.5, 1, null, 0, null], { width: 200, height: 72 })).toBe('M0 36L50 0M150 72h0')
})
