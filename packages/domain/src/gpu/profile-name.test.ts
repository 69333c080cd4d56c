import { describe, expect, it } from 'vitest'
import { BOARDS } from './known-boards.ts'
import { parseProfileName, profileOfResource, resourceOfProfile } from './profile-name.ts'

describe('parseProfileName', () => {
  it('reads slices, gigabytes and variant', () => {
    expect(parseProfileName('3g.20gb')).toEqual({
      profile: '3g.20gb',
      computeSlices: 3,
      gigabytes: 20,
      variant: '',
      computeInstanceSlices: undefined,
    })
    expect(parseProfileName('1g.24gb+me.all')).toMatchObject({ computeSlices: 1, gigabytes: 24, variant: '+me.all' })
    expect(parseProfileName('2g.48gb-me')).toMatchObject({ variant: '-me' })
  })

  it('tells a compute instance from its GPU instance', () => {
    expect(parseProfileName('1c.3g.20gb')).toMatchObject({
      profile: '3g.20gb',
      computeSlices: 3,
      computeInstanceSlices: 1,
    })
  })

  it.each(['', 'g.5gb', '1g', '1g.5gb+', '1g.5gb+mee', '1g.5gb.me', 'all-1g.5gb', ' 1g.5gb', '1G.5GB'])(
    'refuses %j',
    (name) => {
      expect(parseProfileName(name)).toBeUndefined()
    },
  )
})

describe('the resource of a profile', () => {
  it('is spelled as the device plugin does', () => {
    expect(resourceOfProfile('1g.5gb+me')).toBe('nvidia.com/mig-1g.5gb.me')
    expect(resourceOfProfile('1g.24gb-me')).toBe('nvidia.com/mig-1g.24gb-me')
    expect(resourceOfProfile('1g.24gb+me.all')).toBe('nvidia.com/mig-1g.24gb.me.all')
  })

  it('leads back to every profile of every board, shared or not', () => {
    for (const { name } of BOARDS.flatMap(({ profiles }) => profiles)) {
      expect(profileOfResource(resourceOfProfile(name))).toBe(name)
      expect(profileOfResource(`${resourceOfProfile(name)}.shared`)).toBe(name)
    }
  })

  it.each(['nvidia.com/gpu', 'nvidia.com/gpu.shared', 'nvidia.com/mig-', 'amd.com/gpu', 'nvidia.com/mig-1g.5gb.x'])(
    'is not %s',
    (resource) => {
      expect(profileOfResource(resource)).toBeUndefined()
    },
  )
})
