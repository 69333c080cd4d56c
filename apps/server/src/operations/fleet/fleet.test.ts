import { OPERATIONS } from '@septet/contract'
import {
  NOTHING_MEASURED,
  instant,
  ratio,
  seconds,
  type ClusterSnapshot,
  type JudgedSample,
  type UsageRow,
} from '@septet/domain'
import { openTestStore } from '@septet/storage/testing'
import { describe, expect, test } from 'vitest'
import { DRAWN_AT, draw } from '@septet/domain/testing'
import type { ClusterFacts } from '../../facts.ts'
import { factsOf } from '../answering/facts.fixture.ts'
import { sampleFleet, sampleGpu } from '../sample/sample-fleet.ts'
import { liveGpu } from './fleet-gpu.ts'
import { liveFleet, liveBroken } from './fleet-map.ts'
import { gpuView, barContext } from './gpu-view.ts'
import { factsOfNamespaces } from '../answering/namespace-facts.ts'

const snapshot: ClusterSnapshot = draw`
  b@pool-b  A100-SXM4-80GB  [3g.40gb team/x] [2g.20gb other/y] [1g.10gb -]
  a@pool-a  H100-80GB-HBM3  [team/z]
  a@pool-a  H100-80GB-HBM3  [-]`

const cut = snapshot.nodes.find(({ name }) => name === 'b')?.gpus[0]
if (cut === undefined) throw new Error('the drawing has no cut GPU')
const instances = cut.partitions.flatMap((partition) => (partition.kind === 'mig' ? [partition] : []))

const sample = (node: string, gpu: string, more: Partial<JudgedSample> = {}): JudgedSample => ({
  at: DRAWN_AT,
  node,
  gpu,
  index: 0,
  model: '',
  busy: ratio(0.5),
  quality: { kind: 'measured' },
  ...more,
})
const samples = [
  sample('a', 'GPU-a-0', {
    power: 301 as never,
    temperature: 61 as never,
    memoryUsed: 1000 as never,
    memoryFree: 500 as never,
  }),
  ...instances.map(({ instance, profile }, place) =>
    sample('b', cut.id, {
      instance: { id: instance, profile },
      memoryUsed: (100 * (place + 1)) as never,
      memoryFree: 100 as never,
    }),
  ),
]
const facts = factsOf(snapshot, samples)
const rules = [{ name: 'Research', namespaces: ['team'], labels: {} }]

const needs = async (namespaces?: readonly string[]) => ({
  store: await openTestStore(),
  rules,
  namespaces,
  now: DRAWN_AT + 3_600_000,
})

describe('the fleet in columns', () => {
  test('says the same of every GPU as its slice bar', () => {
    const answer = OPERATIONS.fleetMap.output.parse(liveFleet(facts, undefined, rules))
    const { frame, now } = answer
    if (frame === null) throw new Error('a first answer has a frame')
    expect(frame.nodes.name).toEqual(['a', 'b'])
    expect(frame.gpus.node).toEqual([0, 0, 1])
    const picture = facts.picture()
    if (picture === undefined) throw new Error('the drawing is a picture')
    const context = barContext(facts, picture)
    const bars = ['a', 'b'].flatMap((name) =>
      (snapshot.nodes.find((node) => node.name === name)?.gpus ?? []).map((gpu) => gpuView(gpu, context)),
    )
    const blocks = bars.flatMap((bar) => bar.blocks)
    expect(frame.gpus.blocks).toEqual(bars.map((bar) => bar.blocks.length))
    expect(frame.blocks.start).toEqual(blocks.map(({ start }) => start))
    expect(frame.blocks.size).toEqual(blocks.map(({ size }) => size))
    expect(now.blocks.holder.map((place) => now.holders[place] ?? null)).toEqual(blocks.map(({ holder }) => holder))
    expect(now.blocks.busy).toEqual(blocks.map(({ busy }) => (busy === null ? -1 : Math.round(busy * 1000))))
  })

  test('names tenants by the rules, and nobody where none matches', () => {
    const { now } = liveFleet(facts, undefined, rules)
    const tenants = now.holders.map((holder, place) => [holder, now.tenants[now.holderTenant[place] ?? -1]])
    expect(Object.fromEntries(tenants)).toMatchObject({ 'team/Pod/x': 'Research', 'other/Pod/y': undefined })
  })

  test('leaves out the frame that is known already', () => {
    const first = liveFleet(facts, undefined, rules)
    expect(liveFleet(facts, first.revision, rules)).toMatchObject({ frame: null, now: first.now })
    expect(liveFleet(facts, 'another', rules).frame).toEqual(first.frame)
    expect(sampleFleet(sampleFleet(undefined).revision).frame).toBeNull()
  })

  test('tells a member of one namespace only the GPUs that it holds a part of', () => {
    const seen = liveFleet(factsOfNamespaces(facts, ['other']), undefined, rules)
    expect(seen.frame?.nodes.name).toEqual(['b'])
    expect(JSON.stringify(seen)).not.toContain('team')
    expect(seen.now.blocks.kind).toContain(5)
  })

  test('of a cluster that was not read yet is refused and not empty', () => {
    const unread: ClusterFacts = { ...facts, picture: () => undefined }
    expect(() => liveFleet(unread, undefined, [])).toThrow('is reading Drawn for the first time')
  })
})

