import { MINUTE_MS, instant, type ClusterSnapshot } from '@septet/domain'
import { openTestStore } from '@septet/storage/testing'
import { expect, test } from 'vitest'

import { DRAWN_AT, draw } from '@septet/domain/testing'
import { WaitRecorder } from './wait-recorder.ts'

const WINDOW = { from: DRAWN_AT, to: instant(DRAWN_AT + 1e9) }
const after = (minutes: number) => instant(DRAWN_AT + minutes * MINUTE_MS)

const waiting = draw`
  a  H100-80GB-HBM3  [lab/x]
  ?  lab/train  gpu`

const NO_DEVICE = { reason: 'Unschedulable', message: '0/1 nodes are available: 1 Insufficient nvidia.com/gpu.' }
const NO_QUOTA = { reason: 'WaitingForQuota', message: 'insufficient unused quota for nvidia.com/gpu' }

/** The drawn cluster in which the pod was told something else, or was bound. */
const changed = (of: Partial<ClusterSnapshot['pods'][number]>): ClusterSnapshot => ({
  ...waiting,
  pods: waiting.pods.map((pod) => (pod.id === 'lab/train' ? { ...pod, waiting: NO_DEVICE, ...of } : pod)),
})

async function open() {
  const store = await openTestStore()
  const totals = async () =>
    (await store.waits.totals({ cluster: 'c', window: WINDOW })).map(
      ({ workload, cause, seconds }) => `${workload} ${cause} ${seconds}`,
    )
  return { store, totals, recorder: () => new WaitRecorder(store.waits, 'c') }
}
const none = new Set<string>()

test('a wait that goes on over a restart is neither lost nor counted twice', async () => {
  const { recorder, totals } = await open()
  const first = recorder()
  await first.look({ snapshot: changed({}), idle: none, now: after(0) })
  await first.look({ snapshot: changed({}), idle: none, now: after(2) })
  await first.flush()
  const second = recorder()
  await second.look({ snapshot: changed({}), idle: none, now: after(4) })
  await second.flush()
  const third = recorder()
  const bound = changed({ node: 'a', phase: 'Running', startedAt: after(60), waiting: undefined })
  await third.look({ snapshot: bound, idle: none, now: after(90) })
  await third.flush()
  const fourth = recorder()
  await fourth.look({ snapshot: bound, idle: none, now: after(95) })
  await fourth.flush()
  expect(await totals()).toEqual(['lab/Pod/train capacity 240', `lab/Pod/train not-watched ${56 * 60}`])
})

test('work that Kueue holds back waits for quota until its first pod is there, which then waits for itself', async () => {
  const { recorder, totals } = await open()
  const heldBack: ClusterSnapshot = {
    ...waiting,
    pods: waiting.pods.filter(({ id }) => id !== 'lab/train'),
    workloads: waiting.workloads.map((one) => (one.name === 'train' ? { ...one, pods: [], waiting: NO_QUOTA } : one)),
  }
  const looks = recorder()
  await looks.look({ snapshot: heldBack, idle: none, now: after(1) })
  const again = recorder()
  await looks.flush()
  await again.look({ snapshot: changed({ createdAt: after(3) }), idle: none, now: after(4) })
  await again.look({ snapshot: changed({ createdAt: after(3) }), idle: none, now: after(5) })
  await again.flush()
  expect(await totals()).toEqual([
    'lab/Pod/train capacity 60',
    'lab/Pod/train not-watched 60',
    'lab/Pod/train quota 180',
  ])
})

test('what the store did not take is written the next time', async () => {
  const { store, totals } = await open()
  let isAway = true
  const flaky = {
    ...store.waits,
    write: (...row: Parameters<typeof store.waits.write>) =>
      isAway ? Promise.reject(new Error('away')) : store.waits.write(...row),
  }
  const looks = new WaitRecorder(flaky, 'c')
  await looks.look({ snapshot: changed({}), idle: none, now: after(0) })
  await looks.look({ snapshot: changed({}), idle: none, now: after(1) })
  await expect(looks.flush()).rejects.toThrow('away')
  isAway = false
  await looks.look({
    snapshot: changed({ waiting: { ...NO_DEVICE, message: '1 Insufficient memory' } }),
    idle: none,
    now: after(2),
  })
  await looks.look({ snapshot: changed({}), idle: none, now: after(3) })
  await looks.flush()
  expect(await totals()).toEqual(['lab/Pod/train capacity 120', 'lab/Pod/train cpu-memory 60'])
})
