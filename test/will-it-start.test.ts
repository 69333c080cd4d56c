import { expect, test } from 'vitest'

import { isRight, judgeDrawnJobs } from './start-referee/scheduler-referee.ts'

// The long run draws a thousand, with several seeds.
test('42 drawn jobs are told yes or no as the demo scheduler then decides, and few are left open', async () => {
  const judgments = await judgeDrawnJobs({ seed: 6, jobs: 42 })
  expect(judgments.filter((each) => !isRight(each))).toEqual([])
  expect(judgments.filter(({ answer }) => answer.verdict === 'unknown').length).toBeLessThanOrEqual(3)
})
