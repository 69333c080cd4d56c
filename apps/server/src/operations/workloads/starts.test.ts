import { readManifest } from '@septet/connectors'
import type { PastWait } from '@septet/domain'
import { draw } from '@septet/domain/testing'
import { expect, test } from 'vitest'

import { factsOf } from '../answering/facts.fixture.ts'
import { liveStarts } from './starts.ts'

const NOW = 1_767_225_600_000
/** No GPU is free, so that every job waits. */
const facts = factsOf(draw`node-a  H100-80GB-HBM3  [lab/x]`, [])

const pods = (counts: readonly number[]): string =>
  `{kind: List, items: [${counts.map((count) => `{kind: Pod, metadata: {name: a}, spec: {containers: [{name: m, resources: {limits: {nvidia.com/gpu: ${count}}}}]}}`).join()}]}`

/** Jobs of a manifest, and what of the past was looked up for them: what, and how many at a time. */
async function asked(counts: readonly number[]) {
  const looked: string[] = []
  let [running, atOnce] = [0, 0]
  const past = async ({ asks = '' }: { readonly asks?: string }): Promise<readonly PastWait[]> => {
    looked.push(asks)
    atOnce = Math.max(atOnce, (running += 1))
    await new Promise((resolve) => setImmediate(resolve))
    running -= 1
    return []
  }
  const { jobs } = await liveStarts(
    facts,
    { cluster: 'drawn', manifest: pods(counts), namespace: 'lab' },
    { store: { waits: { past } }, readManifest, now: () => NOW, namespaces: undefined },
  )
  return { jobs, looked, atOnce }
}

test('jobs that ask for the same look up the past once, however many a manifest holds', async () => {
  const { jobs, looked, atOnce } = await asked(Array.from({ length: 200 }, () => 2))
  expect(jobs).toHaveLength(200)
  expect(new Set(jobs.map(({ verdict, noWait }) => `${verdict}: ${noWait}`))).toEqual(
    new Set(['not-now: No such waits observed yet; 20 are needed.']),
  )
  expect([looked, atOnce]).toEqual([['2 × nvidia.com/gpu'], 1])
})

test('of many that ask for different things the first few do, one after the other, and the others say what to do', async () => {
  const { jobs, looked, atOnce } = await asked([2, 3, 4, 5, 6, 7, 8, 2])
  expect([looked.length, atOnce]).toEqual([5, 1])
  expect(jobs.map(({ noWait }) => noWait?.slice(0, 15))).toEqual([
    ...Array.from({ length: 5 }, () => 'No such waits o'),
    'Only the waits ',
    'Only the waits ',
    'No such waits o',
  ])
})
