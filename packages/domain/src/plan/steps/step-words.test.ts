import { describe, expect, test } from 'vitest'

import { draw, DRAWN_AT } from '../../cluster/draw.fixture.ts'
import { instant } from '../../units.ts'
import { openFleet } from '../../fleet/fleet.ts'
import type { Action, GpuChange } from '../words/action.ts'
import { describeAction, sharingWords, stepRequestWords, switchesMode, wordsFor } from './step-words.ts'

const drawn = draw`
  a  A100-SXM4-80GB  [3g.40gb lab/web] [3g.40gb -]
  a  A100-SXM4-80GB  [-]
  h  H100-80GB-HBM3  [-]`
const state = openFleet(drawn)
const words = (action: Action) => Object.values(wordsFor(action, state))
const gpus = (count: number) => [{ resource: 'nvidia.com/gpu', count }]
const instance = { profile: '3g.40gb', placement: { start: 4, size: 4 } }
const cut = (index: number, more: Partial<GpuChange> = {}): GpuChange => ({
  gpu: `GPU-a-${index}`,
  index,
  from:
    index === 0
      ? { migEnabled: true, layout: [{ profile: '3g.40gb', placement: { start: 0, size: 4 } }, instance] }
      : { migEnabled: false, layout: [] },
  to: index === 0 ? { migEnabled: true, geometry: { '3g.40gb': 2 } } : { migEnabled: false, geometry: {} },
  ...more,
})

