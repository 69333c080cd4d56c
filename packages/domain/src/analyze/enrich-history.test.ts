import { array, assert, constantFrom, integer, property, record } from 'fast-check'
import { describe, expect, test } from 'vitest'

import { draw } from '../cluster/draw.fixture.ts'
import type { ClusterSnapshot } from '../cluster/inventory.ts'
import { NOTHING_MEASURED } from './field-values.ts'
import { DAY_MS, instant } from '../units.ts'
import { enrichHistory as enrich, historyContext, workloadStem, type HistoryContext } from './enrich-history.ts'
import type { HistoricUsage } from './historic-usage.ts'
import type { UsageRow } from './usage.ts'

const usage = (more: Partial<HistoricUsage> = {}): HistoricUsage => ({
  at: instant(0),
  span: '1h',
  node: 'a',
  gpu: 'GPU-a-0',
  index: 0,
  modelName: 'NVIDIA A100-SXM4-80GB',
  instance: undefined,
  namespace: 'team',
  pod: 'x',
  owner: undefined,
  observedSeconds: 3600,
  idleSeconds: 0,
  stuckSeconds: 0,
  ...NOTHING_MEASURED,
  busy: 0.5,
  busyPeak: 0.9,
  kernelTime: undefined,
  ...more,
})
const enrichHistory = (past: readonly HistoricUsage[], context: HistoryContext): UsageRow[] =>
  enrich({ usage: past, covers: () => true }, context)
const nobody = { namespace: '', pod: '' }
const blind = historyContext(undefined)
const judgedIdle = (more: Partial<HistoricUsage>) => enrichHistory([usage({ idleSeconds: 600, ...more })], blind)[0]
const brief = (rows: readonly UsageRow[]): string[] =>
  rows.map(
    ({ kind, partition, pod, share, present, busy, reason }) =>
      `${kind} ${partition} ${pod || '-'} ${share.toFixed(3)}×${present} ${busy ?? reason ?? '-'}`,
  )

test('the past names nodes as the present does: by names, else by where the GPU is', () => {
  const context = historyContext(draw`a.example.com  T4  [team/x]`)
  const nodesOf = (more: Partial<HistoricUsage>) => [
    ...new Set(
      enrichHistory([usage(more)], context).flatMap(({ gpu, node }) => (gpu === (more.gpu ?? 'GPU-a-0') ? node : [])),
    ),
  ]
  const here = context.inventory[0]?.gpu ?? ''
  expect([
    nodesOf({ node: 'A' }),
    nodesOf({ node: 'exporter-x1', hosts: ['a'] }),
    nodesOf({ node: 'exporter-x1', gpu: here }),
    nodesOf({ node: '', hosts: ['gone', '10.0.0.1:9400'] }),
    nodesOf({ node: 'gone' }),
  ]).toEqual([['a.example.com'], ['a.example.com'], ['a.example.com'], ['gone'], ['gone']])
})

