import { expect, test } from 'vitest'

import { isRight, judgeDrawnJobs } from '../bench/scheduler-referee.ts'

const JOBS = 40

// `npm run bench -- will-it-start-drawn` draws a thousand.
test('of drawn jobs, each is told yes or no as the scheduler of the demo cluster then decides', async () => {
  const judgments = await judgeDrawnJobs({ seed: 1, jobs: JOBS })
  expect(judgments.filter((each) => !isRight(each))).toEqual([])
  const counts = Map.groupBy(judgments, ({ answer }) => answer.verdict)
  // Both answers were really given, and few were left open.
  expect(counts.get('now')?.length).toBeGreaterThan(JOBS / 10)
  expect(counts.get('not-now')?.length).toBeGreaterThan(JOBS / 10)
  expect(counts.get('unknown')?.length ?? 0).toBeLessThan(JOBS / 4)
})
