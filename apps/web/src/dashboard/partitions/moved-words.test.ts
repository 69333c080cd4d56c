import { expect, test } from 'vitest'

import { movedWords } from './PlanResult.tsx'

test('a displaced pod goes into the queue only where the plan was asked for with that', () => {
  expect(movedWords(undefined, false)).toBe('to room that is free once the steps are done')
  expect(movedWords(undefined, true)).toMatch(/, or into the queue$/u)
  expect(movedWords({ gpu: 'GPU-1', node: 'gpu-a', index: 0, profile: '3g.40gb' }, false)).toBe('to 3g.40gb on gpu-a')
})
