import { expect, test } from 'vitest'

import { wayBackOf } from './way-back.ts'

test('the last step is taken back first, and within a step the order stays', () => {
  const steps = [{ undo: ['Uncordon a'] }, { undo: [] }, { undo: ['Cut a as before', 'Start x again'] }]
  expect(wayBackOf(steps)).toEqual(['Cut a as before', 'Start x again', 'Uncordon a'])
})
