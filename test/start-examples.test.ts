import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { openClusterReader, readManifest } from '@septet/connectors'
import {
  assembleSnapshot,
  checkStart,
  estimateWait,
  followWaits,
  instant,
  judgeWaits,
  NO_WAITS,
  seconds,
  waitersOf,
  type ClusterSnapshot,
  type StartAnswer,
} from '@septet/domain'
import { startDemoCluster } from '@septet/simulator'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { refereeApi, type RefereeApi } from './start-referee/referee-api.ts'

let now = Date.UTC(2026, 10, 18, 14, 3, 0)
const clock = () => instant(now)
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }
const ASKS = '1 × nvidia.com/gpu'

let api: RefereeApi
let snapshot: ClusterSnapshot
let close: () => Promise<void>

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'septet-examples-'))
  const demo = await startDemoCluster({
    seed: 1,
    scale: 'small',
    dataDir: folder,
    clock: () => now,
    turnMs: 3_600_000,
  })
  api = refereeApi(demo)
  const reader = openClusterReader({ kubeconfig: { path: demo.kubeconfigPath }, log: silent, clock, random: () => 0.5 })
  close = async () => {
    await reader.stop()
    await demo.close()
    rmSync(folder, { recursive: true })
  }
  await reader.start()
  const inventory = reader.inventory()
  if (inventory === undefined) throw new Error('the demo cluster was not read')
  snapshot = assembleSnapshot({ cluster: 'demo', inventory, samples: [], now: clock() })
})
afterAll(() => close())

function ask(name: string): StartAnswer | undefined {
  const path = join(import.meta.dirname, `../docs/examples/${name}.yaml`)
  const read = readManifest(readFileSync(path, 'utf8'), 'default')
  return read.kind === 'read' ? checkStart(snapshot, read.jobs)[0] : undefined
}

test('of the three example jobs one starts, one starts after a cut, and one waits until work ends', () => {
  expect(ask('starts-now')?.verdict).toBe('now')
  const cut = ask('starts-after-a-cut')
  expect(cut?.verdict).toBe('not-now')
  expect(cut?.ways.find(({ kind }) => kind === 'recut')?.room).toEqual({ profile: '4g.40gb', node: 'gpu-h100-08' })
  const later = ask('starts-when-work-ends')
  expect(later).toMatchObject({ verdict: 'not-now', ways: [], asks: ASKS })
  expect(later?.changes.map(({ kind }) => kind)).toContain('rules')
})

test('when the third starts is told at the first look, from what runs and what has finished, and then comes true', async () => {
  const waiters = waitersOf({ snapshot, judge: judgeWaits(snapshot, new Set()), isKnown: () => false })
  const { stretches } = followWaits(NO_WAITS, { at: clock(), waiters })
  const question = { now: clock(), namespace: 'media-encoding', asks: ASKS, age: seconds(0) }
  const told = estimateWait(stretches, question)
  if (told.kind === 'unknown') throw new Error(told.because)

  const waits: number[] = []
  for (let job = 0; job < 10; job += 1) waits.push(await waitOf(`encode-episode-${job}`))
  // Four of five are promised; fewer than six of ten would come by chance once in thirty.
  const inside = waits.filter((wait) => wait >= told.low && wait <= told.high)
  expect(inside.length, `${waits.join(', ')} s, told ${told.low} to ${told.high} s`).toBeGreaterThanOrEqual(6)
})

/** How long a job as in the third example waits for its GPU, seconds; it works for ten minutes. */
async function waitOf(name: string): Promise<number> {
  const of = { namespace: 'media-encoding', name }
  await api.makePod({
    ...of,
    labels: {},
    spec: {
      nodeSelector: { 'kubernetes.io/hostname': 'gpu-l40s-03' },
      containers: [{ name: 'encode', image: 'encode', resources: { limits: { 'nvidia.com/gpu': '1' } } }],
    },
  })
  const from = now
  while ((await api.nodeOf(of.namespace, of.name)) === undefined) {
    if (now - from > 3_600_000) throw new Error(`${name} has waited for an hour`)
    now += 10_000
  }
  const waited = (now - from) / 1000
  now += 600_000
  await api.removePod(of.namespace, of.name)
  return waited
}
