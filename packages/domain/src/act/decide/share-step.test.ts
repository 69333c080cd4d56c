import { describe, expect, test } from 'vitest'
import { devicePluginConfig } from '../../plan/documents/gpu-documents.ts'
import type { SharingMode } from '../../plan/words/action.ts'
import type { LiveObject } from '../cluster-writer.ts'
import { context, decided } from './decide.fixture.ts'
import { decideStep } from './decide-step.ts'

const NONE = { kind: 'none' } as const
const FOUR = { kind: 'time-slicing', replicas: 4 } as const
const MPS = { kind: 'mps', replicas: 4 } as const
const CONFIG = devicePluginConfig(FOUR, 'none')
const LABEL = 'nvidia.com/device-plugin.config'
const BEFORE = 'septet.io/device-plugin-config-before'

type NodeLike = {
  readonly config?: string
  readonly before?: string
  readonly shows?: SharingMode
  readonly offers?: number
}
const node = ({ config, before, shows = NONE, offers = 2 }: NodeLike): LiveObject => ({
  metadata: {
    name: 'n',
    resourceVersion: '7',
    annotations: { 'septet.io/cordoned-by': 'action-1', ...(before === undefined ? {} : { [BEFORE]: before }) },
    labels: {
      'nvidia.com/mig.strategy': 'none',
      'nvidia.com/gpu.count': '2',
      'nvidia.com/gpu.sharing-strategy': shows.kind,
      'nvidia.com/gpu.replicas': shows.kind === 'none' ? '1' : String(shows.replicas),
      ...(config === undefined ? {} : { [LABEL]: config }),
    },
    managedFields: [{ manager: 'septet', time: '2026-11-23T10:00:00Z' }],
  },
  status: { allocatable: { 'nvidia.com/gpu': String(offers) } },
})
const plugin = (made: string): LiveObject => ({
  metadata: {
    namespace: 'gpu-operator',
    name: 'plugin-1',
    uid: 'uid-plugin',
    creationTimestamp: made,
    ownerReferences: [{ kind: 'DaemonSet', controller: true }],
  },
  status: { conditions: [{ type: 'Ready', status: 'True' }] },
})
const OLD = '2026-11-20T10:00:00Z'
const worker = (limits: object): LiveObject => ({
  metadata: { namespace: 'lab', name: 'a', uid: 'uid-a' },
  spec: { containers: [{ resources: { limits } }] },
  status: { phase: 'Running' },
})
const policy = (name?: string): LiveObject => ({ spec: { devicePlugin: { config: { name } } } })
const map = (data: object = {}): LiveObject => ({ metadata: { name: 'own', resourceVersion: '42' }, data })
const KNOWN = { [CONFIG.key]: CONFIG.text, 'of-others': 'version: v1\n' }

const share = (to: SharingMode = FOUR, from: SharingMode = NONE) =>
  ({ kind: 'share', node: 'n', from, to, tenant: 'lab' }) as const
const cluster = (own: NodeLike, more: Readonly<Record<string, readonly LiveObject[]>> = {}) => ({
  nodes: [node(own)],
  pods: [plugin(OLD)],
  clusterpolicies: [policy('own')],
  configmaps: [map(KNOWN)],
  ...more,
})
const deciding = (
  own: NodeLike,
  more: Parameters<typeof cluster>[1] = {},
  { action = share(), about = {} }: { action?: ReturnType<typeof share>; about?: Parameters<typeof context>[0] } = {},
) => decided(decideStep(action, context(about)), cluster(own, more))

