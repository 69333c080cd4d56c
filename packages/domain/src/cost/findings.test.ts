import { describe, expect, test } from 'vitest'

import { known } from '../analyze/figure.ts'
import { DEFAULT_POLICY } from '../analyze/policy.ts'
import type { RightSize } from '../analyze/right-size.ts'
import { sumUsage } from '../analyze/usage-sum.ts'
import type { UsageTotal } from '../analyze/usage.ts'
import { draw } from '../cluster/draw.fixture.ts'
import type { ClusterSnapshot } from '../cluster/inventory.ts'
import { twoDollars } from '../act/policy/drawn-run.fixture.ts'
import { gpuHours, ratio, seconds } from '../units.ts'
import { costBy, costTotals } from './cost-parts.ts'
import { type FindingSources, findingsOf } from './findings.ts'

const snapshot = draw`a  A100-SXM4-80GB  [lab/train]`
const DAY = seconds(86_400)

const total = (key: UsageTotal['key'], hours: number, change: Partial<UsageTotal> = {}): UsageTotal => ({
  ...sumUsage([]),
  gpuSeconds: hours * 3600,
  measuredGpuSeconds: key.kind === 'held' ? hours * 3600 : 0,
  ...change,
  key: { pool: 'train', model: 'T4', node: 'a', ...key },
})
const held = (workload: string, hours: number, idleHours = 0): UsageTotal =>
  total({ kind: 'held', workload }, hours, { idleGpuSeconds: idleHours * 3600 })

const QUALITY: FindingSources['quality'] = {
  coverage: known(ratio(1)),
  unmeasured: [],
  devices: undefined,
  silentNodes: undefined,
  sentences: [],
}

/** What is found in a day of such usage, in which this work is twice as large as it need be. */
function find(totals: readonly UsageTotal[], change: Partial<FindingSources> = {}, oversized?: string) {
  const size = (id: string): RightSize =>
    id === oversized ? { kind: 'oversized', profile: '3g.40gb', share: ratio(0.5) } : { kind: 'fits' }
  const costed = costTotals(
    totals.map((each) =>
      each.key.workload === oversized ? { ...each, oversizedGpuSeconds: each.gpuSeconds / 2 } : each,
    ),
    twoDollars,
  )
  return findingsOf({
    snapshot,
    costed,
    workloadCosts: costBy(costed, ({ key }) => (key.kind === 'held' ? key.workload : undefined)),
    sizing: { of: size },
    quality: QUALITY,
    policy: DEFAULT_POLICY,
    observed: DAY,
    ...change,
  })
}

const withoutPrice = (workload: string) => total({ kind: 'held', workload, model: '' }, 9, { idleGpuSeconds: 9 * 3600 })