/** What a step is called, what is true after it, and how it is listed among others. */
const CASES: readonly (readonly [Action, string, string, string])[] = [
  [{ kind: 'cordon', node: 'a' }, 'Cordon a', 'No new pod starts on a; running pods continue.', 'Cordon a'],
  [{ kind: 'uncordon', node: 'a' }, 'Uncordon a', 'Pods may start on a again.', 'Uncordon a'],
  [
    { kind: 'uncordon', node: 'a', landed: [{ workload: 'lab/Job/x', pods: 2 }] },
    'Uncordon a once lab/Job/x runs elsewhere',
    'Pods may start on a again.',
    'Uncordon a',
  ],
  [
    {
      kind: 'remove-node',
      node: 'a',
      landed: ['x', 'y'].map((name) => ({ workload: `lab/Job/${name}`, pods: 1 })),
    },
    'Remove a once the 2 workloads of evicted pods run elsewhere; this cannot be undone',
    'Pods without a GPU leave a by their disruption budgets, then the machine is removed.',
    'Remove a',
  ],
  [
    { kind: 'evict', pod: 'lab/web', uid: 'u', workload: 'lab/Pod/web', because: 'it is in the way' },
    'Evict lab/web: it is in the way',
    'lab/web stops; its controller creates a new pod, which waits until it can be scheduled.',
    'Evict lab/web',
  ],
  [
    { kind: 'create-instance', gpu: 'GPU-1', instance },
    'Make 3g.40gb at memory slice 4 on GPU GPU-1',
    'A claim for 3g.40gb finds room there; its neighbors are unaffected. The driver makes the instance when it prepares the claim.',
    'Make 3g.40gb on GPU GPU-1',
  ],
  [
    { kind: 'delete-instance', gpu: 'GPU-1', instance },
    'Remove 3g.40gb at memory slice 4 from GPU GPU-1',
    'Its memory and compute slices are free; its neighbors are unaffected. The driver removes the instance when its claim is released.',
    'Remove 3g.40gb from GPU GPU-1',
  ],
  [
    { kind: 'resize', workload: 'lab/Job/x', from: gpus(2), to: [] },
    'Give each pod of lab/Job/x no GPU instead of 2 × nvidia.com/gpu',
    'The pods of lab/Job/x are replaced and ask for no GPU.',
    'Give each pod of lab/Job/x no GPU',
  ],
  [
    { kind: 'scale', workload: 'lab/web', from: 2, to: 0 },
    'Scale lab/web from 2 to 0 pods',
    'lab/web stops and its GPUs are free.',
    'Scale lab/web to 0',
  ],
  [
    { kind: 'scale', workload: 'lab/web', from: 2, to: 1 },
    'Scale lab/web from 2 to 1 pod',
    'lab/web runs with 1 pod; its controller chooses which 1 of 2 go.',
    'Scale lab/web to 1',
  ],
  [
    { kind: 'scale', workload: 'lab/web', from: 2, to: 3 },
    'Scale lab/web from 2 to 3 pods',
    'lab/web runs with 3 pods; its controller makes the others.',
    'Scale lab/web to 3',
  ],
  [
    { kind: 'share', node: 'a', from: { kind: 'none' }, to: { kind: 'time-slicing', replicas: 4 }, tenant: 'lab' },
    'Share the GPUs of a: 4 replicas by time-slicing instead of no sharing',
    'Each GPU of a serves 4 pods. Nothing isolates their memory or faults. Keep namespaces other than lab off this node by a taint.',
    'Share the GPUs of a: 4 replicas by time-slicing',
  ],
  [
    { kind: 'share', node: 'a', from: { kind: 'none' }, to: { kind: 'mps', replicas: 2 }, tenant: 'lab' },
    'Share the GPUs of a: 2 replicas by MPS instead of no sharing',
    'Each GPU of a serves 2 pods. Memory and threads are split evenly; a fault of one pod can stop the others. Keep namespaces other than lab off this node by a taint.',
    'Share the GPUs of a: 2 replicas by MPS',
  ],
  [
    { kind: 'share', node: 'a', from: { kind: 'mps', replicas: 2 }, to: { kind: 'none' }, tenant: '' },
    'Share the GPUs of a: no sharing instead of 2 replicas by MPS',
    'Each GPU of a serves one pod again.',
    'Share the GPUs of a: no sharing',
  ],
  [
    {
      kind: 'keep-free',
      nodes: [{ node: 'a', gpus: 1 }],
      at: DRAWN_AT,
      until: instant(DRAWN_AT + 1000),
    },
    'See that 1 GPU on 1 node is free',
    'Pods that still hold one are named. The nodes stay closed to all other pods until the appointment is over.',
    'Keep 1 GPU on 1 node free',
  ],
  [
    {
      kind: 'keep-free',
      nodes: ['a', 'b'].map((node) => ({ node, gpus: 2 })),
      at: DRAWN_AT,
      until: DRAWN_AT,
      profile: '3g.40gb',
    },
    'See that 4 × 3g.40gb on 2 nodes are free',
    'Pods that still hold one are named. The nodes stay closed to all other pods until the appointment is over.',
    'Keep 4 × 3g.40gb on 2 nodes free',
  ],
  ...(
    [
      ['spot', 'T4', 'in pool spot on T4', 'Let lab/Job/x run on T4 in spot'],
      ['spot', '', 'in pool spot', 'Let lab/Job/x run on spot'],
      ['', 'T4', 'on T4', 'Let lab/Job/x run on T4'],
      ['', '', 'wherever there is room', 'Let lab/Job/x run as it was allowed before'],
    ] as const
  ).map(([pool, model, where, listed]): readonly [Action, string, string, string] => [
    {
      kind: 'reschedule',
      workload: 'lab/Job/x',
      rules: { nodeSelector: {}, hasAffinity: false },
      from: { pool: '', model: '', requests: gpus(1) },
      to: { pool, model, requests: gpus(1) },
    },
    `Let lab/Job/x run ${where}`,
    `The scheduler may start lab/Job/x ${where} with 1 × nvidia.com/gpu.`,
    listed,
  ]),
]

test.for(CASES)('$1', ([action, title, effect, listed]) => {
  expect(wordsFor(action, state)).toEqual({ title, effect })
  expect(describeAction(action)).toBe(listed)
})

