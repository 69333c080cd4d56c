import { gzipSync } from 'node:zlib'

import { instant, NOTHING_MEASURED, ratio, type HistoricUsage, type HistoryBatch } from '@septet/domain'
import { describe, expect, test } from 'vitest'

import { packPast, unpackPast, type AgentPast } from './agent-past.ts'

const row = (at: number, gpu: string): HistoricUsage => ({
  ...NOTHING_MEASURED,
  at: instant(at),
  span: '1h',
  node: 'a',
  gpu,
  index: 3,
  modelName: 'NVIDIA A100',
  instance: { id: '1', profile: '1g.10gb' },
  namespace: 'lab',
  pod: 'one',
  owner: { kind: 'Job', name: 'one', class: 'training' },
  observedSeconds: 3600,
  idleSeconds: 12.5,
  stuckSeconds: 0,
  kernelTime: ratio(0.5),
  busy: ratio(0.25),
})
async function sent(past: AgentPast): Promise<readonly AgentPast[]> {
  const parts: AgentPast[] = []
  for await (const packed of packPast(past)) {
    const read = await unpackPast(packed)
    if (read.kind === 'refused') throw new Error(read.because)
    parts.push(read.past)
  }
  return parts
}
const batchesIn = (parts: readonly AgentPast[]): readonly HistoryBatch[] =>
  parts.flatMap((part) => (part.kind === 'batch' ? part.batch : []))

describe('the past', () => {
  test('comes back as it was sent, with the GPUs that it covers', async () => {
    const usage = [row(0, 'GPU-1'), row(0, 'GPU-2'), row(3_600_000, 'GPU-1')]
    const [batch] = batchesIn(await sent({ kind: 'batch', batch: { usage, covers: (index) => index === 3 } }))
    expect(batch?.usage).toEqual(usage)
    expect([0, 3, 63, 99].map((index) => batch?.covers(index))).toEqual([false, true, false, false])
    const [all] = batchesIn(await sent({ kind: 'batch', batch: { usage, covers: () => true } }))
    expect([0, 3, 63, 99].map((index) => all?.covers(index))).toEqual([true, true, true, true])
    expect(await sent({ kind: 'end' })).toEqual([{ kind: 'end' }])
    expect(await sent({ kind: 'failed', message: 'No answer.' })).toEqual([{ kind: 'failed', message: 'No answer.' }])
  })

  test('of many rows comes in parts, none of which divides a bucket', async () => {
    const usage = Array.from({ length: 50_000 }, (_, order) => row(Math.floor(order / 7000), `GPU-${order}`))
    const batches = batchesIn(await sent({ kind: 'batch', batch: { usage, covers: () => true } }))
    expect(batches.length).toBeGreaterThan(2)
    expect(batches.flatMap((batch) => batch.usage.map(({ gpu }) => gpu))).toEqual(usage.map(({ gpu }) => gpu))
    const buckets = batches.map((batch) => new Set(batch.usage.map(({ at }) => at)))
    expect(buckets.reduce((sum, { size }) => sum + size, 0)).toBe(8)
  })

  test.each([
    [gzipSync('{"kind":"other"}'), /kind/u],
    [gzipSync('{"kind":"batch","batch":{"usage":[{"at":1}],"covers":[]}}'), /^batch\.usage\.0\./u],
    [Buffer.from('no gzip'), /header/u],
  ])('that is none is refused with the reason (%#)', async (packed, because) => {
    expect(await unpackPast(packed)).toEqual({ kind: 'refused', because: expect.stringMatching(because) })
  })
})
