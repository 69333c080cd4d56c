import { expect, test } from 'vitest'
import { draw } from '../../cluster/draw.fixture.ts'
import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import { ratio } from '../../units.ts'
import { checkPlan } from '../steps/check-plan.ts'
import { asking, owned, past, sourcesOf, withPods, type Doing } from './drawn-past.fixture.ts'
import { SHOWN_POLICY } from './proposal.ts'
import { recommend } from './recommend.ts'
import { studySizeIn } from './size-study.ts'

/** Work that neither stands still nor grows: the same every few hours. */
const steady = (ago: number): Doing => ({ busy: 0.08 + 0.005 * (ago % 3), memory: 3000 + 20 * (ago % 5) })

const sized = (snapshot: ClusterSnapshot, doing: (ago: number) => Doing | undefined = steady, hours = 168) =>
  recommend(
    sourcesOf(snapshot, { rows: snapshot.pods.flatMap(({ id }) => past(snapshot, id, { hours, doing })) }),
  ).recommendations.filter(({ kind }) => kind === 'right-size')

const roomy = owned(
  asking(draw`
    node-a  H100-80GB-HBM3  [lab/chat-1]
    node-b  H100-80GB-HBM3  [1g.10gb -] [1g.10gb -] [2g.20gb -] [3g.40gb web/x]`),
  ['lab/chat-1'],
)
const chat = (snapshot: ClusterSnapshot, doing: (ago: number) => Doing | undefined = steady, hours = 168) =>
  sized(snapshot, doing, hours).filter(({ object }) => object === 'workload/lab/Deployment/chat')

const nights = (ago: number): Doing => ({ ...steady(ago), ...(ago % 2 === 0 ? { busy: 0.01 } : {}) })

test('a workload that fits a smaller profile gets it where one is free, with what that frees', () => {
  const [found] = chat(roomy)
  expect(found).toMatchObject({
    title: 'Give lab/chat a 1g.10gb instead of a whole GPU',
    message: expect.stringContaining('A 1g.10gb is free for its pod now.'),
    saving: { kind: 'none', brings: 'frees 0.86 GPUs' },
    risk: { displaced: ['lab/chat-1'] },
    evidence: { samples: 168, coverage: 1, figures: { 'memory peak, MiB': 3080, room: 'free now' } },
  })
  // Of the GPU that it gives back, what was idle is what its cost was wasted on.
  expect(chat(roomy, nights)[0]?.saving).toMatchObject({
    kind: 'estimated',
    effect: 'capacity-freed',
    gpuHoursPerMonth: expect.closeTo(730 / 2, 1),
    usdPerMonth: expect.closeTo((730 / 2) * 4, 1),
  })
  expect(found?.risk.overrun).toBeGreaterThan(0)
  expect(found?.plan.steps).toHaveLength(1)
})

test('its compute is told of its busiest hour: for a moment it may have been busier than the profile is large', () => {
  const [found] = chat(roomy, (ago) => ({ ...steady(ago), busyPeak: 0.9 }))
  expect(found?.message).toContain("has, and in its busiest hour 9% of a GPU's compute. A 1g.10gb is free")
})

test('one that is free is not called none where its pods need two', () => {
  const two = owned(
    asking(draw`
      node-a  H100-80GB-HBM3  [lab/chat-1]
      node-b  H100-80GB-HBM3  [1g.10gb -] [3g.40gb web/x]
      node-c  H100-80GB-HBM3  [lab/chat-2]
      node-d  H100-80GB-HBM3  [-]`),
    ['lab/chat-1', 'lab/chat-2'],
  )
  expect(chat(two)[0]?.message).toContain('Too few are free for it: ')
})

test('a workload whose engine reserved its memory for a cache is not sized by that memory', () => {
  const workloads = roomy.workloads.map((each) => ({ ...each, cache: { engine: 'vLLM', peak: ratio(0.3) } }))
  expect(chat({ ...roomy, workloads })).toEqual([])
  expect(studySizeIn('lab/Deployment/chat', { snapshot: { ...roomy, workloads }, rows: [] })).toMatch(
    /^vLLM reserves its memory .* 30% /u,
  )
})

const whyNoSize = (snapshot: ClusterSnapshot) =>
  studySizeIn('lab/Deployment/chat', { snapshot: owned(asking(snapshot), ['lab/chat-1', 'lab/chat-2']), rows: [] })

test('pods hold different devices only where all of them hold one', () => {
  const other = draw`
    node-a  H100-80GB-HBM3  [lab/chat-1]
    node-b  A100-SXM4-80GB  [lab/chat-2]`
  expect(whyNoSize(other)).toBe('Its pods hold different devices, so no one answer fits them all.')
  const waits = draw`
    node-a  H100-80GB-HBM3  [lab/chat-1]
    ?       lab/chat-2      gpu`
  expect(whyNoSize(waits)).toBe('Not all of its pods hold a working GPU now.')
  const down = draw`
    node-a  H100-80GB-HBM3        [lab/chat-1]
    node-b  H100-80GB-HBM3  down  [lab/chat-2]`
  expect(whyNoSize(down)).toBe('Not all of its pods hold a working GPU now.')
})

test('where none is free, GPUs that nobody holds are cut in the same plan', () => {
  const cut = owned(
    asking(draw`
      node-a  H100-80GB-HBM3  [lab/chat-1]
      node-b  H100-80GB-HBM3  [-]`),
    ['lab/chat-1'],
  )
  const [found] = chat(cut)
  expect(found?.title).toBe('Give lab/chat a new 1g.10gb instead of a whole GPU')
  expect(found?.plan.steps.map(({ action }) => action.kind)).toEqual(['cordon', 'repartition', 'uncordon', 'resize'])
  expect(found === undefined ? '' : checkPlan(cut, found.plan, SHOWN_POLICY).kind).toBe('executable')
})

