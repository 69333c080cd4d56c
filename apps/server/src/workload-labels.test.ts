import { DAY_MS, instant, type Workload } from '@septet/domain'
import { openTestStore } from '@septet/storage/testing'
import { expect, test } from 'vitest'

import { readWorkloadLabels, rememberWorkloadLabels } from './workload-labels.ts'

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
const team = workload('a', { team: 'vision', 'pod-template-hash': '7d4b', 'batch.kubernetes.io/job-name': 'a' })

test('labels of what has ended are remembered, as long as its hours are kept', async () => {
  const { settings } = await openTestStore()
  await rememberWorkloadLabels(settings, 'c', { workloads: [team], now: instant(0) })
  await rememberWorkloadLabels(settings, 'c', { workloads: [workload('b', {})], now: instant(39 * DAY_MS) })
  expect([...(await readWorkloadLabels(settings, 'c'))]).toEqual([
    ['x/Job/b', {}],
    ['x/Job/a', { team: 'vision' }],
  ])
  const later = (await openTestStore()).settings
  await rememberWorkloadLabels(later, 'c', { workloads: [team], now: instant(0) })
  await rememberWorkloadLabels(later, 'c', { workloads: [], now: instant(41 * DAY_MS) })
  expect((await readWorkloadLabels(later, 'c')).size).toBe(0)
})

test('what was stored in another form is forgotten', async () => {
  const { settings } = await openTestStore()
  await settings.put('labels/c', ['what'])
  expect((await readWorkloadLabels(settings, 'c')).size).toBe(0)
})
