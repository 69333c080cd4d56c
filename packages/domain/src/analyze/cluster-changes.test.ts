import { expect, test } from 'vitest'

import { draw } from '../cluster/draw.fixture.ts'
import type { ClusterSnapshot } from '../cluster/inventory.ts'
import { instant, type Instant } from '../units.ts'
import { type ChangeMemory, clusterChanges, rememberChanges } from './cluster-changes.ts'
import type { JudgedSample } from './sample.ts'

const SNAPSHOT = draw`
  node-a  A100-SXM4-80GB  [7g.80gb train-1]
  node-b  A100-SXM4-80GB  [7g.80gb -]
`
const [GPU = ''] = SNAPSHOT.nodes.flatMap(({ gpus }) => gpus.map(({ id }) => id))
const START = instant(1_795_000_000_000)
const at = (minute: number): Instant => instant(START + minute * 60_000)

const sample = (minute: number, rest: Partial<JudgedSample> = {}): JudgedSample => ({
  at: at(minute),
  node: 'node-a',
  gpu: GPU,
  index: 0,
  model: '',
  quality: { kind: 'measured' },
  ...rest,
})

/** The kinds and objects of what happened at each look. */
function look(
  looks: readonly { minute: number; samples?: readonly JudgedSample[]; snapshot?: ClusterSnapshot }[],
  memory: ChangeMemory = rememberChanges(undefined, []),
) {
  let known = memory
  return looks.map(({ minute, samples = [], snapshot = SNAPSHOT }) => {
    const found = clusterChanges(known, { snapshot, samples, now: at(minute) })
    known = found.memory
    return found.events
  })
}
const kinds = (looks: ReturnType<typeof look>) => looks.map((events) => events.map(({ kind }) => kind))

test('an XID is an event once, however long the exporter shows it, and again after it was cleared or another came', () => {
  const codes = [0, 79, 79, undefined, 79, 31, 0, 31]
  const found = look(
    codes.map((xid, minute) => ({ minute, samples: [sample(minute, xid === undefined ? {} : { xid })] })),
  )
  expect(kinds(found)).toEqual([[], ['xid'], [], [], [], ['xid'], ['xid-cleared'], ['xid']])
  const [event] = found[1] ?? []
  expect(event).toMatchObject({ object: `gpu/${GPU}`, figures: { code: 79, node: 'node-a' }, at: at(1) })
  expect(new Set(found.flat().map(({ id }) => id)).size).toBe(4)
})

test('after a restart a code that was stored is nothing new; one that is there at the very first look may be older', () => {
  const [, second = []] = look([{ minute: 0 }, { minute: 1, samples: [sample(1, { xid: 79 })] }])
  const memory = rememberChanges(SNAPSHOT, second)
  expect(kinds(look([{ minute: 2, samples: [sample(2, { xid: 79 })] }], memory))).toEqual([[]])
  const [first = []] = look([{ minute: 0, samples: [sample(0, { xid: 79 })] }])
  expect(first[0]?.message).toContain('may be older')
})

test('nodes that come and go are told, but not those of the first look', () => {
  const less = { ...SNAPSHOT, nodes: SNAPSHOT.nodes.slice(0, 1) }
  const found = look([{ minute: 0 }, { minute: 1, snapshot: less }, { minute: 2 }])
  expect(found.map((events) => events.map(({ kind, object }) => [kind, object]))).toEqual([
    [],
    [['node-gone', 'node/node-b']],
    [['node-joined', 'node/node-b']],
  ])
})

test('a MIG change is told when it has ended, well or not', () => {
  const states = [
    withMig('all-1g', 'success'),
    withMig('all-2g', 'pending'),
    withMig('all-2g', 'failed'),
    withMig('all-2g', 'failed'),
    withMig('all-3g', 'success'),
  ]
  const found = look(states.map((snapshot, minute) => ({ minute, snapshot })))
  expect(kinds(found)).toEqual([[], [], ['mig-change-failed'], [], ['mig-change']])
})

