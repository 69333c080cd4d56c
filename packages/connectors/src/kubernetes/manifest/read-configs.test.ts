import { describe, expect, test } from 'vitest'
import { readConfigs } from './read-configs.ts'

const file = (...entries: readonly unknown[]) => ({ version: 'v1', 'mig-configs': { mine: entries } })
const cut = { devices: 'all', 'mig-enabled': true, 'mig-devices': { '1g.5gb': 2 } }
const read = (document: unknown) => {
  const [only] = readConfigs(JSON.stringify(document))
  if (only === undefined) throw new Error('it is no file that configures GPUs')
  return only
}
const errorsOf = (document: unknown) => read(document).errors
const where = 'mine[0]'

describe('a mig-parted file', () => {
  test.for<[string, unknown, readonly string[]]>([
    [
      'has a version and configurations',
      { 'mig-configs': null },
      ['version is missing.', 'mig-configs must be a mapping.'],
    ],
    ['has the version v1', { ...file(cut), version: 1 }, ['version must be v1.']],
    ['has no other field', { ...file(cut), kinds: 'ConfigMap' }, ['It has the unknown field "kinds".']],
    [
      'has one configuration at least',
      { version: 'v1', 'mig-configs': {} },
      ['mig-configs must hold one name at least.'],
    ],
    ['has one entry at least in each', file(), ['mine must not be empty.']],
    ['has lists of entries', { version: 'v1', 'mig-configs': { mine: cut } }, ['mine must be a list.']],
    [
      'has names that are values of a label',
      { version: 'v1', 'mig-configs': { '-mine': [cut], '': [cut] } },
      [
        '"-mine" cannot be the value of the label nvidia.com/mig.config.',
        '"" cannot be the value of the label nvidia.com/mig.config.',
      ],
    ],
  ])('%s', ([, document, errors]) => {
    expect(errorsOf(document)).toEqual(errors)
  })

  test('keeps the configurations that are right beside one that is wrong', () => {
    const { configs, errors } = read({ version: 'v1', 'mig-configs': { good: [cut], bad: [] } })
    expect(configs.map(({ name }) => name)).toEqual(['good'])
    expect(errors).toHaveLength(1)
  })
})

describe('an entry', () => {
  test.for<[string, unknown, readonly string[]]>([
    ['is a mapping', 'all', [`${where} must be a mapping.`]],
    [
      'names devices and a mode',
      {},
      [`${where}.devices must be "all" or a list of GPU indices.`, `${where}.mig-enabled is missing.`],
    ],
    ['has no other field', { ...cut, gpus: 1 }, [`${where} has the unknown field "gpus".`]],
    ['names GPUs by number', { ...cut, devices: ['0'] }, [`${where}.devices must be "all" or a list of GPU indices.`]],
    [
      'says what a GPU in MIG mode is cut into',
      { devices: 'all', 'mig-enabled': true },
      [`${where}.mig-devices is missing; where mig-enabled is true it must be there, {} for none.`],
    ],
    [
      'says nothing of instances without MIG mode',
      { ...cut, 'mig-enabled': false },
      [`${where}.mig-devices must not be there where mig-enabled is false.`],
    ],
    ['has counts for instances', { ...cut, 'mig-devices': ['1g.5gb'] }, [`${where}.mig-devices must be a mapping.`]],
    [
      'has whole counts of profiles',
      { ...cut, 'mig-devices': { '1g.5gb': -1, '1g.5gb.me': 1, large: 1 } },
      [
        `${where}.mig-devices.1g.5gb must be a whole number from 0.`,
        `${where}.mig-devices.1g.5gb.me is no MIG profile; profiles keep their + here, only names of configurations have a dot.`,
        `${where}.mig-devices.large is no MIG profile.`,
      ],
    ],
    ...['A100', '0x20B2', ['0x20B210DE', 3]].map((filter): [string, unknown, readonly string[]] => [
      `has no filter like ${JSON.stringify(filter)}`,
      { ...cut, 'device-filter': filter },
      [`${where}.device-filter must be a PCI id such as 0x233010DE, or a list of them.`],
    ]),
  ])('%s', ([, entry, errors]) => {
    expect(errorsOf(file(entry))).toEqual(errors)
  })

  test.for<[string, unknown, unknown]>([
    [
      'a count of 0 is no instance',
      { ...cut, 'mig-devices': { '1g.5gb': 0, '3g.20gb': 1 } },
      { geometry: { '3g.20gb': 1 } },
    ],
    [
      'compute instances as the tool does',
      { ...cut, 'mig-devices': { '1c.3g.20gb': 3 } },
      { geometry: { '1c.3g.20gb': 3 } },
    ],
    ['MIG mode without instances', { ...cut, 'mig-devices': {} }, { migEnabled: true, geometry: {} }],
    [
      'a GPU out of MIG mode',
      { devices: [0], 'mig-enabled': false },
      { devices: [0], migEnabled: false, geometry: {} },
    ],
    [
      'the same as nvidia-mig-parted export writes it, with an empty mapping',
      { devices: [0], 'mig-enabled': false, 'mig-devices': {} },
      { devices: [0], migEnabled: false, geometry: {} },
    ],
    ['one PCI id', { ...cut, 'device-filter': '0x20b210de' }, { filter: ['0x20b210de'] }],
    [
      'several PCI ids',
      { ...cut, 'device-filter': ['0x20B210DE', '0x233010DE'] },
      { filter: ['0x20B210DE', '0x233010DE'] },
    ],
    ['an empty filter, which passes every GPU', { ...cut, 'device-filter': [] }, { filter: undefined }],
    ['a filter of no text, which passes every GPU', { ...cut, 'device-filter': '' }, { filter: undefined }],
  ])('reads %s', ([, entry, wanted]) => {
    expect(read(file(entry))).toMatchObject({ errors: [], configs: [{ name: 'mine', content: [wanted] }] })
  })
})

