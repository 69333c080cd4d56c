import { OPERATIONS } from '@septet/contract'
import { expect, test } from 'vitest'

import { sampleWorkloads } from './sample.ts'

test('sample workloads that run hold what their row says, and are of a class', () => {
  const { workloads } = sampleWorkloads(OPERATIONS.workloadsList.input.parse({ cluster: 'sample' }))
  const running = workloads.filter(({ status }) => status === 'running')
  expect(running.length).toBeGreaterThan(0)
  for (const { gpu, holds, class: workClass } of running) {
    expect(holds?.parts.map(({ count, model }) => `${count} × ${model}`)).toEqual([gpu])
    expect(workClass).not.toBe('unknown')
  }
  expect(workloads.filter(({ status }) => status === 'queued').map(({ holds }) => holds)).toEqual([null])
})
