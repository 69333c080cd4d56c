import { instant, type AdmissionRecord } from '@septet/domain'
import { afterEach, expect, test } from 'vitest'

import { AdmissionRecords } from './admission-records.ts'

const lines: string[] = []
const log = { info: () => undefined, warn: (text: string) => void lines.push(text), error: () => undefined }
const record = (pod: string): AdmissionRecord => ({
  at: instant(0),
  namespace: 'lab',
  pod,
  workload: 'lab/Deployment/chat',
  kind: 'warned',
  suggested: undefined,
  said: 'A smaller one would do.',
})

let records: AdmissionRecords | undefined
afterEach(async () => {
  await records?.stop()
  lines.length = 0
})

/** A database that can be away, with what it took and how many at once. */
function database() {
  const batches: number[] = []
  const pods: string[] = []
  const state = { isAway: true }
  const add = async (_: string, rows: readonly AdmissionRecord[]): Promise<void> => {
    if (state.isAway) throw new Error('nobody answers')
    batches.push(rows.length)
    pods.push(...rows.map(({ pod }) => pod))
  }
  return { store: { add, prune: async () => 0 }, state, batches, pods }
}

test('while the database is away so many answers wait, and those given up for them are counted and told once', async () => {
  const { store, state, batches, pods } = database()
  records = new AdmissionRecords({ store, log, now: () => 0 })
  for (let index = 0; index < 10_003; index += 1) records.add('lab', record(`pod-${index}`))
  records.add('other', record('elsewhere'))
  await records.flush()
  expect([records.unrecorded('lab'), records.unrecorded('other')]).toEqual([4, 0])
  expect(lines.filter((line) => line.includes('given up'))).toHaveLength(1)
  state.isAway = false
  await records.flush()
  expect([pods.length, pods[0], pods.at(-1)]).toEqual([10_000, 'pod-4', 'elsewhere'])
  expect(Math.max(...batches)).toBeLessThanOrEqual(500)
  // What was lost stays lost, and is said once.
  expect(records.unrecorded('lab')).toBe(4)
  await records.flush()
  expect(lines.filter((line) => line.includes('given up'))).toHaveLength(1)
})

test('what still waits is written when it stops', async () => {
  const { store, state, pods } = database()
  state.isAway = false
  const ending = new AdmissionRecords({ store, log, now: () => 0 })
  ending.add('lab', record('last'))
  await ending.stop()
  expect(pods).toEqual(['last'])
})
