import { OPERATIONS, type OutputOf, type queueWaits } from '@septet/contract'
import { MINUTE_MS, instant, spanOfRange, type ClusterSnapshot } from '@septet/domain'
import { afterEach, describe, expect, test } from 'vitest'

import { DRAWN_AT, draw } from '@septet/domain/testing'
import type { ClusterFacts } from '../facts.ts'
import { factsOf } from '../operations/answering/facts.fixture.ts'
import { WaitRecorder } from '../pipeline/wait-recorder.ts'
import { openTestSeptet, type TestSeptet } from './open-test-septet.fixture.ts'

const cluster = draw`
  a  H100-80GB-HBM3  [lab/x]
  a  H100-80GB-HBM3  [-]
  b  H100-80GB-HBM3  [web/y]
  b  H100-80GB-HBM3  [-]
  ?  lab/train  gpu ×2
  ?  web/chat   3g.40gb
  ?  web/odd    gpu.shared`

/** What the scheduler tells those that wait. */
const told = (message: string): ClusterSnapshot => ({
  ...cluster,
  pods: cluster.pods.map((pod) =>
    pod.node === undefined ? { ...pod, waiting: { reason: 'Unschedulable', message } } : pod,
  ),
})
const NO_DEVICE = told('0/2 nodes are available: 2 Insufficient nvidia.com/gpu.')

let septet: TestSeptet
afterEach(() => septet.close())

/** Watches for an hour, the first half of which the scheduler finds too little memory. */
async function open() {
  const standing = factsOf(cluster, [])
  const facts: ClusterFacts = {
    ...standing,
    analysis: async (range, namespaces) => {
      const found = await standing.analysis(range, namespaces)
      if (found === undefined || range.kind === 'quick') return found
      return { ...found, analysis: { ...found.analysis, window: spanOfRange(range, found.analysis.asOf) } }
    },
  }
  const environment = { SEPTET_AUTHORIZED_EMAIL: 'admin@septet.local, *@example.com' }
  septet = await openTestSeptet({ facts: { clusters: () => [facts] }, environment })
  const recorder = new WaitRecorder(septet.store.waits, 'drawn')
  for (let minute = 0; minute <= 60; minute += 1) {
    const snapshot = minute < 30 ? told('0/2 nodes are available: 2 Insufficient memory.') : NO_DEVICE
    await recorder.look({ snapshot, idle: new Set(), now: instant(DRAWN_AT + minute * MINUTE_MS) })
  }
  await recorder.flush()
}

async function ask(query = '', headers?: Record<string, string>): Promise<OutputOf<typeof queueWaits>> {
  const signedIn = headers ?? (await septet.signIn('admin@septet.local'))
  const answer = await fetch(`${septet.url}/api/v1/waits?${query}`, { headers: signedIn })
  expect(answer.status).toBe(200)
  return OPERATIONS.queueWaits.output.parse(await answer.json())
}

const range = (from: number, to: number): string =>
  `range=${[from, to].map((minute) => new Date(DRAWN_AT + minute * MINUTE_MS).toISOString()).join('/')}`

describe('GET /api/v1/waits', () => {
  test('tells by cause what waited, adding up to the whole wait to the second, with the change that ends it', async () => {
    await open()
    const { seconds, hours, cost, causes, workloads, total } = await ask()
    expect([seconds, total]).toEqual([3 * 3600, 3])
    expect(causes.reduce((sum, cause) => sum + cause.seconds, 0)).toBe(seconds)
    expect(workloads.reduce((sum, workload) => sum + workload.seconds, 0)).toBe(seconds)
    expect(causes.map(({ cause, seconds: waited, waiting }) => [cause, waited, waiting])).toEqual([
      ['cpu-memory', 3 * 1800, 0],
      ['fragmentation', 1800, 1],
      ['shape', 1800, 1],
      ['capacity', 1800, 1],
    ])
    expect(causes[1]?.change?.sentence).toBe('Move work off 1 more GPU of a, where 1 of the 2 that it needs is free.')
    // Two GPUs, and three of seven compute slices, for an hour; how much of a GPU a share would be is not known.
    expect(hours.value).toBeCloseTo(2 + 3 / 7, 9)
    expect(hours).toMatchObject({ quality: 'partial', because: expect.stringContaining('1 h') })
    const price = (cost.value ?? 0) / (2 + 3 / 7)
    expect(price).toBeGreaterThan(1)
    const train = workloads.find(({ id }) => id === 'lab/Pod/train')
    expect(train).toMatchObject({ asks: '2 × nvidia.com/gpu', gpuHours: 2, waitsFor: 'fragmentation' })
    expect(train?.usd).toBeCloseTo(2 * price, 6)
    expect(workloads.find(({ id }) => id === 'web/Pod/odd')).toMatchObject({ seconds: 3600, gpuHours: null, usd: null })
  })

  test('adds up over any cut of the range, and of one workload alone', async () => {
    await open()
    const admin = await septet.signIn('admin@septet.local')
    const parts = await Promise.all([range(-60, 17), range(17, 44), range(44, 200)].map((one) => ask(one, admin)))
    expect(parts.map(({ seconds }) => seconds)).toEqual([17, 27, 16].map((minutes) => minutes * 60 * 3))
    const ofTrain = parts.map(({ workloads }) => workloads.find(({ id }) => id === 'lab/Pod/train'))
    expect(ofTrain.map((each) => each?.causes.map(({ seconds }) => seconds))).toEqual([[1020], [840, 780], [960]])
    const one = await ask('workload=lab/Pod/train', admin)
    expect(one).toMatchObject({ seconds: 3600, total: 1 })
    expect(one.causes.map(({ cause, seconds }) => [cause, seconds])).toEqual([
      ['cpu-memory', 1800],
      ['fragmentation', 1800],
    ])
  })

  test('tells a caller of some namespaces of theirs alone, and nothing of the GPUs of others', async () => {
    await open()
    const admin = await septet.signIn('admin@septet.local')
    const narrow = await septet.signIn('narrow@example.com')
    await fetch(`${septet.url}/api/v1/members/narrow@example.com`, {
      method: 'PUT',
      headers: { ...admin, 'content-type': 'application/json' },
      body: JSON.stringify({ role: 'viewer', namespaces: ['lab'] }),
    })
    const { seconds, causes, workloads, withheld } = await ask('', narrow)
    expect([seconds, workloads.map(({ id }) => id)]).toEqual([3600, ['lab/Pod/train']])
    expect(causes.map(({ cause, change }) => [cause, change])).toEqual([
      ['cpu-memory', null],
      ['no-device', null],
    ])
    expect(withheld).toContain('whole cluster')
  })

  test('has fixed figures for sample data, which add up as well', async () => {
    await open()
    const { seconds, hours, causes } = await ask('cluster=sample')
    expect(causes.reduce((sum, cause) => sum + cause.seconds, 0)).toBe(seconds)
    expect(hours).toMatchObject({ value: 600, quality: 'sample' })
  })
})
