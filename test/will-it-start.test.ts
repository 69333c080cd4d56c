import { expect, test } from 'vitest'

import { isRight, judgeDrawnJobs } from './start-referee/scheduler-referee.ts'

// The long run draws a thousand, with several seeds.
test('forty drawn jobs are told yes or no as the demo scheduler then decides', async () => {
  const judgments = await judgeDrawnJobs({ seed: 6, jobs: 40 })
  expect(judgments.filter((each) => !isRight(each))).toEqual([])
})
