import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { GpuChange } from '../../plan/words/action.ts'
import { decideStep } from './decide-step.ts'
import { asPlanned } from './repartition-step.ts'
import { context, decided } from './decide.fixture.ts'
import { DEFAULT_PATIENCE, type StepContext } from './decision.ts'
import { textAt } from '../live-object.ts'
import { hasConfig, withConfig } from './mig-config-text.ts'

const GPU: GpuChange = {
  gpu: 'GPU-1',
  index: 0,
  from: { migEnabled: true, layout: [] },
  to: { migEnabled: true, geometry: { '1g.10gb': 7 } },
}
const CUT = { kind: 'repartition', node: 'n', config: 'septet-1', gpus: [GPU] } as const
const MAP = 'version: v1\nmig-configs:\n  all-disabled:\n    - devices: all\n      mig-enabled: false\n'

const nodeWith = (labels: Readonly<Record<string, string>>, allocatable: Readonly<Record<string, string>> = {}) => ({
  metadata: { labels: { 'nvidia.com/mig.strategy': 'mixed', ...labels }, resourceVersion: '7' },
  spec: {},
  status: { allocatable },
})
const mapWith = (text: string, time = '2026-11-23T10:00:00Z') => ({
  metadata: { resourceVersion: '9', managedFields: [{ manager: 'septet', time }] },
  data: { 'config.yaml': text },
})
const manager = (createdAt: string) => ({
  metadata: { name: 'mig-manager-x', uid: 'u1', creationTimestamp: createdAt },
  status: { conditions: [{ type: 'Ready', status: 'True' }] },
})
const policy = { spec: { migManager: { config: { name: 'own' } } } }
const KNOWN = withConfig(MAP, 'septet-1', [GPU]) ?? ''

const cut = (cluster: Parameters<typeof decided>[1], more: Partial<StepContext> = {}) =>
  decided(decideStep(CUT, context(more)), cluster)

const worn = (state: string, allocatable = {}) =>
  cut({
    nodes: [nodeWith({ 'nvidia.com/mig.config': 'septet-1', 'nvidia.com/mig.config.state': state }, allocatable)],
  })

const inUse = () => 'Something uses GPU 0 of a.'

const BEFORE = { nodes: [nodeWith({ 'nvidia.com/mig.config': 'old' })], clusterpolicies: [policy] }

const holder = (more: object) => ({
  metadata: { namespace: 'ml', name: 'p', uid: 'p1', ...more },
  spec: { containers: [{ resources: { limits: { 'nvidia.com/gpu': '1' } } }] },
  status: { phase: 'Running' },
})

/** With these pods on the node, beside the manager. */
const beside = (...more: readonly object[]) => ({
  ...BEFORE,
  configmaps: [mapWith(KNOWN)],
  pods: [manager('2026-11-23T11:00:00Z'), ...more.map((each) => ({ ...each }))],
})

/** What is decided on the way back where the label says this; the cut before it was septet-2. */
const takenBack = (config: string, state: string) =>
  decided(decideStep({ ...CUT, replaces: 'septet-2' }, context({ isUndo: true })), {
    ...BEFORE,
    nodes: [nodeWith({ 'nvidia.com/mig.config': config, 'nvidia.com/mig.config.state': state })],
    configmaps: [mapWith(KNOWN)],
    pods: [manager('2026-11-23T11:00:00Z')],
  })

