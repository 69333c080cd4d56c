import { describe, expect, it } from 'vitest'
import { plainProfiles, profileOf, sliceShare, type Board } from './board.ts'
import { BOARDS, boardFor, menuOnlyBoardFor } from './known-boards.ts'
import { parseProfileName } from './profile-name.ts'

const board = (model: string): Board => {
  const found = boardFor(model)
  if (found === undefined) throw new Error(`no board for ${model}`)
  return found
}
const profile = (model: string, name: string) => profileOf(board(model), name)

describe('boardFor', () => {
  it('knows a board by exporter name, product label and catalog name', () => {
    for (const name of ['NVIDIA A100-SXM4-40GB', 'NVIDIA-A100-SXM4-40GB', 'A100-SXM4-40GB', 'a100-sxm4-40gb']) {
      expect(boardFor(name)?.key).toBe('A100-40GB')
    }
    expect(boardFor({ name: 'H200' })?.key).toBe('H200-141GB')
    expect(boardFor('NVIDIA-H100-NVL-MIG-1g.12gb')?.key).toBe('H100-94GB-NVL')
    expect(boardFor('NVIDIA-H100-80GB-HBM3-MIG-INVALID')?.key).toBe('H100-80GB-SXM5')
  })

  it('never takes a name for another that contains it', () => {
    expect(boardFor('B200')).not.toBe(boardFor('GB200'))
    expect(boardFor('H20')).not.toBe(boardFor('H200'))
    expect(boardFor('H200')).not.toBe(boardFor('GH200 144G HBM3e'))
    expect(boardFor('GH200')).toBeUndefined()
    expect(boardFor('H20-3e')).not.toBe(boardFor('H20'))
    expect(boardFor('H20-3e')?.profiles.map(({ name }) => name)).toContain('1g.18gb')
    expect(boardFor('RTX A3000')).toBeUndefined()
    expect(boardFor('A300')).toBeUndefined()
    expect(boardFor('A100')).toBeUndefined()
  })

  it('has no geometry for an L40, whatever some articles list', () => {
    expect(boardFor('NVIDIA L40')).toBeUndefined()
    expect(boardFor('NVIDIA L40S')).toBeUndefined()
  })

  it('gives the RTX PRO 5000 as a menu without placements, never as a board', () => {
    expect(boardFor('NVIDIA RTX PRO 5000 Blackwell')).toBeUndefined()
    const menu = menuOnlyBoardFor('NVIDIA-RTX-PRO-5000-Blackwell')
    expect(menu?.profiles.map(({ name, max }) => `${name} × ${max}`)).toContain('1g.12gb-me × 3')
    expect(menuOnlyBoardFor('NVIDIA RTX PRO 5000 72GB Blackwell')).toBeUndefined()
  })

  it('lists each name and each PCI id once', () => {
    const names = BOARDS.flatMap(({ names: own }) => own)
    const ids = BOARDS.flatMap(({ pciIds }) => pciIds)
    expect(new Set(names).size).toBe(names.length)
    expect(new Set(ids).size).toBe(ids.length)
  })
})