describe('an eviction', () => {
  const evict: Action = { kind: 'evict', pod: 'lab/web', uid: 'u', workload: 'lab/Pod/web', because: 'it must' }
  const effectWith = (peers: number, managed = true) => {
    const [pod] = drawn.pods
    const [workload] = drawn.workloads
    if (pod === undefined || workload === undefined) throw new Error('nothing is drawn')
    const others = Array.from({ length: peers }, (_, at) => ({ ...pod, id: `lab/web-${at}` }))
    const pods = [{ ...pod, scheduling: { ...pod.scheduling, managed } }, ...others]
    return wordsFor(evict, openFleet({ ...drawn, pods, workloads: [{ ...workload, pods: pods.map(({ id }) => id) }] }))
      .effect
  }
  test('is for good where nothing makes the pod again', () => {
    expect(effectWith(0, false)).toBe('lab/web stops for good: it has no controller.')
  })
  test('says that the other pods may stop too', () => {
    expect(effectWith(1)).toContain(' The 1 other pod of lab/Pod/web may stop too if all act as one.')
    expect(effectWith(2, false)).toContain(' The 2 other pods of lab/Pod/web may stop too if all act as one.')
  })
})

const of = (...changes: readonly GpuChange[]): Action => ({
  kind: 'repartition',
  node: 'a',
  config: 'septet-1',
  gpus: changes,
})

describe('a new partition', () => {
  const pause =
    'The device plugin, GPU feature discovery and DCGM of a are down meanwhile: no new GPU pod starts there and telemetry has a gap.'
  const restart = '; where that does not succeed, the node must restart (WITH_REBOOT), which stops every pod on it.'

  test('names GPUs that change and counts those that do not', () => {
    const change = of(cut(0, { to: { migEnabled: true, geometry: { '1g.10gb': 7 } } }), cut(1))
    expect(words(change)).toEqual([
      'Repartition 1 of 2 GPUs of a (configuration septet-1)',
      `GPU 0 becomes 7 × 1g.10gb. GPUs that do not change are unaffected: 1. ${pause}`,
    ])
    expect(switchesMode(change)).toBe(false)
    expect(describeAction(change)).toBe('Repartition a: GPU 0: 7 × 1g.10gb')
  })
  test('lists GPUs with one geometry together', () => {
    const to = { migEnabled: true, geometry: {} }
    expect(describeAction(of(cut(0, { to }), cut(1, { to })))).toBe(
      'Repartition a: GPU 0, 1: MIG mode without instances',
    )
    const whole = { migEnabled: false, geometry: {} }
    expect(describeAction(of(cut(0, { to: whole }), cut(1, { to })))).toBe(
      'Repartition a: GPU 0: a whole GPU; GPU 1: MIG mode without instances',
    )
  })
  test('says what a change of MIG mode does, which resets GPUs of the Ampere generation', () => {
    const to = { migEnabled: true, geometry: {} }
    const change = of(cut(0), cut(1, { to }))
    expect(words(change)[1]).toBe(
      `GPU 1 becomes MIG mode without instances. GPUs that do not change are unaffected: 1. ${pause} MIG mode changes, which resets the GPU on this generation${restart}`,
    )
    expect(switchesMode(change)).toBe(true)
    const hopper: Action = {
      kind: 'repartition',
      node: 'h',
      config: 'septet-2',
      gpus: [{ gpu: 'GPU-h-0', index: 0, from: { migEnabled: false, layout: [] }, to }],
    }
    expect(wordsFor(hopper, state).title).toBe('Repartition 1 of 1 GPU of h (configuration septet-2)')
    expect(wordsFor(hopper, state).effect).toContain(
      ` MIG mode changes, for which every GPU client of the node stops${restart}`,
    )
  })
})

test('requests and sharing in a few words', () => {
  expect(stepRequestWords([...gpus(2), { resource: 'nvidia.com/mig-1g.10gb', count: 1 }])).toBe(
    '2 × nvidia.com/gpu + 1 × nvidia.com/mig-1g.10gb',
  )
  expect(stepRequestWords([])).toBe('no GPU')
  expect(sharingWords({ kind: 'mps', replicas: 3 })).toBe('3 replicas by MPS')
})
