import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import type { InventoryNode } from '../cluster/inventory.ts'
import { knownNodes } from '../cluster/node-of-device.ts'
import { instant, mib, ratio, watts } from '../units.ts'
import type { ExpectedNode } from './quality-expected.ts'
import type { QualityMemory } from './quality-memory.ts'
import { STUCK_AFTER_READINGS } from './quality-stuck.ts'
import { judgeReading, type Judgement } from './quality.ts'
import type { DeviceSample, TargetState } from './sample.ts'

const START = 1_700_000_000_000
const H100 = 'NVIDIA H100 80GB HBM3'

const gpu = (id: string, more: Partial<DeviceSample> = {}): DeviceSample => ({
  at: instant(START),
  node: 'n1',
  gpu: `GPU-${id}`,
  index: 0,
  model: H100,
  ...more,
})
const mig = (id: string, instance: string, more: Partial<DeviceSample> = {}): DeviceSample =>
  gpu(id, { instance: { id: instance, profile: '1g.10gb' }, ...more })

type Step = { samples: DeviceSample[]; targets?: TargetState[]; expected?: ExpectedNode[]; later?: number }

const expecting = (nodes: readonly ExpectedNode[]) => ({
  nodes,
  known: knownNodes({
    nodes: nodes.map((each) => ({ name: each.node, devices: [] }) as unknown as InventoryNode),
    pods: [],
  }),
})

/** Judges readings a minute apart, one after the other, and answers the last judgement. */
function judge(...steps: Step[]): Judgement {
  let memory: QualityMemory | undefined
  let last: Judgement | undefined
  for (const [index, { samples, targets = [], expected, later = 0 }] of steps.entries()) {
    const now = instant(START + index * 60_000 + later)
    const reading = { at: now, samples: samples.map((one) => ({ ...one, at: now })), targets, problems: [] }
    last = judgeReading({ reading, memory, now, ...(expected === undefined ? {} : { expected: expecting(expected) }) })
    memory = last.memory
  }
  if (last === undefined) throw new Error('nothing to judge')
  return last
}
const times = (count: number, step: Step): Step[] => Array.from({ length: count }, () => step)
const verdicts = ({ samples }: Judgement) =>
  samples.map(({ busy, quality }) => (quality.kind === 'measured' ? busy : quality.reason))
const codes = ({ problems }: Judgement) => problems.map(({ code, object }) => `${code} ${object}`)
const node = (more: Partial<ExpectedNode> = {}): ExpectedNode => ({
  node: 'n1',
  gpus: 1,
  cut: false,
  instances: new Map(),
  replicas: 1,
  ...more,
})
const target = (kind: TargetState['kind']): TargetState => ({
  target: 't',
  node: 'n1',
  kind,
  lastSeen: undefined,
  detail: '',
})

const offering = (count: number) => [node({ cut: true, instances: new Map([['1g.10gb', count]]) })]
const replica = (vgpu: string, busy: number) =>
  gpu('a', { vgpu, busy: ratio(busy), holder: { namespace: 's', pod: `p${vgpu}`, container: 'c' } })

const pair = (busy: number, power: number) => [
  mig('a', '1', { busy: ratio(0), power: watts(power) }),
  mig('a', '2', { busy: ratio(busy), power: watts(power) }),
]

describe('a measured value', () => {
  it('passes, 0 included', () => {
    expect(
      verdicts(judge({ samples: [gpu('a', { busy: ratio(0.5) }), gpu('b', { busy: ratio(0), index: 1 })] })),
    ).toEqual([0.5, 0])
  })
})