describe('the past of a GPU', () => {
  test('has its holders one after the other, and who was free between them', () => {
    const past = [
      usage({ observedSeconds: 1200 }),
      usage({ pod: 'y', observedSeconds: 600, busy: 0.1 }),
      usage({ ...nobody, observedSeconds: 1500, busy: 0 }),
    ]
    expect(brief(enrichHistory(past, blind))).toEqual([
      'held GPU-a-0 team/x 1.000×1200 0.5',
      'held GPU-a-0 team/y 1.000×600 0.1',
      'free GPU-a-0 - 1.000×1500 0',
    ])
  })

  test('is divided by the geometry of its board; what is in no instance is free or stranded', () => {
    const past = [
      usage({ instance: { id: '1', profile: '3g.40gb' } }),
      usage({ instance: { id: '2', profile: '3g.40gb' }, ...nobody, busy: 0 }),
      usage({ ...nobody, busy: undefined }),
    ]
    expect(brief(enrichHistory(past, blind))).toEqual([
      'held GPU-a-0/gi-1 team/x 0.429×3600 0.5',
      'free GPU-a-0/gi-2 - 0.429×3600 0',
      'stranded GPU-a-0/stranded - 0.143×3600 -',
    ])
  })

  test('does not call free what an instance takes that no exporter has ever told', () => {
    const drawn = draw`a  A100-SXM4-80GB  [3g.40gb team/x] [2g.20gb team/y]`
    // The kubelet counts it, so it has no GPU instance id.
    const nodes = drawn.nodes.map((node) => ({
      ...node,
      gpus: node.gpus.map((gpu) => ({
        ...gpu,
        partitions: gpu.partitions.map((part) =>
          part.kind === 'mig' && part.profile === '2g.20gb' ? { ...part, instance: '2g.20gb-0' } : part,
        ),
      })),
    }))
    const past = [usage({ instance: { id: '1', profile: '3g.40gb' } })]
    expect(brief(enrichHistory(past, historyContext({ ...drawn, nodes })))).toEqual([
      'held GPU-a-0/gi-1 team/x 0.429×3600 0.5',
      'held GPU-a-0/unrecorded - 0.286×3600 missing-instance',
      'free GPU-a-0/uncut - 0.286×3600 -',
    ])
    expect(brief(enrichHistory(past, historyContext(drawn)))).toContain('free GPU-a-0/uncut - 0.571×3600 -')
  })

  test('of a shared GPU is held by nobody known: an exporter names one of its pods, and the others did not leave it free', () => {
    const context = historyContext(draw`
      a  T4                  [1/4 team/x] [1/4 team/y] [1/4 team/z] [1/4 -]
      b  A100-SXM4-80GB      [1/2 team/v] [1/2 -]`)
    const shared = usage({ modelName: 'Tesla T4' })
    const ofShared = enrichHistory([shared, { ...shared, ...nobody, observedSeconds: 600 }], context)
    expect(brief(ofShared)).toContain('held GPU-a-0/unrecorded - 1.000×3600 not-attributable')
    // What is shared now was cut then: its instances are told apart.
    const cut = usage({ node: 'b', gpu: 'GPU-b-0', instance: { id: '1', profile: '7g.80gb' } })
    expect(brief(enrichHistory([cut], context))).toContain('held GPU-b-0/gi-1 team/x 1.000×3600 0.5')
  })

  test('takes the pool from the node as it is now', () => {
    expect(enrichHistory([usage()], historyContext(draw`a@spot  T4  [team/x]`))[0]?.pool).toBe('spot')
  })

  test('does not believe a counter for the time in which it stayed at 0 while kernels ran', () => {
    expect(judgedIdle({ busy: 0, busyPeak: 0, stuckSeconds: 3600 })).toMatchObject({
      measured: 0,
      busy: undefined,
      idle: 0,
      reason: 'stuck-at-zero',
    })
    // The rest was busy by 0.4, of which a quarter of the hour told 0.
    expect(judgedIdle({ busy: 0.3, stuckSeconds: 900 })).toMatchObject({
      measured: 2700,
      busy: 0.4,
      idle: 600,
      reason: 'stuck-at-zero',
    })
  })

  test('uses GPU_UTIL only where there are no profiling counters', () => {
    const plain = { busy: undefined, busyPeak: undefined, kernelTime: 0.3 }
    const busyOf = (more: Partial<HistoricUsage>, context = blind) =>
      enrichHistory([usage({ ...plain, ...more })], context)[0]
    expect(busyOf({ modelName: 'Tesla P100-PCIE-16GB' })).toMatchObject({ busy: 0.3, reason: undefined })
    expect(busyOf({})).toMatchObject({ busy: undefined, reason: 'not-exported' })
    expect(busyOf({}, historyContext(undefined, new Set()))).toMatchObject({ busy: 0.3 })
    const mig = { instance: { id: '1', profile: '1g.10gb' } }
    expect(busyOf(mig, historyContext(undefined, new Set()))).toMatchObject({ reason: 'not-exported' })
  })

  test('knows owners as the API tells them, as they were recorded, or by how living ones call their pods', () => {
    const drawn = draw`a  T4  [team/x]`
    const living = (kind: string, name: string) => ({
      ...drawn.workloads[0],
      id: `team/${kind}/${name}`,
      kind,
      name,
      class: 'inference' as const,
    })
    const workloads = [living('Deployment', 'llm'), living('Deployment', 'llm-0'), living('StatefulSet', 'db')]
    const context = historyContext({ ...drawn, workloads: workloads as unknown as ClusterSnapshot['workloads'] })
    const ownerOf = (pod: string, owner?: HistoricUsage['owner']) =>
      enrichHistory([usage({ pod, owner })], context).map(({ workload, workloadClass }) => [workload, workloadClass])[0]
    expect(ownerOf('x')?.[0]).toBe('team/Pod/x')
    expect(ownerOf('llm-0-6d4cf56db6-x2xnq')).toEqual(['team/Deployment/llm-0', 'inference'])
    expect(ownerOf('llm-6d4cf56db6-x2xnq')).toEqual(['team/Deployment/llm', 'inference'])
    expect(ownerOf('db-0')).toEqual(['team/StatefulSet/db', 'inference'])
    // Gone, and nothing recorded it: digits may be its own.
    expect(ownerOf('llm-7-6d4cf56db6-x2xnq')).toEqual(['team/Pod/llm-7', 'unknown'])
    expect(ownerOf('gpt-4')).toEqual(['team/Pod/gpt-4', 'unknown'])
    const recorded = { kind: 'Job', name: 'sweep-3', class: 'training' } as const
    expect(ownerOf('sweep-3-0-w8kzq', recorded)).toEqual(['team/Job/sweep-3', 'training'])
  })

  test('merges series of one pod that differ in their container only', () => {
    const rows = enrichHistory([usage({ observedSeconds: 3000 }), usage()], blind)
    expect(brief(rows)).toEqual(['held GPU-a-0 team/x 1.000×3600 0.5'])
  })
})