describe('profileOf', () => {
  it('gives one name another shape on another board', () => {
    expect(profile('A100-SXM4-80GB', '1g.10gb')).toMatchObject({ size: 1, max: 7 })
    expect(profile('A100-SXM4-40GB', '1g.10gb')).toMatchObject({ size: 2, max: 4 })
    expect(profile('H200', '1g.35gb')).toMatchObject({ size: 2, max: 4 })
    expect(profile('GB300', '1g.35gb')).toMatchObject({ size: 1, max: 7 })
    expect(profile('H100 NVL', '1g.24gb')).toMatchObject({ size: 2, max: 4, starts: [0, 2, 4, 6] })
    expect(profile('RTX PRO 6000 Blackwell Server Edition', '1g.24gb')).toMatchObject({
      size: 3,
      max: 4,
      starts: [0, 3, 6, 9],
    })
  })

  it('accepts both names of the full A100-80GB instance', () => {
    expect(profile('A100-SXM4-80GB', '7g.79gb')).toBe(profile('A100-SXM4-80GB', '7g.80gb'))
    expect(profile('A100-SXM4-80GB', '7g.80gb')?.computeSlices).toBe(7)
    expect(profile('H100 80GB HBM3', '7g.79gb')).toBeUndefined()
  })

  it('accepts the names that early drivers and the configuration give GB200 instances, on GB200 only', () => {
    expect(profile('GB200', '1g.24gb')?.name).toBe('1g.23gb')
    expect(profile('GB200', '4g.95gb')?.name).toBe('4g.93gb')
    expect(profile('B200', '1g.24gb')).toBeUndefined()
  })

  it('has what mig-parted lists: no 3g on A30, its own names on H100 NVL, double memory and media on A100-80GB', () => {
    expect(profile('A30', '3g.24gb')).toBeUndefined()
    expect(board('H100 NVL').profiles.map(({ name }) => name)).toEqual([
      '1g.12gb',
      '1g.12gb+me',
      '1g.24gb',
      '2g.24gb',
      '3g.47gb',
      '4g.47gb',
      '7g.94gb',
    ])
    expect(profile('A100-SXM4-80GB', '2g.10gb')).toBeUndefined()
    expect(profile('A100-SXM4-80GB', '3g.20gb')).toBeUndefined()
    expect(profile('A100-SXM4-80GB', '1g.20gb')).toBeDefined()
    expect(profile('A100-SXM4-80GB', '1g.10gb+me')).toBeDefined()
  })

  it('has the placements of real Hopper and Blackwell boards, not those of the test double', () => {
    for (const [model, three, seven, double] of [
      ['H100 80GB HBM3', '3g.40gb', '7g.80gb', '1g.20gb'],
      ['H200', '3g.71gb', '7g.141gb', '1g.35gb'],
      ['B200', '3g.90gb', '7g.180gb', '1g.45gb'],
    ] as const) {
      expect(profile(model, three)).toMatchObject({ size: 4, starts: [0, 4] })
      expect(profile(model, seven)).toMatchObject({ size: 8, starts: [0] })
      expect(profile(model, double)).toMatchObject({ size: 2, starts: [0, 2, 4, 6] })
    }
  })

  it('has the multiprocessors and memory of real boards', () => {
    const multiprocessors = board('H100 80GB HBM3').profiles.map((row) => row.multiprocessors)
    expect(multiprocessors).toEqual([16, 16, 26, 32, 60, 64, 132])
    expect(profile('H100 80GB HBM3', '3g.40gb')?.memory).toBe(40_320)
    expect(profile('A100-SXM4-80GB', '1g.10gb')?.memory).toBe(9728)
  })

  it('leaves what nobody measured undefined', () => {
    expect(profile('H100 PCIe', '3g.40gb')).toMatchObject({ memory: undefined, multiprocessors: undefined })
  })

  it('keeps the ids that nvidia-smi prints, which mean other sizes on other boards', () => {
    expect(board('GB200').profiles.map(({ giProfileId }) => giProfileId)).toEqual([19, 20, 15, 14, 9, 5, 0])
    expect(profile('A30', '1g.6gb')?.giProfileId).toBe(14)
    expect(profile('A100-SXM4-40GB', '2g.10gb')?.giProfileId).toBe(14)
  })

  it('does not take a part of a GPU instance for the whole of it', () => {
    expect(profile('A100-SXM4-40GB', '1c.3g.20gb')).toBeUndefined()
  })
})

describe('sliceShare', () => {
  it.each([
    ['A100-SXM4-40GB', '1g.5gb', 1 / 7],
    ['A100-SXM4-40GB', '1g.10gb', 1 / 7],
    ['A100-SXM4-40GB', '7g.40gb', 1],
    ['A30', '1g.6gb', 1 / 4],
    ['A30', '2g.12gb', 2 / 4],
    ['RTX PRO 6000 Blackwell Server Edition', '1g.24gb', 1 / 4],
    ['RTX PRO 6000 Blackwell Server Edition', '4g.96gb+gfx', 1],
  ])('%s %s', (model, name, share) => {
    const row = profile(model, name)
    expect(row && sliceShare(board(model), row)).toBe(share)
  })
})

describe.each(BOARDS)('$key', (one) => {
  it('has profiles that fit its row and agree with their names', () => {
    for (const row of one.profiles) {
      expect(parseProfileName(row.name)?.computeSlices).toBe(row.computeSlices)
      expect(row.computeSlices).toBeLessThanOrEqual(one.computeSlices)
      for (const start of row.starts) expect(start + row.size).toBeLessThanOrEqual(one.memorySlices)
    }
    expect(new Set(one.profiles.map(({ name }) => name)).size).toBe(one.profiles.length)
    expect(new Set(one.profiles.map(({ giProfileId }) => giProfileId)).size).toBe(one.profiles.length)
  })

  it('limits a plain profile to as many as fit side by side', () => {
    for (const { starts, size, max } of plainProfiles(one)) {
      const ends = [0]
      for (const start of starts) if (start >= (ends.at(-1) ?? 0)) ends.push(start + size)
      expect(ends.length - 1).toBe(max)
    }
  })

  it('covers with every variant a shape that a plain profile has', () => {
    const shape = (row: (typeof one.profiles)[number]) => `${row.computeSlices} ${row.size} ${row.starts.join()}`
    const plain = new Set(plainProfiles(one).map(shape))
    expect(one.profiles.map(shape).filter((variant) => !plain.has(variant))).toEqual([])
  })
})