describe('a cut', () => {
  test('adds its configuration, has the manager read it, and sets the label, one write after the other', () => {
    expect(cut({ ...BEFORE, configmaps: [mapWith(MAP)] })).toMatchObject({ kind: 'write', key: 'config' })
    const known = { ...BEFORE, configmaps: [mapWith(KNOWN)] }
    const old = { ...known, pods: [manager('2026-11-23T10:00:00Z')] }
    expect(cut(old)).toMatchObject({ kind: 'write', key: 'restart-manager', write: { verb: 'delete', uid: 'u1' } })
    // Within one second nobody knows which was first, so that what was done is remembered.
    expect(cut(old, { written: new Map([['restart-manager', 1]]) })).toMatchObject({ key: 'label' })
    // What is prepared changes no GPU; the cut itself waits until nothing is seen at it.
    expect(cut(old, { inUse })).toMatchObject({ key: 'restart-manager' })
    const ready = { written: new Map([['restart-manager', 1]]), inUse }
    expect(cut(old, ready)).toMatchObject({ kind: 'wait', because: 'Something uses GPU 0 of a.' })
    expect(cut(old, { ...ready, isUndo: true })).toMatchObject({ key: 'label' })
    expect(cut({ ...known, pods: [manager('2026-11-23T10:00:01Z')] })).toMatchObject({
      key: 'label',
      write: {
        type: 'json',
        body: [
          { op: 'test', path: '/metadata/resourceVersion', value: '7' },
          { op: 'add', value: 'septet-1' },
        ],
      },
    })
  })

  test('waits for the state, then for what the kubelet offers', () => {
    expect(worn('pending')).toMatchObject({ kind: 'wait', atMostMs: DEFAULT_PATIENCE.reconfigure })
    expect(worn('rebooting')).toMatchObject({ kind: 'wait', atMostMs: DEFAULT_PATIENCE.reboot })
    expect(worn('success', { 'nvidia.com/mig-1g.10gb': '6' })).toMatchObject({ kind: 'wait' })
    expect(worn('success', { 'nvidia.com/mig-1g.10gb': '7' })).toMatchObject({ kind: 'done' })
    expect(worn('failed')).toMatchObject({ kind: 'failed' })
  })

  test('does not overwrite what somebody has set since', () => {
    const drifted = { nodes: [nodeWith({ 'nvidia.com/mig.config': 'theirs' })] }
    expect(cut(drifted, { written: new Map([['label', 1]]) })).toMatchObject({ kind: 'failed' })
    const planned = { action: CUT, preconditions: [{ kind: 'mig-settled', node: 'a', config: 'old' }] } as const
    const since = (nodes: Parameters<typeof decided>[1]) =>
      decided(decideStep(asPlanned(planned), context()), { ...BEFORE, configmaps: [mapWith(MAP)], ...nodes })
    expect(since(drifted)).toMatchObject({ kind: 'failed', because: expect.stringContaining('to "theirs" meanwhile') })
    expect(since({})).toMatchObject({ kind: 'write', key: 'config' })
  })

  test('waits for somebody else’s change; on the way back it frees services that hang', () => {
    const hangs = {
      ...BEFORE,
      nodes: [
        nodeWith({
          'nvidia.com/mig.config': 'septet-2',
          'nvidia.com/mig.config.state': 'pending',
          'nvidia.com/gpu.deploy.device-plugin': 'paused-for-mig-change',
        }),
      ],
      configmaps: [mapWith(KNOWN)],
      pods: [manager('2026-11-23T11:00:00Z')],
    }
    expect(cut(hangs)).toMatchObject({ kind: 'wait' })
    const back = cut(hangs, { isUndo: true })
    expect(JSON.stringify(back)).toContain('/metadata/labels/nvidia.com~1gpu.deploy.device-plugin')
  })

  test('gives way to a layout that somebody else has set, on the way back to the one before', () => {
    expect(takenBack('theirs', 'success')).toEqual({
      kind: 'done',
      because: 'n has the MIG layout "theirs", which Septet did not set and leaves unchanged.',
    })
    expect(takenBack('theirs', 'pending')).toEqual({
      kind: 'wait',
      because: 'mig-manager is applying "theirs" to n.',
      atMostMs: DEFAULT_PATIENCE.reconfigure,
    })
    expect(takenBack('septet-2', 'success')).toMatchObject({ key: 'label' })
  })

  test('waits until pods that stop have left its GPUs, by what the API server says now', () => {
    const stopping = holder({ deletionTimestamp: '2026-11-23T11:00:00Z', deletionGracePeriodSeconds: 90 })
    const unread = { isBeside: () => false }
    const waits = { kind: 'wait', because: 'ml/p still holds a GPU of n.' }
    const { leave } = DEFAULT_PATIENCE
    expect(cut(beside(stopping), unread)).toEqual({ ...waits, atMostMs: leave + 90_000 })
    expect(cut(beside(holder({})), unread)).toEqual({ ...waits, atMostMs: leave })
    expect(cut(beside({ ...stopping, status: { phase: 'Succeeded' } }), unread)).toMatchObject({ key: 'label' })
    // It was read to hold another GPU of the node.
    expect(cut(beside(stopping), { isBeside: (_, pod) => textAt(pod, 'metadata', 'uid') === 'p1' })).toMatchObject({
      key: 'label',
    })
    // Who is to be evicted is still there.
    expect(cut(beside(holder({})), { ...unread, isRehearsal: true })).toMatchObject({ key: 'label' })
  })

  test('that failed is tried once more on the way back, by a new start of the manager', () => {
    const labels = { 'nvidia.com/mig.config': 'septet-1' }
    const nodes = [nodeWith({ ...labels, 'nvidia.com/mig.config.state': 'failed' })]
    const cluster = { nodes, pods: [manager('2026-11-23T11:00:00Z')] }
    // Until the manager has started, the old result would be taken for the new one.
    expect(cut(cluster, { isUndo: true })).toMatchObject({
      key: 'forget-failure',
      write: { body: [{ op: 'test', value: 'failed' }, { op: 'remove' }] },
    })
    const forgotten = { ...cluster, nodes: [nodeWith(labels)] }
    expect(cut(forgotten, { isUndo: true })).toMatchObject({ key: 'restart-after-failure', write: { verb: 'delete' } })
    const again = { isUndo: true, written: new Map([['restart-after-failure', 1]]) }
    expect(cut(forgotten, again)).toMatchObject({ kind: 'wait', because: 'mig-manager repartitions n.' })
    expect(cut(forgotten, { isUndo: true, written: new Map([['label', 1]]) })).toMatchObject({ kind: 'wait' })
    const gaveUp = {
      kind: 'failed',
      because: 'mig-manager failed to partition n. Usually a process still holds a GPU; see its log on the node.',
    }
    expect(cut(cluster, { isUndo: true, written: new Map([['restart-after-failure', 1]]) })).toEqual(gaveUp)
    expect(cut({ nodes }, { isUndo: true })).toEqual(gaveUp)
    expect(cut(cluster)).toEqual(gaveUp)
  })

  test('is over once the node offers what the plan says, of each size, and its GPU services go on', () => {
    const { reconfigure: _, settle } = DEFAULT_PATIENCE
    expect(worn('success', { 'nvidia.com/mig-1g.10gb': '6' })).toEqual({
      kind: 'wait',
      because: 'n offers 6 nvidia.com/mig-1g.10gb, not yet 7.',
      atMostMs: settle,
    })
    const labels = { 'nvidia.com/mig.config': 'septet-1', 'nvidia.com/mig.config.state': 'success' }
    const paused = { ...labels, 'nvidia.com/gpu.deploy.device-plugin': 'paused-for-mig-change' }
    expect(cut({ nodes: [nodeWith(paused, { 'nvidia.com/mig-1g.10gb': '7' })] })).toMatchObject({
      because: 'GPU services of n are still paused.',
    })
    const single = nodeWith({ ...labels, 'nvidia.com/mig.strategy': 'single' }, { 'nvidia.com/gpu': '7' })
    expect(cut({ nodes: [single] })).toEqual({ kind: 'done', because: 'n has the layout septet-1.' })
  })

  test('is not over while the node still offers what is no longer there', () => {
    const layout = [{ profile: '3g.40gb', placement: { start: 0, size: 4 } }]
    const whole = { ...GPU, from: { migEnabled: true, layout }, to: { migEnabled: false, geometry: {} } }
    const joined = (allocatable: Readonly<Record<string, string>>) =>
      decided(decideStep({ ...CUT, gpus: [whole] }, context()), {
        nodes: [
          nodeWith({ 'nvidia.com/mig.config': 'septet-1', 'nvidia.com/mig.config.state': 'success' }, allocatable),
        ],
      })
    expect(joined({ 'nvidia.com/gpu': '1', 'nvidia.com/mig-3g.40gb': '1' })).toMatchObject({
      because: 'n offers 1 nvidia.com/mig-3g.40gb, not yet 0.',
    })
    expect(joined({ 'nvidia.com/gpu': '1', 'nvidia.com/mig-3g.40gb': '0' })).toMatchObject({ kind: 'done' })
  })

  test('waits for the manager, and fails where its file has no place or its node is gone', () => {
    const known = { ...BEFORE, configmaps: [mapWith(KNOWN)] }
    expect(cut(known)).toMatchObject({ kind: 'wait', because: 'mig-manager does not run on n yet.' })
    expect(cut({ ...BEFORE, configmaps: [mapWith('version: v1\n')] })).toMatchObject({
      kind: 'failed',
      because: 'own in gpu-operator has no list under mig-configs that a configuration could be added to.',
    })
    expect(cut({})).toEqual({ kind: 'failed', because: 'n is no longer in the cluster.' })
  })

  test('needs a ConfigMap of one’s own, and says so', () => {
    expect(cut({ nodes: BEFORE.nodes, clusterpolicies: [{}] })).toMatchObject({
      kind: 'failed',
      because: expect.stringContaining('prepare.sh'),
    })
  })
})

