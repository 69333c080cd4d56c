import { describe, expect, test } from 'vitest'

import { draw } from '../../cluster/draw.fixture.ts'
import type { GpuNode } from '../../cluster/node.ts'
import { enumerateLayouts } from '../../gpu/enumerate-layouts.ts'
import { BOARDS } from '../../gpu/known-boards.ts'
import { geometryOf } from '../../gpu/layout.ts'
import { targetsOfConfig } from './targets-of-config.fixture.ts'
import type { MigEntry } from './mig-entry.ts'
import { validateMigParted, type MigFile } from './validate-mig-parted.fixture.ts'

const file = (...content: readonly MigEntry[]): MigFile => ({ configs: [{ name: 'mine', content }], errors: [] })
const all = (geometry: MigEntry['geometry'], more: Partial<MigEntry> = {}): MigEntry => ({
  devices: 'all',
  filter: undefined,
  migEnabled: true,
  geometry,
  ...more,
})
const nodeOf = (drawn: string): GpuNode => {
  const [node] = draw`${drawn}`.nodes
  if (node === undefined) throw new Error('nothing is drawn')
  return node
}
const on = (node: GpuNode, ...entries: readonly MigEntry[]) =>
  validateMigParted(file(...entries), [{ config: 'mine', node }])

describe('without nodes', () => {
  test.for<[string, MigEntry, readonly string[]]>([
    ['what some board can hold is right', all({ '3g.40gb': 2 }), []],
    ['what is not in MIG mode is right', all({}, { migEnabled: false }), []],
    [
      'what no board has is wrong',
      all({ '9g.90gb': 1 }),
      ['mine: 1 × 9g.90gb is possible on no board: no board has all these profiles.'],
    ],
    [
      'what fits the menu of a board and not its memory slices is wrong, with that reason',
      all({ '4g.20gb': 1, '3g.20gb': 1, '1g.5gb': 1 }),
      [
        'mine: 1 × 4g.20gb + 1 × 3g.20gb + 1 × 1g.5gb is possible on no board: the instances need 9 memory slices, A100-40GB has 8.',
      ],
    ],
    [
      'what another board could hold is wrong where a filter names this one',
      all({ '1g.10gb': 7 }, { filter: ['0x20B010DE'] }),
      ['mine: 7 × 1g.10gb is possible on no board: 7 × 1g.10gb: A100-40GB takes at most 4.'],
    ],
    [
      'what a filter passes on no board that is known is not judged',
      all({ '1g.10gb': 7 }, { filter: ['0xFFFF10DE'] }),
      [],
    ],
  ])('%s', ([, entry, errors]) => {
    expect(validateMigParted(file(entry))).toEqual(errors)
  })

  test('every layout that a board can hold is right under the filter of that board', () => {
    for (const board of BOARDS) {
      const layouts = enumerateLayouts(board)
      const filter = board.pciIds.map((id) => `0x${id}10DE`)
      for (const layout of layouts.filter((_, at) => at % 7 === 0))
        expect(validateMigParted(file(all(geometryOf(layout), { filter })))).toEqual([])
    }
  })
})

