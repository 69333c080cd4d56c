import { expect, test } from 'vitest'
import type { LiveObject } from '../cluster-writer.ts'
import { decided } from './decide.fixture.ts'
import { type AddedConfig, configsOf, decideLeftOverConfigs } from './left-over-configs.ts'
import { hasConfig, withConfig } from './mig-config-text.ts'

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

const GPU = {
  gpu: 'GPU-1',
  index: 0,
  from: { migEnabled: false, layout: [] },
  to: { migEnabled: true, geometry: { '3g.40gb': 2 } },
}
const cuts = ['septet-1', 'septet-2'].flatMap((config) =>
  configsOf({ kind: 'repartition', node: 'n', config, gpus: [GPU] }),
)
const BEFORE = 'version: v1\nmig-configs:\n  all-disabled:\n    - devices: all\n      mig-enabled: false\n'
const FILE = ['septet-1', 'septet-2'].reduce((file, each) => withConfig(file, each, [GPU]) ?? '', BEFORE)

/** The file of mig-manager after what nothing names was taken out; undefined where nothing was. */
function leftOf(file: string, cluster: Readonly<Record<string, readonly LiveObject[]>> = {}, configs = cuts) {
  const decision = decided(
    decideLeftOverConfigs('migManager', configs, { operatorNamespace: 'gpu-operator', day: 1 }),
    {
      clusterpolicies: [{ spec: { migManager: { config: { name: 'own' } } } }],
      configmaps: [map({ 'config.yaml': file })],
      ...cluster,
    },
  )
  if (decision.kind !== 'write' || !('body' in decision.write)) return undefined
  return (decision.write.body as { readonly data: Readonly<Record<string, string>> }).data['config.yaml']
}

test('configurations of mig-manager are taken out in one write, and the rest of its file stays', () => {
  expect(leftOf(FILE)).toBe(BEFORE)
})

test('one that a node goes by stays beside those that are taken out, and one that somebody changed', () => {
  const nodes = [{ metadata: { labels: { 'nvidia.com/mig.config': 'septet-2' } } }]
  expect(hasConfig(leftOf(FILE, { nodes }) ?? '', 'septet-1')).toBe(false)
  expect(hasConfig(leftOf(FILE, { nodes }) ?? '', 'septet-2')).toBe(true)
  const changed =
    withConfig(BEFORE, 'septet-1', [{ ...GPU, to: { migEnabled: true, geometry: { '1g.10gb': 7 } } }]) ?? ''
  expect(leftOf(changed)).toBeUndefined()
})

test('nothing is taken out for a step that adds nothing, nor from the file of another part', () => {
  const cordon: readonly AddedConfig[] = configsOf({ kind: 'cordon', node: 'n' })
  expect(cordon).toEqual([])
  expect(leftOf(FILE, {}, [...added])).toBeUndefined()
})