describe('a counter stuck at zero', () => {
  const stuck = { samples: [gpu('a', { busy: ratio(0), kernelTime: ratio(0.98) })] }
  const idle = { samples: [gpu('a', { busy: ratio(0), kernelTime: ratio(0) })] }

  it('is doubted at once and reported when it lasts', () => {
    expect(verdicts(judge(stuck))).toEqual(['stuck-at-zero'])
    expect(codes(judge(...times(STUCK_AFTER_READINGS - 1, stuck)))).toEqual([])
    expect(codes(judge(...times(STUCK_AFTER_READINGS, stuck)))).toEqual(['stuck-at-zero node/n1'])
  })

  it('stays doubted while the GPU rests, until it moves', () => {
    const steps = times(STUCK_AFTER_READINGS, stuck)
    expect(verdicts(judge(...steps, idle))).toEqual(['stuck-at-zero'])
    expect(verdicts(judge(...steps, { samples: [gpu('a', { busy: ratio(0.4) })] }, idle))).toEqual([0])
  })

  it('contradictions with rests between them do not add up', () => {
    const steps = Array.from({ length: 3 * STUCK_AFTER_READINGS }, (_, index) => (index % 2 === 0 ? stuck : idle))
    expect(verdicts(judge(...steps, idle))).toEqual([0])
  })

  it('GPU_UTIL below a tenth is not a contradiction', () => {
    expect(verdicts(judge(...times(9, { samples: [gpu('a', { busy: ratio(0), kernelTime: ratio(0.09) })] })))).toEqual([
      0,
    ])
  })

  it('under MIG shows by the memory interface of the instance', () => {
    const bus = [mig('a', '1', { busy: ratio(0), memoryBus: ratio(0.3) }), mig('a', '2', { busy: ratio(0.9) })]
    expect(verdicts(judge({ samples: bus }))).toEqual(['stuck-at-zero', 0.9])
  })

  it('under MIG shows by the board’s power when all of its instances say 0', () => {
    const expected = offering(2)
    expect(verdicts(judge({ samples: pair(0, 600), expected }))).toEqual(['stuck-at-zero', 'stuck-at-zero'])
    expect(verdicts(judge({ samples: pair(0.9, 600), expected }))).toEqual([0, 0.9])
    expect(verdicts(judge({ samples: pair(0, 120), expected }))).toEqual([0, 0])
  })

  it('power says nothing while an instance is missing that may draw it', () => {
    const samples = [mig('a', '1', { busy: ratio(0), power: watts(600) })]
    expect(verdicts(judge({ samples, expected: offering(2) }))).toEqual([0])
    expect(verdicts(judge({ samples }))).toEqual([0])
  })
})

describe('GPU_UTIL', () => {
  it('is missing under MIG, whatever is exported', () => {
    const { samples } = judge({ samples: [mig('a', '1', { kernelTime: ratio(0) })] })
    expect(samples[0]).not.toHaveProperty('kernelTime')
    expect(samples[0]?.quality).toEqual({ kind: 'missing', reason: 'not-exported' })
    expect(
      verdicts(judge({ samples: [gpu('a', { kernelTime: ratio(0.5) })], expected: [node({ cut: true })] })),
    ).toEqual(['not-exported'])
  })

  it('stands in for a model without profiling counters, and this is said', () => {
    const judged = judge({ samples: [gpu('a', { model: 'Tesla P40', kernelTime: ratio(0.5) })] })
    expect(verdicts(judged)).toEqual([0.5])
    expect(codes(judged)).toEqual(['coarse-busy node/n1'])
  })

  it('is doubted at 0 where the memory or the power says that the GPU works', () => {
    const at0 = { kernelTime: ratio(0) }
    expect(verdicts(judge({ samples: [gpu('a', at0)] }))).toEqual([0])
    expect(verdicts(judge({ samples: [gpu('a', { ...at0, memoryBus: ratio(0.4) })] }))).toEqual(['stuck-at-zero'])
    expect(verdicts(judge({ samples: [gpu('a', { ...at0, power: watts(600) })] }))).toEqual(['stuck-at-zero'])
  })

  it('never stands in where some device of the model has counters', () => {
    const other = gpu('b', { index: 1, kernelTime: ratio(0.5) })
    expect(verdicts(judge({ samples: [gpu('a', { busy: ratio(0.5) })] }, { samples: [other] }))).toContain(
      'not-exported',
    )
  })
})

describe('a value that is not there', () => {
  it('never was exported', () => {
    const judged = judge({ samples: [mig('a', '1', { memoryUsed: mib(10) })] })
    expect(codes(judged)).toEqual(['busy-not-exported node/n1'])
    expect(judged.samples[0]?.memoryUsed).toBe(10)
  })

  it('was exported before: renamed, or taken by another profiler', () => {
    const judged = judge(
      { samples: [gpu('a', { busy: ratio(0.5) })] },
      ...times(3, { samples: [gpu('a', { memoryUsed: mib(1) })] }),
    )
    expect(verdicts(judged)).toEqual(['not-exported'])
    expect(judged.problems[0]).toMatchObject({ code: 'busy-vanished' })
    expect(judged.problems[0]?.message).toMatch(/DCGM_FI_PROF_GR_ENGINE_UTIL_RATIO/)
  })

  it.each(['out-of-range', 'duplicated-series'] as const)('was told unusably: %s', (reason) => {
    const judged = judge({ samples: [gpu('a', { kernelTime: ratio(0.5), unusable: { busy: reason } })] })
    expect(judged.samples[0]?.quality).toEqual({ kind: 'suspect', reason })
    expect(judged.samples[0]).not.toHaveProperty('busy')
  })
})