describe('waste that is worth a person’s time', () => {
  test('is work that idles, with what it costs in a month', () => {
    expect(find([held('lab/Job/x', 24, 6)])).toEqual([
      {
        id: 'drawn/idle-held/workload/lab/Job/x',
        cluster: 'drawn',
        kind: 'idle-held',
        object: 'workload/lab/Job/x',
        message:
          'lab/Job/x held GPUs idle for 6 GPU-h, 25% of what it held: busy at most 5% for 30 min or longer. Ask its owner to release or shrink it.',
        foundAt: snapshot.takenAt,
        gpuHours: 6,
        // $12 in a day of 24 hours, in a month of 730.
        costPerMonth: 365,
        evidence: { heldGpuHours: 24, idleThreshold: 0.05, idleMinimumSeconds: 1800, observedHours: 24 },
      },
    ])
  })

  test('is told with shares and limits as they are: nearly none is not none, nor is 2.5% written as 3%', () => {
    const policy = { ...DEFAULT_POLICY, idle: { ...DEFAULT_POLICY.idle, threshold: ratio(0.025) } }
    expect(find([held('lab/Job/x', 1000, 2)], { policy })[0]?.message).toMatch(
      /<1% of what it held: busy at most 2.5%/u,
    )
    expect(find([held('lab/Job/x', 1000, 998)])[0]?.message).toContain('>99% of what it held')
    const free = [total({ kind: 'free' }, 998), held('lab/Job/x', 2)]
    expect(find(free)[0]?.message).toContain('were unallocated, >99% of capacity')
  })

  test('is work that a smaller profile would hold', () => {
    expect(find([held('lab/Job/x', 24)], {}, 'lab/Job/x')).toMatchObject([
      {
        kind: 'oversized',
        message:
          'Pods of lab/Job/x would fit a 3g.40gb: their memory peaks and sustained compute stayed within it. 12 GPU-h of what they used were more than they need. Request the smaller profile.',
        costPerMonth: 730,
        evidence: { profile: '3g.40gb', share: 0.5, memoryMargin: 0.1, targetUtilization: 0.65 },
      },
    ])
  })

  test('is space that no profile can use, by node, and what nobody held, by pool and model', () => {
    const found = find([total({ kind: 'stranded' }, 3), total({ kind: 'free' }, 9), held('lab/Job/x', 12)])
    expect(found.map(({ object, message }) => [object, message])).toEqual([
      [
        'pool/train/T4',
        '9 GPU-h of T4 in pool train were unallocated, 38% of capacity. Schedule more work on it, or remove nodes.',
      ],
      [
        'node/a',
        '3 GPU-h of a lay beside its MIG devices in a shape that no profile can use. Cut its GPUs into profiles that fill them.',
      ],
    ])
    expect(find([total({ kind: 'free', pool: '' }, 2)])[0]?.message).toMatch(/^2 GPU-h of T4 were unallocated, 100%/u)
  })

  test('is not less than a GPU-hour, nor anything of nobody known', () => {
    expect(find([held('lab/Job/x', 24, 0.9), total({ kind: 'free' }, 0.9), held('', 24, 24)])).toEqual([])
  })

  test('has no amount where nothing has a price, and none of a month that minutes were seen of', () => {
    const unpriced = total({ kind: 'held', workload: 'lab/Job/x', model: '' }, 24, { idleGpuSeconds: 24 * 3600 })
    expect(find([unpriced])[0]).toMatchObject({ gpuHours: 24, costPerMonth: undefined })
    const minutes = find([held('lab/Job/x', 24, 24)], { observed: seconds(3599) })
    expect(minutes[0]).toMatchObject({ gpuHours: 24, costPerMonth: undefined, evidence: { observedHours: 1 } })
  })

  test('comes dearest first, then by GPU-hours, kind and object', () => {
    const found = find([withoutPrice('b'), withoutPrice('a'), held('c', 24, 2), held('d', 24, 4)])
    expect(found.map(({ object }) => object)).toEqual(['workload/d', 'workload/c', 'workload/a', 'workload/b'])
  })
})

describe('trouble that is worth a person’s time', () => {
  test('is a GPU with a fault, in its own words', () => {
    const fault = { code: 'gpu-fault', message: 'It needs a reset.', object: 'gpu/GPU-a-0' }
    const nodes = snapshot.nodes.map((node) => ({ ...node, gpus: node.gpus.map((gpu) => ({ ...gpu, fault })) }))
    const broken: ClusterSnapshot = { ...snapshot, nodes }
    expect(find([], { snapshot: broken })).toMatchObject([
      { kind: 'fault', object: 'gpu/GPU-a-0', message: 'It needs a reset.', evidence: { node: 'a', index: 0 } },
    ])
  })

  test('is time that nobody can vouch for, by its reason, and each node that is silent', () => {
    const quality = {
      ...QUALITY,
      unmeasured: [
        { reason: 'stuck-at-zero', hours: gpuHours(5) },
        { reason: 'no-telemetry', hours: gpuHours(0.5) },
      ] as const,
      silentNodes: ['a'],
    }
    expect(find([], { quality }).map(({ object, gpuHours: hours, message }) => [object, hours, message])).toEqual([
      [
        'telemetry/stuck-at-zero',
        5,
        '5 GPU-h were held without a trustworthy measurement. The profiling counter stays at 0 while the GPU visibly works.',
      ],
      [
        'node/a',
        undefined,
        'a reports no metrics: the use of its GPUs is unknown, and counted as used. Check that dcgm-exporter runs on it and is scraped.',
      ],
    ])
  })

  test('is one cause where many nodes are silent', () => {
    const quality = { ...QUALITY, silentNodes: ['a', 'b', 'c', 'd', 'e', 'f'] }
    expect(find([], { quality })).toMatchObject([
      {
        object: 'telemetry/silent-nodes',
        message:
          '6 nodes report no metrics, among them a, b, c: the use of their GPUs is unknown, and counted as used. Check the metrics source first, then dcgm-exporter on these nodes.',
      },
    ])
  })
})