describe('a node whose GPUs are to be shared', () => {
  test('gets a configuration beside those of others, unless somebody changed the map meanwhile', () => {
    expect(deciding({}, { configmaps: [map({ 'of-others': 'version: v1\n' })] })).toMatchObject({
      write: {
        type: 'merge',
        object: { resource: 'configmaps', namespace: 'gpu-operator', name: 'own' },
        body: { metadata: { resourceVersion: '42' }, data: { [CONFIG.key]: CONFIG.text } },
      },
    })
  })

  test.for([
    ['the policy names no map', { clusterpolicies: [policy()] }, /names no ConfigMap.*prepare\.sh/u],
    ['the map is not there', { configmaps: [] }, /names the ConfigMap own, which is not in gpu-operator/u],
    ['its entry says something else', { configmaps: [map({ [CONFIG.key]: 'x' })] }, /Someone changed septet-/u],
  ] as const)('is left alone where %s', ([, more, words]) => {
    expect(deciding({}, more)).toMatchObject({ kind: 'failed', because: expect.stringMatching(words) })
  })

  test('is left alone while a pod holds one of its GPUs; one without a GPU may stay', () => {
    const held = worker({ 'nvidia.com/gpu': '1' })
    expect(deciding({}, { pods: [plugin(OLD), held] })).toMatchObject({
      kind: 'wait',
      because: 'lab/a still holds a GPU of n.',
    })
    expect(deciding({}, { pods: [plugin(OLD), worker({ cpu: '1' })] })).toMatchObject({ kind: 'write', key: 'label' })
  })

  test('is given the label only as it was read, with a note of what it said', () => {
    const path = '/metadata/labels/nvidia.com~1device-plugin.config'
    const note = '/metadata/annotations/septet.io~1device-plugin-config-before'
    expect(deciding({ config: 'shared-2' })).toMatchObject({
      write: {
        type: 'json',
        body: [
          { op: 'test', path, value: 'shared-2' },
          { op: 'add', path, value: CONFIG.key },
          { op: 'add', path: note, value: 'shared-2' },
        ],
      },
    })
    expect(deciding({})).toMatchObject({
      write: {
        body: [
          { op: 'test', path: '/metadata/resourceVersion', value: '7' },
          { op: 'add', path, value: CONFIG.key },
          { op: 'add', path: note, value: '' },
        ],
      },
    })
  })

  test('has its plugin started again once, and is done when all that is promised shows', () => {
    const own = { config: CONFIG.key, before: '' }
    expect(deciding(own)).toMatchObject({
      key: 'restart-plugin',
      write: { verb: 'delete', uid: 'uid-plugin', object: { namespace: 'gpu-operator', name: 'plugin-1' } },
    })
    const fresh = { pods: [plugin('2026-11-23T10:00:05Z')] }
    expect(deciding(own, fresh)).toMatchObject({
      kind: 'wait',
      because: 'GPU feature discovery says nvidia.com/gpu.sharing-strategy=none of n, not yet time-slicing.',
    })
    expect(deciding({ ...own, shows: FOUR, offers: 0 }, fresh)).toMatchObject({
      kind: 'wait',
      because: 'n offers 0 nvidia.com/gpu, not yet 8.',
    })
    expect(deciding({ ...own, shows: FOUR, offers: 8 }, fresh)).toEqual({
      kind: 'done',
      because: 'n offers each GPU 4 times.',
    })
  })

  test('under MPS is done only where GPU feature discovery finds it capable of that', () => {
    const { key } = devicePluginConfig(MPS, 'none')
    const own = { config: key, before: '', shows: MPS, offers: 8 }
    const fresh = { pods: [plugin('2026-11-23T10:00:05Z')] }
    expect(deciding(own, fresh, { action: share(MPS) })).toMatchObject({
      kind: 'wait',
      because: 'GPU feature discovery says nvidia.com/mps.capable=nothing of n, not yet true.',
    })
  })

  test('is not taken from somebody who set another configuration meanwhile', () => {
    const about = { written: new Map([['label', 1]]) }
    expect(deciding({ config: 'theirs' }, {}, { about })).toMatchObject({
      kind: 'failed',
      because: expect.stringContaining('Someone set'),
    })
  })
})

describe('on the way back', () => {
  const undoing = (own: NodeLike, more: Parameters<typeof cluster>[1] = {}) =>
    deciding(own, more, { action: share(NONE, FOUR), about: { isUndo: true } })
  const shared = { config: CONFIG.key, shows: FOUR, offers: 8 }

  test.for([
    ['', { op: 'remove', path: '/metadata/labels/nvidia.com~1device-plugin.config' }],
    ['shared-2', { op: 'add', path: '/metadata/labels/nvidia.com~1device-plugin.config', value: 'shared-2' }],
  ] as const)('the label is what it was before: "%s"', ([before, restored]) => {
    expect(undoing({ ...shared, before })).toMatchObject({
      write: {
        body: [
          { op: 'test', value: CONFIG.key },
          restored,
          { op: 'remove', path: '/metadata/annotations/septet.io~1device-plugin-config-before' },
        ],
      },
    })
  })

  test('the plugin starts again, and the node offers whole GPUs again', () => {
    expect(undoing({ shows: FOUR, offers: 8 })).toMatchObject({ key: 'restart-plugin' })
    expect(undoing({})).toEqual({ kind: 'done', because: 'n offers its GPUs whole.' })
  })

  test('where nobody remembers what the label was, whole GPUs are asked for by a configuration of their own', () => {
    const whole = devicePluginConfig(NONE, 'none')
    expect(undoing(shared)).toMatchObject({ key: 'config', write: { body: { data: { [whole.key]: whole.text } } } })
    expect(undoing(shared, { configmaps: [map({ ...KNOWN, [whole.key]: whole.text })] })).toMatchObject({
      key: 'label',
      write: {
        body: [
          { op: 'test', value: CONFIG.key },
          { op: 'add', value: whole.key },
        ],
      },
    })
  })

  test('what somebody else has set is not overwritten', () => {
    expect(undoing({ config: 'theirs', before: '', shows: FOUR, offers: 8 })).toMatchObject({ kind: 'failed' })
  })

  test('waits until who came back has left again', () => {
    expect(undoing({ ...shared, before: '' }, { pods: [worker({ 'nvidia.com/gpu': '1' })] })).toMatchObject({
      kind: 'wait',
    })
  })
})
