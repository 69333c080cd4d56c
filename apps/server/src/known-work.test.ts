import { DAY_MS, instant, type Workload } from '@septet/domain'
import { openTestStore } from '@septet/storage/testing'
import { expect, test } from 'vitest'

import { readKnownWork, rememberWork } from './known-work.ts'

const workload = (name: string, labels: Record<string, string>): Workload => ({
  id: `x/Job/${name}`,
  namespace: 'x',
  kind: 'Job',
  name,
  class: 'training',
  queue: undefined,
  status: 'running',
  requests: [],
  pods: [],
  createdAt: instant(0),
  startedAt: undefined,
  waiting: undefined,
  labels,
})
const MARKS = { images: ['team/vision'], starts: ['d1'], models: [] }
const team = {
  ...workload('a', { team: 'vision', 'pod-template-hash': '7d4b', 'batch.kubernetes.io/job-name': 'a' }),
  marks: MARKS,
}

test('labels and marks of what has ended are remembered, as long as its hours are kept', async () => {
  const { settings } = await openTestStore()
  await rememberWork(settings, 'c', { workloads: [team], now: instant(0) })
  await rememberWork(settings, 'c', { workloads: [workload('b', {})], now: instant(39 * DAY_MS) })
  expect([...(await readKnownWork(settings, 'c'))]).toEqual([
    ['x/Job/b', { workload: 'x/Job/b', labels: {} }],
    ['x/Job/a', { workload: 'x/Job/a', labels: { team: 'vision' }, marks: MARKS }],
  ])
  const later = (await openTestStore()).settings
  await rememberWork(later, 'c', { workloads: [team], now: instant(0) })
  await rememberWork(later, 'c', { workloads: [], now: instant(41 * DAY_MS) })
  expect((await readKnownWork(later, 'c')).size).toBe(0)
})

test('what was stored in another form is forgotten', async () => {
  const { settings } = await openTestStore()
  await settings.put('labels/c', ['what'])
  expect((await readKnownWork(settings, 'c')).size).toBe(0)
})
