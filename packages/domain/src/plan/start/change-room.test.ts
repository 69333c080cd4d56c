import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { draw } from '../../cluster/draw.fixture.ts'
import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import { UNCONSTRAINED } from '../../cluster/scheduling.ts'
import { mib } from '../../units.ts'
import type { AskedPods } from './asked-job.ts'
import { askedJob, asking, counted } from './asked.fixture.ts'
import { checkStart } from './check-start.ts'

const amount = (own: number, hasRequests = true) => ({ resources: '/spec/containers/0/resources', hasRequests, own })
const pods = (cpuMilli: number, memory: number, more: Partial<AskedPods> = {}): AskedPods =>
  asking({
    scheduling: { ...UNCONSTRAINED, cpuMilli, memory: mib(memory) },
    edit: { ...asking().edit, cpu: amount(cpuMilli), memory: amount(memory) },
    ...more,
  })
const changesOf = (cluster: ClusterSnapshot, ...groups: readonly AskedPods[]) =>
  (checkStart(cluster, [askedJob(groups)])[0]?.changes ?? []).filter(({ kind }) => kind === 'cpu' || kind === 'memory')

const small = counted(draw`a  T4  cpu=8 memory=64  [-]`)

describe('a job that asks for more CPU or memory than is left', () => {
  test('may ask for what is left, in cores and in GiB', () => {
    expect(changesOf(small, pods(16_000, 1024))).toEqual([
      {
        kind: 'cpu',
        sentence: 'Ask for 8 cores of CPU instead of 16 cores of CPU.',
        document: 0,
        patch: [{ op: 'add', path: '/spec/containers/0/resources/requests/cpu', value: '8000m' }],
      },
    ])
    expect(changesOf(small, pods(1000, 100 * 1024))).toEqual([
      {
        kind: 'memory',
        sentence: 'Ask for 64 GiB of memory instead of 100 GiB of memory.',
        document: 0,
        patch: [{ op: 'add', path: '/spec/containers/0/resources/requests/memory', value: '65536Mi' }],
      },
    ])
  })
  test('is told of one core in the singular, and of a part of a core', () => {
    const one = counted(draw`a  T4  cpu=1.05 memory=64  [-]`)
    expect(changesOf(one, pods(1500, 0))[0]?.sentence).toBe('Ask for 1 core of CPU instead of 1.5 cores of CPU.')
    const tiny = counted(draw`a  T4  cpu=0.25 memory=64  [-]`)
    expect(changesOf(tiny, pods(1500, 0))[0]?.sentence).toBe('Ask for 0.2 cores of CPU instead of 1.5 cores of CPU.')
  })
  test('gets a list of requests where its container has none', () => {
    const edit = { ...asking().edit, cpu: amount(16_000, false) }
    expect(changesOf(small, pods(16_000, 0, { edit }))[0]?.patch).toEqual([
      { op: 'add', path: '/spec/containers/0/resources/requests', value: { cpu: '8000m' } },
    ])
  })
  test('keeps what its other containers ask for: only the largest gives way', () => {
    const edit = { ...asking().edit, cpu: amount(12_000) }
    expect(changesOf(small, pods(16_000, 0, { edit }))[0]?.sentence).toBe(
      'Ask for 4 cores of CPU instead of 12 cores of CPU.',
    )
    const firm = { ...asking().edit, cpu: amount(7000) }
    expect(changesOf(small, pods(16_000, 0, { edit: firm }))).toEqual([])
  })
  test('shares a node among its pods where that is what lets them all start', () => {
    const two = counted(draw`
      a  T4  cpu=9 memory=64  [-]
      a  T4  cpu=9 memory=64  [-]`)
    expect(changesOf(two, pods(8000, 0, { count: 2 }))[0]?.sentence).toBe(
      'Ask for 4.5 cores of CPU instead of 8 cores of CPU.',
    )
  })
  test('is told of the part that gives way', () => {
    const two = counted(draw`
      a  T4  cpu=8 memory=64  [-]
      b  T4  cpu=8 memory=64  [-]`)
    expect(changesOf(two, pods(0, 0, { part: 'head' }), pods(9000, 0, { part: 'Worker' }))[0]?.sentence).toBe(
      'Ask for 8 cores of CPU instead of 9 cores of CPU of Worker.',
    )
  })
  test('is told nothing where less would not help, or where nobody can say how much is left', () => {
    const full = counted(draw`a  T4  cpu=8  [lab/x]`)
    expect(changesOf(full, pods(16_000, 0))).toEqual([])
    const unread = {
      ...small,
      nodes: small.nodes.map((node) => ({ ...node, room: { ...node.room, memory: undefined } })),
    }
    expect(changesOf(unread, pods(16_000, 1024))).toEqual([])
    expect(changesOf(small, asking({ scheduling: { ...UNCONSTRAINED, cpuMilli: 16_000 } }))).toEqual([])
  })
  test('is told the most that lets it start, whatever the nodes have', () => {
    const rooms = fc.array(fc.record({ cpu: fc.integer({ min: 1, max: 40 }), gpus: fc.integer({ min: 0, max: 3 }) }), {
      minLength: 1,
      maxLength: 4,
    })
    fc.assert(
      fc.property(rooms, fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 60 }), (drawn, count, asked) => {
        const lines = drawn.flatMap(({ cpu, gpus }, at) => [
          `n${at}  T4  cpu=${cpu}  [lab/held-${at}]`,
          ...Array.from({ length: gpus }, () => `n${at}  T4  cpu=${cpu}  [-]`),
        ])
        const cluster = counted(draw`${lines.join('\n')}`)
        const starts = (milli: number): boolean => {
          const seats = drawn.map(({ cpu, gpus }) => Math.min(gpus, Math.floor((cpu * 1000) / milli)))
          return seats.reduce((sum, seat) => sum + seat, 0) >= count
        }
        if (starts(asked * 1000)) return
        const sizes = Array.from({ length: asked * 10 - 1 }, (_, at) => (at + 1) * 100)
        const most = sizes.findLast(starts)
        const found = changesOf(cluster, pods(asked * 1000, 0, { count }))[0]?.patch[0]?.value
        expect(found).toBe(most === undefined ? undefined : `${most}m`)
      }),
    )
  })
})