describe('the card of a GPU', () => {
  test('tells what it reads, holds, and who holds it', async () => {
    const answer = OPERATIONS.fleetGpu.output.parse(await liveGpu(facts, { gpu: 'GPU-a-0' }, await needs()))
    expect(answer.reading).toMatchObject({
      power: { value: 301 },
      temperature: { value: 61 },
      memoryUsed: { value: 1000 },
      memoryTotal: { value: 1500 },
      memoryTotalOf: 'board',
    })
    expect(answer.partitions).toMatchObject([
      { name: 'whole GPU', kind: 'busy', busy: { value: 0.5 }, holders: [{ pod: 'team/z', tenant: 'Research' }] },
    ])
    expect(answer.node).toMatchObject({ name: 'a', pool: 'pool-a' })
  })

  test('is found by the node and the index of the GPU, too', async () => {
    const { gpu } = await liveGpu(facts, { gpu: 'a#0' }, await needs())
    expect(gpu.id).toBe('GPU-a-0')
    await expect(liveGpu(facts, { gpu: 'a#7' }, await needs())).rejects.toThrow('no GPU "a#7"')
  })

  test('has each instance with its own memory, and the sum where the GPU has no series', async () => {
    const { partitions, reading } = await liveGpu(facts, { gpu: cut.id }, await needs())
    expect(partitions.map(({ memoryUsed }) => memoryUsed.value)).toEqual([100, 200, 300])
    expect(reading.memoryUsed.value).toBe(600)
    expect(reading).toMatchObject({ memoryTotal: { value: 900 }, memoryTotalOf: 'instances' })
    expect(reading.power).toMatchObject({ value: null, quality: 'unknown' })
  })

  test('keeps from a member what others hold of it, now and in the past', async () => {
    const store = await openTestStore()
    const rows = instances.map((instance, place) => usageRow(cut.id, instance.id, place === 0 ? 'team' : 'other'))
    await store.usage.write(facts.record.id, rows)
    const theirs = factsOfNamespaces(facts, ['other'])
    const answer = await liveGpu(theirs, { gpu: cut.id }, { ...(await needs(['other'])), store })
    expect(answer.partitions.map(({ kind }) => kind)).toContain('others')
    expect(JSON.stringify(answer)).not.toContain('team/')
    expect(answer.reading.memoryUsed).toMatchObject({ value: null, because: expect.stringContaining('Others hold') })
    const told = answer.day?.partitions.map(({ id }) => id)
    expect(told).not.toContain(instances[0]?.id)
    expect(told).toContain(instances[1]?.id)
  })

  test('has gaps where nothing was measured in the last day, and never 0 for them', async () => {
    const store = await openTestStore()
    await store.usage.write(facts.record.id, [
      usageRow('GPU-a-0', 'GPU-a-0', 'team'),
      {
        ...usageRow('GPU-a-0', 'GPU-a-0', 'team'),
        at: instant(DRAWN_AT + 300_000),
        measured: seconds(0),
        busy: undefined,
      },
    ])
    const { day } = await liveGpu(facts, { gpu: 'GPU-a-0' }, { ...(await needs()), store })
    const values = day?.partitions[0]?.busy ?? []
    expect(values).toHaveLength(288)
    expect(values.filter((value) => value !== null)).toEqual([0.25])
    const from = new Date(day?.from ?? 0).getTime()
    expect(values[(DRAWN_AT - from) / 300_000]).toBe(0.25)
  })

  test('of a GPU that is gone says so and what to do', async () => {
    await expect(liveGpu(facts, { gpu: 'GPU-gone' }, await needs())).rejects.toMatchObject({ code: 'not-found' })
    expect(() => sampleGpu({ gpu: 'GPU-gone' })).toThrow('no GPU "GPU-gone"')
  })

  test('is live without the database', async () => {
    const store = await openTestStore()
    Object.assign(store.usage, { rows: away })
    Object.assign(store.events, { list: away })
    const answer = await liveGpu(facts, { gpu: 'GPU-a-0' }, { ...(await needs()), store })
    expect([answer.day, answer.faults.complete, answer.reading.power.value]).toEqual([null, false, 301])
  })

  test('of sample data has its bar and nothing made up', () => {
    const [id = ''] = sampleFleet(undefined).frame?.gpus.id ?? []
    const answer = OPERATIONS.fleetGpu.output.parse(sampleGpu({ gpu: id }))
    expect([answer.day, answer.reading.power.value]).toEqual([null, null])
  })
})

