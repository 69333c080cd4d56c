import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

import { UNCONSTRAINED, UNKNOWN_ROOM } from '@septet/domain'
import { expect, test } from 'vitest'

import { decodeSnapshot, encodeSnapshot } from './snapshot-codec.ts'

/** As version 0.1 wrote it, before snapshots recorded what decides where pods may run. */
const OLD = {
  cluster: 'c',
  takenAt: 0,
  serverVersion: 'v1.34.0',
  nodes: [{ name: 'a', gpus: [] }],
  pods: [{ id: 'team/train', requests: [] }],
  workloads: [],
  allocations: [],
  queues: [],
  problems: [],
}

test('a snapshot of an older version is read, and its pods count as not to be moved', async () => {
  const read = await decodeSnapshot(await promisify(gzip)(JSON.stringify(OLD)))
  expect(read.nodes[0]?.room).toEqual(UNKNOWN_ROOM)
  expect(read.pods[0]?.scheduling).toEqual({ ...UNCONSTRAINED, managed: false, evictable: false })
  expect(read).toMatchObject({ cluster: 'c', budgets: [], quotas: [] })
})

test('what was recorded is kept', async () => {
  const read = await decodeSnapshot(await promisify(gzip)(JSON.stringify(OLD)))
  const room = { ...UNKNOWN_ROOM, cpuMilli: 64_000, labels: { zone: 'a' } }
  const nodes = read.nodes.map((node) => ({ ...node, room }))
  const quotas = [{ id: 'q', namespace: 'team', resource: 'nvidia.com/gpu', hard: 8, used: 3 }]
  const again = await decodeSnapshot(await encodeSnapshot({ ...read, nodes, quotas }))
  expect(again).toEqual({ ...read, nodes: [{ ...read.nodes[0], room: { ...room, memory: undefined } }], quotas })
})
