import { expect, test } from 'vitest'
import type { LiveObject } from '../cluster-writer.ts'
import { decided } from './decide.fixture.ts'
import { configsOf, decideLeftOverConfigs } from './left-over-configs.ts'

const LABEL = 'nvidia.com/device-plugin.config'
const FOUR = { kind: 'time-slicing', replicas: 4 } as const
const added = configsOf({ kind: 'share', node: 'n', from: { kind: 'none' }, to: FOUR, tenant: 'lab' }).slice(0, 1)
const [ours] = added.flatMap((config) => (config.part === 'devicePlugin' ? [config] : []))
const [name = '', text = ''] = [ours?.name, ours?.text]

const policy = (config: object = {}): LiveObject => ({ spec: { devicePlugin: { config: { name: 'own', ...config } } } })
const map = (data: object): LiveObject => ({ metadata: { name: 'own', resourceVersion: '42' }, data })
const THEIRS = { 'shared-4': 'version: v1\n' }
const deciding = (cluster: Readonly<Record<string, readonly LiveObject[]>>) =>
  decided(decideLeftOverConfigs('devicePlugin', added, { operatorNamespace: 'gpu-operator', day: 1 }), {
    clusterpolicies: [policy()],
    configmaps: [map({ ...THEIRS, [name]: text })],
    nodes: [],
    ...cluster,
  })

test('an entry of the device plugin that nothing names is taken out, unless somebody changed the map meanwhile', () => {
  expect(deciding({})).toMatchObject({
    kind: 'write',
    write: { verb: 'patch', type: 'merge', body: { metadata: { resourceVersion: '42' }, data: { [name]: null } } },
  })
})

test.for([
  ['a node goes by it', { nodes: [{ metadata: { labels: { [LABEL]: name } } }] }],
  [
    'a node goes by it again once its present one is taken back',
    {
      nodes: [
        { metadata: { labels: { [LABEL]: 'x' }, annotations: { 'septet.io/device-plugin-config-before': name } } },
      ],
    },
  ],
  ['all nodes without a label go by it', { clusterpolicies: [policy({ default: name })] }],
  ['somebody has changed it', { configmaps: [map({ ...THEIRS, [name]: `${text}# by hand` })] }],
  ['the plugin would have no entry to start with', { configmaps: [map({ [name]: text })] }],
  ['it is no longer there', { configmaps: [map(THEIRS)] }],
  ['the policy names no map', { clusterpolicies: [policy({ name: '' })] }],
] as const)('an entry of the device plugin stays as it is where %s', ([, cluster]) => {
  expect(deciding(cluster)).toEqual({ kind: 'done', because: '' })
})