const opened = (by: string) =>
  decided(decideStep({ kind: 'uncordon', node: 'n' }, context()), {
    nodes: [{ metadata: { annotations: { 'septet.io/cordoned-by': by } }, spec: { unschedulable: true } }],
  })

describe('cordons and evictions', () => {
  test('only who cordoned a node opens it', () => {
    expect(opened('action-1')).toMatchObject({ kind: 'write', key: 'uncordon' })
    expect(opened('action-2')).toMatchObject({ kind: 'done' })
  })

  test('a pod of the same name with another uid is left alone', () => {
    const evict = { kind: 'evict', pod: 'lab/a', uid: 'u1', workload: 'lab/Pod/a', because: '' } as const
    const pod = (uid: string, more = {}) =>
      decided(decideStep(evict, context()), { pods: [{ metadata: { uid, ...more }, status: { phase: 'Running' } }] })
    expect(pod('u1')).toMatchObject({ kind: 'write', write: { verb: 'evict', uid: 'u1' } })
    expect(pod('u2')).toMatchObject({ kind: 'done' })
    expect(pod('u1', { deletionTimestamp: 'now' })).toMatchObject({ kind: 'wait' })
  })
})

describe('a configuration is added to the file in force', () => {
  const name = fc.stringMatching(/^[a-z][a-z0-9.-]{0,12}$/u)

  test('all that was there stays, line by line, and the new one is found', () =>
    fc.assert(
      fc.property(
        fc.uniqueArray(name, { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 1, max: 6 }),
        (names, width) => {
          const pad = ' '.repeat(width)
          const theirs = names.flatMap((each) => [
            `${pad}${each}:`,
            `${pad}  - devices: all`,
            `${pad}    mig-enabled: false`,
          ])
          const text = ['# ours', 'version: v1', 'mig-configs: # all', ...theirs, ''].join('\n')
          const merged = withConfig(text, 'septet-0123', [GPU]) ?? ''
          expect(hasConfig(merged, 'septet-0123')).toBe(true)
          expect(names.every((each) => hasConfig(merged, each))).toBe(true)
          const lines = merged.split('\n')
          expect(text.split('\n').filter((line) => !lines.includes(line))).toEqual([])
        },
      ),
    ))

  test('a file that is written otherwise is left to a person', () => {
    expect(withConfig('mig-configs: {}', 'septet-1', [GPU])).toBeUndefined()
    expect(withConfig('', 'septet-1', [GPU])).toBeUndefined()
  })
})