test('else its own GPU is cut, and its pod waits for that; never one that others hold', () => {
  const alone = owned(asking(draw`node-a  H100-80GB-HBM3  [lab/chat-1]`), ['lab/chat-1'])
  expect(chat(alone)[0]?.message).toContain('its own GPUs are repartitioned first, and its pod waits for that')
  const beside = owned(asking(draw`node-a  H100-80GB-HBM3  [3g.40gb lab/chat-1] [3g.40gb web/x]`), ['lab/chat-1'])
  expect(chat(beside)).toEqual([])
})

test('never below the highest memory that was seen, on whatever hour or GPU, and its margin', () => {
  const peak = (memory: number) => chat(roomy, (ago) => (ago === 100 ? { busy: 0.08, memory } : steady(ago)))
  for (const { evidence } of [...peak(8600), ...peak(9000), ...peak(30_000)]) {
    const { 'memory of the profile, MiB': has, 'memory peak, MiB': used } = evidence.figures
    expect(Number(has)).toBeGreaterThanOrEqual(1.1 * Number(used))
  }
  // Not trusted to tell how busy it was, but the memory was used all the same.
  const doubtful = chat(roomy, (ago) => (ago === 100 ? { memory: 9500, measured: 0 } : steady(ago)))
  expect(doubtful).toEqual([])
})

test('too little or old history, unmeasured work and idle work say nothing', () => {
  expect(chat(roomy, steady, 20)).toEqual([])
  expect(chat(roomy, (ago) => (ago <= 12 ? undefined : steady(ago)))).toEqual([])
  expect(chat(roomy, (ago) => ({ ...steady(ago), measured: 0, reason: 'stuck-at-zero' }))).toEqual([])
  expect(chat(roomy, (ago) => (ago % 3 === 0 ? steady(ago) : undefined))).toEqual([])
  expect(chat(roomy, () => ({ busy: 0, memory: 3000 }))).toEqual([])
})

/** The roomy cluster with other facts about one node. */
const nodes = (name: string, change: object) => ({
  ...roomy,
  nodes: roomy.nodes.map((node) => (node.name === name ? { ...node, ...change } : node)),
})

test('several devices to a pod, pods that hold different things, bare pods and faults keep the size', () => {
  const several = owned(
    asking(draw`
      node-a  H100-80GB-HBM3  [lab/chat-1]
      node-a  H100-80GB-HBM3  [lab/chat-1]
      node-b  H100-80GB-HBM3  [1g.10gb -] [1g.10gb -]`),
    ['lab/chat-1'],
  )
  expect(chat(several)).toEqual([])
  const mixed = owned(
    asking(draw`
      node-a  H100-80GB-HBM3  [lab/chat-1]
      node-c  H100-80GB-HBM3  [3g.40gb lab/chat-2]
      node-b  H100-80GB-HBM3  [1g.10gb -] [1g.10gb -]`),
    ['lab/chat-1', 'lab/chat-2'],
  )
  expect(chat(mixed)).toEqual([])
  for (const change of [{ managed: false }, { evictable: false }]) {
    expect(chat(withPods(roomy, ({ scheduling }) => ({ scheduling: { ...scheduling, ...change } })))).toEqual([])
  }
  const fault = { code: 'gpu-fault', message: 'XID 79.', object: 'gpu/x' }
  const faulty = (name: string) => ({
    gpus: roomy.nodes.find((node) => node.name === name)?.gpus.map((gpu) => ({ ...gpu, fault })),
  })
  expect(chat(nodes('node-a', faulty('node-a')))).toEqual([])
  // Room on an unsound node is none: then its own GPU is cut.
  for (const change of [faulty('node-b'), { schedulable: false }, { ready: false }]) {
    expect(chat(nodes('node-b', change))[0]?.evidence.figures['room']).toBe('by repartitioning its own GPUs')
  }
  const failed = { mig: { strategy: 'mixed', config: 'x', state: 'failed' } }
  expect(
    chat({ ...nodes('node-a', failed), nodes: nodes('node-a', failed).nodes.filter(({ name }) => name === 'node-a') }),
  ).toEqual([])
})

test('two workloads never count on the same free instance', () => {
  const two = asking(draw`
    node-a  H100-80GB-HBM3  [3g.40gb lab/chat-1] [3g.40gb web/y-1]
    node-b  H100-80GB-HBM3  [1g.10gb -] [3g.40gb web/x]`)
  const both = owned(owned(two, ['lab/chat-1']), ['web/y-1'], { name: 'y' })
  const found = sized(both, (ago) => ({ ...steady(ago), busy: 0.2 })).filter(({ object }) =>
    object.includes('Deployment'),
  )
  expect(found.map(({ object }) => object)).toEqual(['workload/lab/Deployment/chat'])
})

const mornings = (ago: number): Doing => ({ busy: ago % 3 === 0 ? 0.25 : 0.01, memory: 33_000 + 20 * (ago % 5) })

test('of GPUs that are cut for it only what others can then use is claimed', () => {
  const two = owned(
    asking(draw`
      node-a  A100-SXM4-80GB  [lab/chat-1]
      node-a  A100-SXM4-80GB  [lab/chat-2]`),
    ['lab/chat-1', 'lab/chat-2'],
  )
  const [found] = chat(two, mornings)
  expect(found?.title).toContain('3g.40gb')
  // 3g.40gb twice takes all memory slices of a GPU, so the seventh compute slice beside them fits nothing: the other is free.
  expect(found?.saving).toMatchObject({ gpuHoursPerMonth: expect.closeTo(730, 1) })
})