test('names of pods lead to their workload', () => {
  expect(
    ['chat-6d4cf56db6-x2xnq', 'train-w8kzq', 'db-0', 'gpt-4', 'notebook', 'etl-29381220-qx7bd'].map(workloadStem),
  ).toEqual(['chat', 'train', 'db-0', 'gpt-4', 'notebook', 'etl-29381220'])
})

test('the past holds every GPU of the inventory for as long as any was seen', () => {
  const drawn = draw`
    a  H100-80GB-HBM3  [team/x]
    a  H100-80GB-HBM3  [-]
    b  T4              [1/4 team/y] [1/4 -] [1/4 -] [1/4 -]
    c  A30             down  [-]
    d  A30             [-]`
  const nodes = drawn.nodes.map((node) => ({
    ...node,
    createdAt: instant(node.name === 'd' ? 1_800_000 : 0),
    ...(node.name === 'c' ? { notReadySince: instant(900_000) } : {}),
  }))
  const past = [
    usage({ modelName: 'NVIDIA H100 80GB HBM3' }),
    // Its exporter was away for half an hour.
    usage({ gpu: 'GPU-a-1', index: 1, ...nobody, observedSeconds: 1800 }),
    usage({ node: 'b', gpu: 'GPU-b-0', modelName: 'Tesla T4', pod: 'y' }),
  ]
  const rows = enrichHistory(past, historyContext({ ...drawn, nodes }))
  const hours = new Map<string, number>()
  for (const { gpu, share, present } of rows) hours.set(gpu, (hours.get(gpu) ?? 0) + (share * present) / 3600)
  expect(Object.fromEntries(hours)).toEqual({ 'GPU-a-0': 1, 'GPU-a-1': 1, 'GPU-b-0': 1, 'GPU-c-0': 1, 'GPU-d-0': 0.5 })
  expect(brief(rows.filter(({ partition }) => /unrecorded|down/u.test(partition)))).toEqual([
    'held GPU-b-0/unrecorded - 1.000×3600 not-attributable',
    'held GPU-a-1/unrecorded - 1.000×1800 not-recorded',
    'down GPU-c-0/down - 1.000×2700 -',
    'held GPU-c-0/unrecorded - 1.000×900 not-recorded',
    'held GPU-d-0/unrecorded - 1.000×1800 not-recorded',
  ])
  // Before the node was made there was no GPU, and a bucket that nobody saw stays unknown.
  const before = enrichHistory([usage({ at: instant(-DAY_MS) })], historyContext({ ...drawn, nodes }))
  expect(new Set(before.map(({ gpu }) => gpu))).toEqual(new Set(['GPU-a-0']))
})

test('whatever the series say, the shares of a GPU add up to the time it was seen', () => {
  const anyUsage = record({
    instance: constantFrom(
      undefined,
      { id: '1', profile: '3g.40gb' },
      { id: '2', profile: '3g.40gb' },
      { id: '3', profile: '1g.10gb' },
      { id: '4', profile: '7g.80gb' },
    ),
    pod: constantFrom('', 'x', 'y'),
    observedSeconds: integer({ min: 0, max: 4000 }),
  })
  assert(
    property(array(anyUsage, { minLength: 1, maxLength: 8 }), (list) => {
      const past = list.map(({ pod, ...more }) => usage({ ...more, pod, namespace: pod === '' ? '' : 'team' }))
      const rows = enrichHistory(past, blind)
      const total = rows.reduce((sum, { share, present }) => sum + share * present, 0)
      const longest = Math.max(...list.map(({ observedSeconds }) => observedSeconds))
      expect(total).toBeLessThanOrEqual(3600 + 1e-6)
      expect(total).toBeGreaterThanOrEqual(Math.min(longest, 3600) - 1e-2)
      const keys = rows.map(({ partition, pod }) => `${partition} ${pod}`)
      expect(new Set(keys).size).toBe(keys.length)
    }),
  )
})