async function away(): Promise<never> {
  throw Object.assign(new Error('The database is not responding.'), { name: 'StoreError' })
}

function usageRow(gpu: string, partition: string, namespace: string): UsageRow {
  return {
    at: DRAWN_AT,
    span: '5m',
    node: 'n',
    pool: '',
    gpu,
    partition,
    profile: '',
    model: '',
    machine: '',
    kind: 'held',
    share: ratio(1),
    namespace,
    workload: `${namespace}/Pod/p`,
    pod: `${namespace}/p`,
    workloadClass: '',
    present: seconds(300),
    measured: seconds(300),
    idle: seconds(0),
    oversized: seconds(0),
    ...NOTHING_MEASURED,
    busy: ratio(0.25),
    reason: undefined,
  }
}

describe('GPUs that cannot be used', () => {
  const drawn: ClusterSnapshot = draw`
    c            T4              [-]
    b            H100-80GB-HBM3  down  [team/x]
    a            A100-SXM4-80GB  [3g.40gb team/z] [2g.20gb other/w]
    a            A100-SXM4-80GB  [-]`
  const fault = { code: 'gpu-fault', message: 'XID 79: the GPU has fallen off the bus.', object: 'gpu/GPU-a-0' }
  const broken = factsOf(
    {
      ...drawn,
      nodes: drawn.nodes.map((node) =>
        node.name === 'a'
          ? { ...node, gpus: node.gpus.map((gpu, place) => (place === 0 ? { ...gpu, fault } : gpu)) }
          : node,
      ),
    },
    [],
  )

  test('are those with a fault and those of a node that is not ready, with who holds them', () => {
    expect(liveBroken(broken).gpus).toEqual([
      {
        id: 'GPU-a-0',
        node: 'a',
        index: 0,
        model: 'A100-SXM4-80GB',
        problem: fault,
        workloads: ['other/Pod/w', 'team/Pod/z'],
      },
      expect.objectContaining({
        node: 'b',
        problem: { code: 'node-not-ready', message: 'The node is not ready.', object: 'node/b' },
        workloads: ['team/Pod/x'],
      }),
    ])
    expect(liveBroken(facts).gpus).toEqual([])
  })

  test('are those, too, that their node withholds: as many as it does not offer, of those that nobody holds', () => {
    const three = draw`
      a  T4  [team/x]
      a  T4  [-]
      a  T4  [-]`
    const offering = (gpus: number) =>
      liveBroken(
        factsOf(
          { ...three, nodes: three.nodes.map((node) => ({ ...node, allocatable: { 'nvidia.com/gpu': gpus } })) },
          [],
        ),
      ).gpus.map(({ node, problem, workloads }) => [node, problem.code, workloads])
    expect(offering(2)).toEqual([['a', 'device-withheld', []]])
    expect(offering(1)).toHaveLength(2)
    expect(offering(3)).toEqual([])
  })

  test('are drawn with their fault, and not as free, where their node withholds them', () => {
    const three = draw`
      a  T4  [team/x]
      a  T4  [-]
      a  T4  [-]`
    const nodes = three.nodes.map((node) => ({ ...node, allocatable: { 'nvidia.com/gpu': 2 } }))
    const { now } = liveFleet(factsOf({ ...three, nodes }, []), undefined, [])
    expect(now.faults).toEqual([expect.objectContaining({ gpu: 1, code: 'device-withheld' })])
  })

  test('are told to a caller of some namespaces with their own work alone', () => {
    const { gpus } = liveBroken(factsOfNamespaces(broken, ['team']))
    expect(gpus.map(({ workloads }) => workloads)).toEqual([['team/Pod/z'], ['team/Pod/x']])
    expect(liveBroken(factsOfNamespaces(broken, ['nobody'])).gpus).toEqual([])
  })
})