describe('on a node', () => {
  const a100 = nodeOf(`
    a  A100-SXM4-80GB  MIG
    a  A100-SXM4-80GB  MIG`)
  const mixed = nodeOf(`
    b  A100-SXM4-80GB  MIG
    b  T4              [-]`)

  test.for<[string, GpuNode, readonly MigEntry[], readonly string[]]>([
    ['each GPU may become what it can', a100, [all({ '7g.80gb': 1 })], []],
    [
      'a profile of another board is wrong',
      a100,
      [all({ '3g.20gb': 1 })],
      [0, 1].map((index) => `mine on a: GPU GPU-a-${index}: A100-80GB has no profile 3g.20gb.`),
    ],
    [
      'a GPU without MIG stays as it is',
      mixed,
      [all({ '1g.10gb': 1 }, { devices: [0] }), all({}, { devices: [1], migEnabled: false })],
      [],
    ],
    [
      'a GPU without MIG cannot enter MIG mode',
      mixed,
      [all({})],
      ['mine on b: GPU GPU-b-1 (T4) is not known to support MIG.'],
    ],
    [
      'a GPU that no entry names is left open, which mig-parted would leave as it is',
      a100,
      [all({}, { devices: [1] })],
      ['mine does not say what becomes of GPU 0 of a.'],
    ],
    [
      'an index that the node does not have is wrong',
      a100,
      [all({}, { devices: [0, 1, 7] })],
      ['mine names GPU 7, but a has no GPU of that index.'],
    ],
    [
      'a filter passes GPUs of its board only',
      mixed,
      [all({ '1g.10gb': 1 }, { filter: ['0x20b210de', '0x233010DE'] }), all({}, { devices: [1], migEnabled: false })],
      [],
    ],
  ])('%s', ([, node, entries, errors]) => {
    expect(on(node, ...entries)).toEqual(errors)
  })

  test('of a board that nobody knows says so', () => {
    const gpus = a100.gpus.map((gpu) => ({ ...gpu, model: undefined }))
    expect(on({ ...a100, gpus }, all({}))[0]).toBe(
      'mine on a: GPU GPU-a-0 (of an unknown board) is not known to support MIG.',
    )
  })
  test('that should get a configuration which is missing says so, unless the file is wrong anyway', () => {
    const wearers = [{ config: 'other', node: a100 }]
    expect(validateMigParted(file(all({})), wearers)).toEqual(['a should get other, which is missing from the file.'])
    expect(validateMigParted({ ...file(all({})), errors: ['It is wrong.'] }, wearers)).toEqual(['It is wrong.'])
  })
  test('its misfits come instead of what no board could hold', () => {
    expect(on(a100, all({ '9g.90gb': 1 }))).toEqual(
      [0, 1].map((index) => `mine on a: GPU GPU-a-${index}: A100-80GB has no profile 9g.90gb.`),
    )
  })
})

describe('what the GPUs of a node become', () => {
  const node = nodeOf(`
    a  A100-SXM4-80GB  MIG
    a  A100-SXM4-80GB  MIG
    a  T4              [-]`)
  const off = all({}, { devices: [2], migEnabled: false })
  test('is what the last entry says that names them, with starts that the board allows', () => {
    const read = targetsOfConfig(
      file(
        all({ '1g.10gb': 7 }, { devices: [0, 1] }),
        all({ '3g.40gb': 1, '4g.40gb': 1 }, { devices: [1], filter: ['0x20B210DE'] }),
        off,
      ),
      [{ config: 'mine', node }],
    )
    expect(read).toEqual({
      kind: 'targets',
      targets: [
        {
          gpu: 'GPU-a-0',
          migEnabled: true,
          layout: [0, 1, 2, 3, 4, 5, 6].map((start) => ({ profile: '1g.10gb', placement: { start, size: 1 } })),
        },
        {
          gpu: 'GPU-a-1',
          migEnabled: true,
          layout: [
            { profile: '3g.40gb', placement: { start: 4, size: 4 } },
            { profile: '4g.40gb', placement: { start: 0, size: 4 } },
          ],
        },
        { gpu: 'GPU-a-2', migEnabled: false, layout: [] },
      ],
    })
  })
  test('is refused with what is wrong', () => {
    expect(targetsOfConfig(file(all({ '9g.90gb': 1 }, { devices: [0, 1] }), off), [{ config: 'mine', node }])).toEqual({
      kind: 'refused',
      errors: [0, 1].map((index) => `mine on a: GPU GPU-a-${index}: A100-80GB has no profile 9g.90gb.`),
    })
  })
  test('of a file for no node is nothing', () => {
    expect(targetsOfConfig(file(off), [])).toEqual({ kind: 'targets', targets: [] })
  })
})
