import { expect, test } from 'vitest'

import { isRight, judgeDrawnJobs } from './start-referee/scheduler-referee.ts'

const JOBS = 200

test.for([1, 2, 3, 4, 5])(
  'jobs drawn with seed %i are told yes or no as the demo scheduler then decides',
  async (seed) => {
    const judgments = await judgeDrawnJobs({ seed, jobs: JOBS })
    expect(judgments.filter((each) => !isRight(each))).toEqual([])
    const counts = Map.groupBy(judgments, ({ answer }) => answer.verdict)
    // Both answers were really given, and few were left open.
    expect(counts.get('now')?.length).toBeGreaterThan(JOBS / 10)
    expect(counts.get('not-now')?.length).toBeGreaterThan(JOBS / 10)
    expect(counts.get('unknown')?.length ?? 0).toBeLessThan(JOBS / 4)
  },
)