test('a node that was heard and gives nothing for five minutes is told, and that it is back', () => {
  const found = look([
    { minute: 0, samples: [sample(0)] },
    { minute: 4 },
    { minute: 5 },
    { minute: 6 },
    { minute: 7, samples: [sample(7)] },
  ])
  expect(kinds(found)).toEqual([[], [], ['telemetry-missing'], [], ['telemetry-back']])
})

const withMig = (config: string, state: 'pending' | 'success' | 'failed'): ClusterSnapshot => ({
  ...SNAPSHOT,
  nodes: SNAPSHOT.nodes.map((node) =>
    node.name === 'node-a' ? { ...node, mig: { ...node.mig, config, state } } : node,
  ),
})

/** What was told at the last of these looks. */
const told = (...args: Parameters<typeof look>): readonly (string | undefined)[] =>
  (look(...args).at(-1) ?? []).map(({ message }) => message)

const cut = (state: 'success' | 'failed') => [{ minute: 0 }, { minute: 1, snapshot: withMig('all-1g', state) }]

test('each change is told in a sentence', () => {
  const heard = { minute: 0, samples: [sample(0, { xid: 79 })] }
  expect(told([{ minute: 0 }, { minute: 1, samples: [sample(1, { xid: 79 })] }])).toEqual([
    `GPU ${GPU} on node-a reported XID 79.`,
  ])
  expect(told([heard, { minute: 1, samples: [sample(1, { xid: 0 })] }])).toEqual([
    `GPU ${GPU} on node-a no longer reports an XID: its driver was restarted.`,
  ])
  const less = { ...SNAPSHOT, nodes: SNAPSHOT.nodes.slice(0, 1) }
  expect(told([{ minute: 0 }, { minute: 1, snapshot: less }])).toEqual(['Node node-b is no longer in the cluster.'])
  expect(told([{ minute: 0, snapshot: less }, { minute: 1 }])).toEqual(['Node node-b joined the cluster with 1 GPU.'])
  expect(told(cut('success'))).toEqual(['Node node-a has the MIG configuration all-1g.'])
  expect(told(cut('failed'))).toEqual(['The MIG change of node-a to all-1g failed.'])
  expect(told([heard, { minute: 5 }])).toEqual(['Node node-a has reported no metrics for 5 min.'])
  expect(told([heard, { minute: 5 }, { minute: 6, samples: [sample(6, { xid: 79 })] }])).toEqual([
    'Node node-a reports metrics again.',
  ])
})

const namespaceOf = (snapshot: ClusterSnapshot): string | undefined =>
  look([{ minute: 0, snapshot, samples: [sample(0, { xid: 79 })] }])[0]?.[0]?.namespace

const gpu = (holders: string) => draw`node-a  A100-SXM4-80GB  ${holders}`

test('a fault is told to the one namespace that holds the GPU, to nobody’s where several do', () => {
  expect(namespaceOf(SNAPSHOT)).toBe('team')
  expect(namespaceOf(gpu('[3g.40gb lab/a] [3g.40gb lab/b]'))).toBe('lab')
  expect(namespaceOf(gpu('[3g.40gb lab/a] [3g.40gb web/b]'))).toBeUndefined()
  expect(namespaceOf(gpu('[-]'))).toBeUndefined()
})

const event = (kind: 'xid' | 'xid-cleared', code: number) => ({ kind, object: 'gpu/GPU-1', figures: { code } })

test('what is remembered of stored events is the newest of each GPU, and that a code was cleared', () => {
  expect(rememberChanges(undefined, [event('xid', 79), event('xid', 31)]).xids.get('GPU-1')).toBe(79)
  expect(rememberChanges(undefined, [event('xid-cleared', 0), event('xid', 31)]).xids.get('GPU-1')).toBe(0)
})