describe('a device that is not there', () => {
  const both = { samples: [mig('a', '1', { busy: ratio(0.1) }), mig('a', '2', { busy: ratio(0.2) })] }
  const first = { samples: [mig('a', '1', { busy: ratio(0.1) })] }

  it('a MIG device is missed by name', () => {
    const judged = judge(both, first)
    expect(verdicts(judged)).toEqual([0.1, 'missing-instance'])
    expect(judged.samples[1]).toMatchObject({ instance: { id: '2' } })
    expect(judged.samples[1]).not.toHaveProperty('busy')
  })

  it('not when its GPU was cut again', () => {
    const anew = { samples: [gpu('a', { instance: { id: '5', profile: '7g.80gb' }, busy: ratio(0.3) })] }
    expect(verdicts(judge(both, anew))).toEqual([0.3])
  })

  it('not when the inventory expects no more than is told', () => {
    expect(verdicts(judge(both, { ...first, expected: offering(1) }))).toEqual([0.1])
    expect(verdicts(judge(both, { ...first, expected: offering(2) }))).toEqual([0.1, 'missing-instance'])
  })

  it('one that nobody has seen is counted', () => {
    const judged = judge({ ...first, expected: [node({ cut: true, instances: new Map([['1g.10gb', 7]]) })] })
    expect(judged.problems).toMatchObject([
      { code: 'missing-instance', message: expect.stringMatching(/6 of 7 1g.10gb/) as string },
    ])
  })

  it('a whole GPU that vanished from a node that still reports', () => {
    const two = { samples: [gpu('a', { busy: ratio(0.1) }), gpu('b', { busy: ratio(0.2), index: 1 })] }
    const judged = judge(two, { samples: [gpu('a', { busy: ratio(0.1) })] })
    expect(verdicts(judged)).toEqual([0.1, 'no-telemetry'])
    expect(codes(judged)).toEqual(['gpu-vanished node/n1'])
  })

  it('an exporter that stopped', () => {
    const judged = judge({ ...both, targets: [target('up')] }, { samples: [], targets: [target('stale')] })
    expect(verdicts(judged)).toEqual(['stale-target', 'stale-target'])
    expect(codes(judged)).toEqual(['stale-target node/n1'])
  })

  it('is forgotten after a while without an inventory, and at once when its node is gone', () => {
    expect(verdicts(judge(both, { samples: [], later: 3_600_000 }))).toEqual([])
    expect(verdicts(judge(both, { samples: [], expected: [] }))).toEqual([])
  })

  it('a node without any exporter', () => {
    expect(codes(judge({ samples: [], expected: [node({ gpus: 8 })] }))).toEqual(['no-telemetry node/n1'])
  })
})

describe('a shared GPU', () => {
  it('whose replicas repeat the device measures the device, and no pod', () => {
    const judged = judge({ samples: [replica('0', 0.7), replica('1', 0.7)] })
    expect(judged.samples.map(({ vgpu, holder, busy }) => [vgpu, holder?.pod, busy])).toEqual([
      [undefined, undefined, 0.7],
      ['0', 'p0', undefined],
      ['1', 'p1', undefined],
    ])
    expect(codes(judged)).toEqual(['not-attributable node/n1'])
  })

  it('whose replicas differ is measured by pod, and the device is their sum', () => {
    expect(verdicts(judge({ samples: [replica('0', 0.25), replica('1', 0.5)] }))).toEqual([0.75, 0.25, 0.5])
  })

  it('that rests is at rest for each pod', () => {
    expect(verdicts(judge({ samples: [replica('0', 0), replica('1', 0)] }))).toEqual([0, 0, 0])
  })

  it('keeps the device’s own series where there is one', () => {
    expect(
      verdicts(judge({ samples: [gpu('a', { busy: ratio(0.7) }), replica('0', 0.7), replica('1', 0.7)] })),
    ).toEqual([0.7, 'not-attributable', 'not-attributable'])
  })

  it('without replica labels is named, once a pod is there', () => {
    const held = gpu('a', { busy: ratio(0.7), holder: { namespace: 's', pod: 'p', container: 'c' } })
    expect(codes(judge({ samples: [held], expected: [node({ replicas: 4 })] }))).toEqual(['not-attributable node/n1'])
    expect(codes(judge({ samples: [gpu('a', { busy: ratio(0) })], expected: [node({ replicas: 4 })] }))).toEqual([])
    // One of its GPUs is enough.
    const both = [held, gpu('b', { busy: ratio(0) })]
    expect(codes(judge({ samples: both, expected: [node({ replicas: 4 })] }))).toEqual(['not-attributable node/n1'])
  })
})

