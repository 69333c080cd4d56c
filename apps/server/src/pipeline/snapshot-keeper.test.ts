import { instant, type ClusterSnapshot } from '@septet/domain'
import { draw } from '@septet/domain/testing'
import { openTestStore } from '@septet/storage/testing'
import { expect, test } from 'vitest'

import { SnapshotKeeper } from './snapshot-keeper.ts'

const NOON = Date.UTC(2026, 0, 5, 12)
const MINUTE_MS = 60_000
const drawn = draw`
  node-a  H100-80GB-HBM3  [lab/train-7]`
const taken = (minutes: number): ClusterSnapshot => ({ ...drawn, takenAt: instant(NOON + minutes * MINUTE_MS) })

test('one is kept every few minutes, at the end, and at once after the clock went back', async () => {
  const store = await openTestStore()
  const keeper = new SnapshotKeeper(store, drawn.cluster)
  const kept = async (minutes: number, last = false): Promise<number> => {
    await keeper.keep(taken(minutes), last)
    return (((await store.snapshots.latest(drawn.cluster))?.takenAt ?? 0) - NOON) / MINUTE_MS
  }
  expect(await kept(0)).toBe(0)
  expect(await kept(4)).toBe(0)
  expect(await kept(6)).toBe(6)
  // What was saved by a clock that was an hour ahead would be shown by the next start, as of then.
  expect(await kept(66)).toBe(66)
  expect(await kept(7)).toBe(7)
  expect(await kept(8)).toBe(7)
  expect(await kept(8, true)).toBe(8)
})
