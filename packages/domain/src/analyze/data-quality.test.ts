import { describe, expect, test } from 'vitest'

import { draw } from '../cluster/draw.fixture.ts'
import type { ClusterSnapshot } from '../cluster/inventory.ts'
import { ratio } from '../units.ts'
import { dataQuality, type QualitySources } from './data-quality.ts'
import { partsOfSnapshot } from './gpu-parts.ts'
import type { JudgedSample, QualityReason } from './sample.ts'
import { sumUsage } from './usage-sum.ts'
import type { UsageTotal } from './usage.ts'

const CLUSTER = draw`
  a  A100-SXM4-80GB  [lab/train]
  b  A100-SXM4-80GB  [lab/chat]
  c  A100-SXM4-80GB  down [-]`

const sample = (gpu: string, reason?: QualityReason): JudgedSample =>
  ({
    gpu,
    node: gpu.split('-')[1] ?? '',
    ...(reason === undefined ? { busy: ratio(0.5) } : {}),
    quality: reason === undefined ? { kind: 'measured' } : { kind: 'suspect', reason },
  }) as unknown as JudgedSample

/** GPU-hours that were held on a node, of which so many were measured, and why the others were not. */
const held = (node: string, hours: number, ...[measured = hours, reason]: readonly [number?, QualityReason?]) =>
  ({
    ...sumUsage([]),
    key: { kind: 'held', node, reason: reason ?? '' },
    gpuSeconds: hours * 3600,
    measuredGpuSeconds: measured * 3600,
  }) satisfies UsageTotal

const unheld = (kind: 'unobserved' | 'unrequested', hours: number): UsageTotal => ({
  ...held('a', hours),
  key: { kind, node: 'a' },
})

const judge = (change: Partial<QualitySources>, snapshot: ClusterSnapshot = CLUSTER) =>
  dataQuality({ snapshot, parts: partsOfSnapshot(snapshot), totals: [], samples: undefined, ...change })

describe('how far figures can be trusted', () => {
  test('is the measured share of what was held, and why not the rest, most first', () => {
    const totals = [
      held('a', 10, 10),
      held('a', 4, 1, 'no-telemetry'),
      held('b', 6, 1, 'stuck-at-zero'),
      { ...held('b', 9, 0, 'no-telemetry'), key: { kind: 'free', node: 'b', reason: 'no-telemetry' } },
    ]
    const { coverage, unmeasured } = judge({ totals })
    expect(coverage).toEqual({ kind: 'known', value: 0.6, coverage: 1 })
    expect(unmeasured).toEqual([
      { reason: 'stuck-at-zero', hours: 5 },
      { reason: 'no-telemetry', hours: 3 },
    ])
  })

  test('is unknown where nothing was held, and of devices where nothing was read', () => {
    expect(judge({})).toMatchObject({
      coverage: { kind: 'unknown' },
      unmeasured: [],
      devices: undefined,
      silentNodes: undefined,
    })
  })

  test('is told of the devices of the last reading, and of nodes that have any and gave none', () => {
    const quality = judge({ samples: [sample('GPU-a-0', 'stuck-at-zero')] })
    expect(quality).toMatchObject({
      devices: [
        { reason: 'no-telemetry', devices: 1 },
        { reason: 'stuck-at-zero', devices: 1 },
      ],
      silentNodes: ['b'],
      sentences: [
        '1 of 3 nodes reports no metrics.',
        '1 of 3 nodes is not ready.',
        '1 of 2 devices: The profiling counter stays at 0 while the GPU visibly works.',
      ],
    })
  })

  test('names time that nobody saw, and work that no pod asked for', () => {
    const well = draw`a  A100-SXM4-80GB  [lab/train]`
    const sentences = (...totals: readonly UsageTotal[]) => judge({ totals: [held('a', 1), ...totals] }, well).sentences
    expect(sentences(unheld('unobserved', 0.01), unheld('unrequested', 0.01))).toEqual([])
    expect(sentences(unheld('unobserved', 1200.25), unheld('unobserved', 34), unheld('unrequested', 0.02))).toEqual([
      '1,234.25 GPU-h were not observed: Septet did not read the cluster then, and no metrics engine has that time.',
      'GPUs worked 0.02 GPU-h that no pod requested.',
    ])
  })

  test('has nothing to say where all is well', () => {
    const well = draw`a  A100-SXM4-80GB  [lab/train]`
    expect(judge({ samples: [sample('GPU-a-0')], totals: [held('a', 1)] }, well).sentences).toEqual([])
  })

  test('counts a node that is not ready among all of them, also one whose GPUs nobody has seen yet', () => {
    const starting = { ...CLUSTER, nodes: CLUSTER.nodes.slice(2).map((node) => ({ ...node, gpus: [] })) }
    expect(judge({}, starting).sentences).toEqual(['1 of 1 node is not ready.'])
  })

  test('names nodes of which no usage is known, where there is some of others, and the first of many', () => {
    expect(judge({ totals: [held('a', 1)] }).sentences).toContain(
      'No usage of 1 of 3 nodes is known in this window (b): it is in no figure of time.',
    )
    const many = draw`
      a  T4  [-]
      b  T4  [-]
      c  T4  [-]
      d  T4  [-]
      e  T4  [-]`
    expect(judge({ totals: [held('a', 1)] }, many).sentences).toEqual([
      'No usage of 4 of 5 nodes is known in this window (b, c, d, …): it is in no figure of time.',
    ])
    expect(judge({ totals: [] }, many).sentences).toEqual([])
  })
})