describe('clocks', () => {
  it.each([
    ['in the future', 61_000],
    ['long past', -601_000],
  ])('a sample %s is not used', (_, offset) => {
    const now = instant(START)
    const samples = [gpu('a', { busy: ratio(0.5), at: instant(START + offset) })]
    const judged = judgeReading({ reading: { at: now, samples, targets: [], problems: [] }, memory: undefined, now })
    expect(verdicts(judged)).toEqual(['clock-skew'])
    const [problem, ...others] = judged.problems.filter(({ code }) => code === 'clock-skew')
    expect(others).toEqual([])
    expect(problem?.message).toMatch(/^Node n1\b.* are not used\. Synchronize the clocks/u)
  })
})

describe('many nodes with one trouble', () => {
  it('make one sentence', () => {
    const samples = Array.from({ length: 50 }, (_, index) => mig(`g${index}`, '1', { node: `n${index}` }))
    expect(judge({ samples }).problems).toMatchObject([
      { code: 'busy-not-exported', object: 'telemetry', message: expect.stringMatching(/^50 nodes/) as string },
    ])
  })
})

describe('whatever the readings', () => {
  const share = fc.option(fc.constantFrom(0, 0.05, 0.5, 1), { nil: undefined })
  const sample = fc.record({
    id: fc.constantFrom('a', 'b'),
    instance: fc.option(fc.constantFrom('1', '2'), { nil: undefined }),
    vgpu: fc.option(fc.constantFrom('0', '1'), { nil: undefined }),
    busy: share,
    kernelTime: share,
  })
  const reading = fc.uniqueArray(sample, {
    maxLength: 6,
    selector: ({ id, instance, vgpu }) => `${id} ${instance} ${vgpu}`,
  })

  it('busy is there exactly when the quality is measured, and each device is judged once', () => {
    fc.assert(
      fc.property(fc.array(reading, { minLength: 1, maxLength: 8 }), (readings) => {
        const steps = readings.map((found) => ({
          samples: found.map(({ id, instance, vgpu, busy, kernelTime }) => ({
            ...(instance === undefined ? gpu(id) : mig(id, instance)),
            ...(vgpu === undefined ? {} : { vgpu }),
            ...(busy === undefined ? {} : { busy: ratio(busy) }),
            ...(kernelTime === undefined ? {} : { kernelTime: ratio(kernelTime) }),
          })),
        }))
        const { samples, memory } = judge(...steps)
        for (const one of samples) expect(one.busy !== undefined).toBe(one.quality.kind === 'measured')
        const keys = samples.map((one) => `${one.gpu} ${one.instance?.id} ${one.vgpu}`)
        expect(new Set(keys).size).toBe(keys.length)
        expect(memory.devices.size).toBe(samples.length)
      }),
    )
  })
})

describe('an exporter that says the full name of its host', () => {
  const full = { node: 'n1.example.com' }

  it('tells of the node that Kubernetes knows by its short name', () => {
    const expected = [node({ gpus: 1 })]
    expect(codes(judge({ samples: [gpu('a', { busy: ratio(0.4), ...full })], expected }))).toEqual([])
  })

  it('is held to what the node is: GPU_UTIL of a cut node stays unused', () => {
    const expected = [node({ cut: true })]
    const [sample] = judge({ samples: [gpu('a', { kernelTime: ratio(0.4), ...full })], expected }).samples
    expect(sample).toMatchObject({ node: 'n1', quality: { kind: 'missing', reason: 'not-exported' } })
  })

  it('is missed under the same name when it falls silent', () => {
    const expected = [node()]
    const samples = [gpu('a', { busy: ratio(0.4), ...full })]
    const lost = judge({ samples, expected }, { samples: [], expected, targets: [{ ...target('down'), ...full }] })
    expect(verdicts(lost)).toEqual(['stale-target'])
  })
})
