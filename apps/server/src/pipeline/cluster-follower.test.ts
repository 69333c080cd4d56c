import {
  addReading,
  instant,
  openBucket,
  ratio,
  rowsOf,
  seconds,
  theLast,
  type ClusterRecord,
  type ModelSection,
} from '@septet/domain'
import { DRAWN_AT, draw } from '@septet/domain/testing'
import { openTestStore } from '@septet/storage/testing'
import { expect, test } from 'vitest'

import { DEFAULT_POLICIES, writePolicies } from '../policies.ts'
import { pack } from '../read-model/pack.ts'
import { ReadModel } from '../read-model/read-model.ts'
import { ClusterFollower } from './cluster-follower.ts'

const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
const RECORD: ClusterRecord = { id: 'drawn', name: 'Drawn', kind: 'cluster', createdAt: instant(0) }
const snapshot = draw`
  a  H100-80GB-HBM3  [lab/x]`

/** An hour in the store, as the server that watches the cluster left it. */
async function followed() {
  const store = await openTestStore()
  await store.clusters.upsert(RECORD)
  await store.snapshots.save(snapshot)
  for (let order = 0; order < 12; order++) {
    const bucket = openBucket(instant(DRAWN_AT + order * 300_000))
    addReading(bucket, { at: bucket.at, interval: seconds(300), snapshot, samples: [] })
    await store.usage.write(RECORD.id, rowsOf(bucket))
  }
  const time = { at: instant(DRAWN_AT + 3_600_000) }
  const model = new ReadModel()
  const heard = (sections: readonly ModelSection[]): void => model.take(sections)
  const follower = new ClusterFollower({ record: RECORD, store, log, clock: () => time.at, heard })
  follower.start()
  return {
    store,
    time,
    follower,
    connection: () => model.state().connection,
    analysis: () => follower.facts().analysis(theLast('1h')),
  }
}

test('policies that were set at another server are in force within seconds', async () => {
  const { store, time, follower, analysis } = await followed()
  const before = await analysis()
  expect(before).toBeDefined()
  expect(await analysis()).toBe(before)
  const policies = { ...DEFAULT_POLICIES, utilizationTarget: ratio(0.42) }
  await writePolicies(store.settings, { policies, at: time.at, by: 'ann' })
  // Much sooner than an analysis is made again for its age.
  time.at = instant(time.at + 3000)
  await expect.poll(analysis).not.toBe(before)
  await follower.stop()
})

test('that no server watches the cluster is said after a while, with the last figures, until one does again', async () => {
  const { store, time, follower, connection } = await followed()
  const connected = { kind: 'connected', lastContact: time.at, problems: [] }
  const state = { connection: connected, problems: [], asOf: time.at, history: undefined, size: undefined }
  const lead = await store.leads.take(RECORD.id, 'a server', 3_600_000)
  await store.readModels.write(RECORD.id, [{ key: 'state', version: 1, bytes: pack(state).bytes }])
  await expect.poll(connection).toEqual(connected)
  if (lead !== undefined) await store.leads.release(lead)
  const pass = (ms: number) => (time.at = instant(time.at + ms))
  pass(10_000)
  await expect.poll(connection).toEqual(connected)
  pass(20_000)
  await expect.poll(() => connection().kind).toBe('disconnected')
  expect(connection()).toMatchObject({ lastContact: connected.lastContact, problems: [{ code: 'unwatched' }] })
  await store.leads.take(RECORD.id, 'another', 3_600_000)
  pass(10_000)
  await expect.poll(connection).toEqual(connected)
  await follower.stop()
})
