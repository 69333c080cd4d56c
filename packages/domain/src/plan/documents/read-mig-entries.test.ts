import { describe, expect, test } from 'vitest'

import { readMigEntries } from './read-mig-entries.ts'

const file = (...entries: readonly unknown[]) => ({ version: 'v1', 'mig-configs': { mine: entries } })
const cut = { devices: 'all', 'mig-enabled': true, 'mig-devices': { '1g.5gb': 2 } }
const errorsOf = (document: unknown) => readMigEntries(document).errors
const where = 'Entry 1 of mine'

describe('a mig-parted file', () => {
  test.for<[string, unknown, readonly string[]]>([
    ['is a mapping', null, ['A mig-parted file is a mapping with version and mig-configs.']],
    ['is no list', [], ['A mig-parted file is a mapping with version and mig-configs.']],
    [
      'has a version and configurations',
      {},
      [
        'The version must be v1, not nothing.',
        'mig-configs must be a mapping from names to lists of entries, with one name at least.',
      ],
    ],
    ['has the version v1', { ...file(cut), version: 1 }, ['The version must be v1, not 1.']],
    ['has no other field', { ...file(cut), kind: 'ConfigMap' }, ['The file has the unknown field "kind".']],
    [
      'has one configuration at least',
      { version: 'v1', 'mig-configs': {} },
      ['mig-configs must be a mapping from names to lists of entries, with one name at least.'],
    ],
    ['has one entry at least in each', file(), ['mine must be a list of entries, with one at least.']],
    [
      'has lists of entries',
      { version: 'v1', 'mig-configs': { mine: cut } },
      ['mine must be a list of entries, with one at least.'],
    ],
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
    const { configs, errors } = readMigEntries({ version: 'v1', 'mig-configs': { good: [cut], bad: [] } })
    expect([...configs.keys()]).toEqual(['good'])
    expect(errors).toHaveLength(1)
  })
})

describe('an entry', () => {
  test.for<[string, unknown, readonly string[]]>([
    ['is a mapping', 'all', [`${where} must be a mapping with devices and mig-enabled.`]],
    [
      'names devices and a mode',
      {},
      [
        `${where}: devices must be "all" or a list of different GPU indices from 0.`,
        `${where}: mig-enabled must be true or false.`,
      ],
    ],
    ['has no other field', { ...cut, gpus: 1 }, [`${where} has the unknown field "gpus".`]],
    [
      'names a GPU once',
      { ...cut, devices: [1, 1] },
      [`${where}: devices must be "all" or a list of different GPU indices from 0.`],
    ],
    [
      'names GPUs by number',
      { ...cut, devices: ['0'] },
      [`${where}: devices must be "all" or a list of different GPU indices from 0.`],
    ],
    [
      'says what a GPU in MIG mode is cut into',
      { devices: 'all', 'mig-enabled': true },
      [`${where}: mig-devices is missing; where mig-enabled is true it must be there, {} for none.`],
    ],
    [
      'says nothing of instances without MIG mode',
      { ...cut, 'mig-enabled': false },
      [`${where}: mig-devices must not be there where mig-enabled is false.`],
    ],
    [
      'has counts for instances',
      { ...cut, 'mig-devices': ['1g.5gb'] },
      [`${where}: mig-devices must be a mapping from profiles to counts.`],
    ],
    [
      'has whole counts of profiles',
      { ...cut, 'mig-devices': { '1g.5gb': -1, '1g.5gb.me': 1, large: 1 } },
      [
        `${where}: the count of 1g.5gb must be a whole number from 0.`,
        `${where}: "1g.5gb.me" is no MIG profile; profiles keep their + here, only names of configurations have a dot.`,
        `${where}: "large" is no MIG profile.`,
      ],
    ],
    ...['A100', '0x20B2', ['0x20B210DE', 3]].map((filter): [string, unknown, readonly string[]] => [
      `has no filter like ${JSON.stringify(filter)}`,
      { ...cut, 'device-filter': filter },
      [`${where}: device-filter must be a PCI id such as 0x233010DE, or a list of them.`],
    ]),
  ])('%s', ([, entry, errors]) => {
    expect(errorsOf(file(entry))).toEqual(errors)
  })

  test.for<[string, readonly unknown[], readonly string[]]>([
    ['twice', [cut, cut], ['mine lists all GPUs more than once.']],
    ['with one of them', [{ ...cut, devices: [3] }, cut], ['mine lists all GPUs more than once.']],
    [
      'one twice',
      [
        { ...cut, devices: [1, 3] },
        { ...cut, devices: [3] },
      ],
      ['mine lists GPU 3 more than once.'],
    ],
    [
      'but not where a filter tells them apart',
      [
        { ...cut, 'device-filter': '0x20B210DE' },
        { ...cut, 'device-filter': '0x233010DE' },
      ],
      [],
    ],
  ])('is doubted where it names all GPUs %s', ([, entries, doubts]) => {
    expect(readMigEntries(file(...entries))).toMatchObject({ errors: [], doubts })
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
    const { configs, errors } = readMigEntries(file(entry))
    expect(errors).toEqual([])
    expect(configs.get('mine')).toMatchObject([wanted])
  })
})