const slices = (...resources: readonly object[]) => ({ sharing: { timeSlicing: { resources } } })
const gpu = { name: 'nvidia.com/gpu', replicas: 4 }
const row = 'sharing.timeSlicing.resources[0]'

describe('a configuration of the device plugin', () => {
  test.for<[string, object, string]>([
    ['of one replica', slices({ ...gpu, replicas: 1 }), `${row}.replicas must be a whole number from 2.`],
    ['without a name', slices({ replicas: 2 }), `${row}.name is missing.`],
    ['without resources', { sharing: { timeSlicing: {} } }, 'sharing.timeSlicing.resources is missing.'],
    [
      'of both kinds',
      { sharing: { timeSlicing: { resources: [gpu] }, mps: { resources: [gpu] } } },
      'sharing.timeSlicing is ignored: it and mps exclude each other, and the plugin takes mps.',
    ],
    [
      'of MPS on MIG',
      { sharing: { mps: { resources: [{ name: 'nvidia.com/mig-1g.5gb', replicas: 2 }] } } },
      'sharing.mps can share nvidia.com/gpu alone, and no MIG devices.',
    ],
    [
      'of MPS under mixed',
      { flags: { migStrategy: 'mixed' }, sharing: { mps: { resources: [gpu] } } },
      'sharing.mps is refused by the plugin together with the MIG strategy mixed.',
    ],
    ['of a strategy', { flags: { migStrategy: 'both' } }, 'flags.migStrategy must be none, single or mixed.'],
    ['with an unknown field', { ...slices(gpu), sharings: {} }, 'It has the unknown field "sharings".'],
    [
      'with devices of a resource',
      slices({ ...gpu, devices: [0] }),
      `${row}.devices is ignored by the plugin, which shares all devices.`,
    ],
    ['named twice', slices(gpu, gpu), 'sharing.timeSlicing.resources must name a resource once.'],
    ['of another version', { ...slices(gpu), version: 'v2' }, 'version must be v1 or empty.'],
    ['that is no mapping', { sharing: [] }, 'sharing must be a mapping.'],
    ['without a resource', slices(), 'sharing.timeSlicing.resources must not be empty.'],
  ])('is refused %s', ([, content, words]) => {
    expect(errorsOf({ version: 'v1', ...content })).toEqual([words])
  })

  test('is read without its unknown fields, and with what stands for what it leaves out', () => {
    const said = { name: 'gpu', replicas: 4, devices: 'all', rename: 'mine' }
    const { configs, errors } = read({ version: 'v1', flags: null, ...slices(said) })
    expect(errors).toEqual(['sharing.timeSlicing.resources[0] has the unknown field "rename".'])
    expect(configs).toMatchObject([
      { name: '', content: { shared: { kind: 'time-slicing', rename: false, oneOnly: false, resources: [gpu] } } },
    ])
    expect(read({ version: 'v1', sharing: { mps: { resources: [gpu] } } }).configs).toMatchObject([
      { content: { shared: { kind: 'mps', oneOnly: true } } },
    ])
  })

  test('in a ConfigMap has the name of its key, which is to be the value of a label', () => {
    const data = { few: JSON.stringify(slices(gpu)), a_: 'sharing: {}', broken: 'sharing: [', other: 'x: 1' }
    const { title, configs, errors } = read({ kind: 'ConfigMap', metadata: { name: 'plugins' }, data })
    expect([title, configs.map(({ name }) => name)]).toEqual(['ConfigMap plugins', ['few', 'a_']])
    expect(errors).toEqual([
      expect.stringContaining('broken cannot be read as YAML'),
      '"a_" cannot be the value of the label nvidia.com/device-plugin.config.',
    ])
  })
})

const policy = (spec: object) => ({ apiVersion: 'nvidia.com/v1', kind: 'ClusterPolicy', spec })

describe('a ClusterPolicy', () => {
  test.for<[string, object, string]>([
    ['a strategy', { mig: { strategy: 'all' } }, 'spec.mig.strategy must be none, single or mixed.'],
    [
      'a default',
      { migManager: { config: { default: 'all-1g.5gb' } } },
      'spec.migManager.config.default must be all-disabled or empty.',
    ],
    ['a field', { migs: {}, mig: { strategy: 'single' } }, 'spec has the unknown field "migs".'],
  ])('is refused for %s that the API does not know', ([, spec, words]) => {
    expect(errorsOf(policy(spec))).toEqual([words])
  })

  test('sets a MIG strategy beside much else', () => {
    const spec = { mig: { strategy: 'single' }, driver: { enabled: true }, devicePlugin: { enabled: true } }
    expect(read(policy(spec))).toMatchObject({ errors: [], configs: [{ content: { strategy: 'single' } }] })
  })
})
