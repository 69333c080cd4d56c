import { describe, expect, test } from 'vitest'

import { claimTemplate, claimTemplateName, devicePluginConfig, profileClass } from './gpu-documents.ts'
import { migPartedOf } from '../words/mig-config.ts'

describe('a configuration of the device plugin', () => {
  test('shares by time, and refuses requests for more than one replica', () => {
    expect(devicePluginConfig({ kind: 'time-slicing', replicas: 4 }, 'mixed').text).toBe(
      `version: v1
flags:
  migStrategy: mixed
sharing:
  timeSlicing:
    failRequestsGreaterThanOne: true
    resources:
      - name: nvidia.com/gpu
        replicas: 4
`,
    )
  })
  test('shares by MPS, which refuses them by itself', () => {
    const { text } = devicePluginConfig({ kind: 'mps', replicas: 2 }, 'none')
    expect(text).toContain('sharing:\n  mps:\n    resources:\n')
    expect(text).not.toContain('failRequestsGreaterThanOne')
  })
  test('without sharing keeps the MIG strategy', () => {
    expect(devicePluginConfig({ kind: 'none' }, 'single').text).toBe('version: v1\nflags:\n  migStrategy: single\n')
  })
  test('has a key of its own for each content, and the same for the same', () => {
    const all = (['none', 'single', 'mixed'] as const).flatMap((strategy) => [
      devicePluginConfig({ kind: 'none' }, strategy).key,
      ...[2, 3].flatMap((replicas) => [
        devicePluginConfig({ kind: 'mps', replicas }, strategy).key,
        devicePluginConfig({ kind: 'time-slicing', replicas }, strategy).key,
      ]),
    ])
    expect(new Set(all).size).toBe(all.length)
    expect(devicePluginConfig({ kind: 'mps', replicas: 2 }, 'none').key).toBe(
      devicePluginConfig({ kind: 'mps', replicas: 2 }, 'none').key,
    )
    expect(all.every((key) => /^septet-[a-z0-9]+$/u.test(key))).toBe(true)
  })
})

describe('what DRA needs for a profile', () => {
  test.for([
    ['1g.10gb', 'septet-mig-1g-10gb'],
    ['1g.10gb+me', 'septet-mig-1g-10gb-me'],
    ['1g.24gb+me.all', 'septet-mig-1g-24gb-me-all'],
    ['1c.3g.40gb', 'septet-mig-1c-3g-40gb'],
  ] as const)('of %s is named %s', ([profile, name]) => {
    expect(claimTemplateName(profile)).toBe(name)
    expect([claimTemplate(profile), profileClass(profile)]).toMatchObject([
      { metadata: { name } },
      { metadata: { name } },
    ])
  })
  test('asks for one device of the profile', () => {
    expect(JSON.stringify(claimTemplate('1g.10gb+me'))).toContain(
      `"deviceClassName":"mig.nvidia.com","selectors":[{"cel":{"expression":"device.attributes['gpu.nvidia.com'].profile == '1g.10gb+me'"}}]`,
    )
    expect(profileClass('1g.10gb+me')).toMatchObject({
      kind: 'DeviceClass',
      spec: {
        extendedResourceName: 'nvidia.com/mig-1g.10gb.me',
        selectors: [{ cel: { expression: expect.stringContaining(`.profile == '1g.10gb+me'`) } }],
      },
    })
  })
})

const step = (config: string, profile: string) => ({
  kind: 'repartition' as const,
  node: 'a',
  config,
  gpus: [
    {
      gpu: 'GPU-a-0',
      index: 0,
      from: { migEnabled: false, layout: [] },
      to: { migEnabled: true, geometry: { [profile]: 1 } },
    },
  ],
})

test('a mig-parted file has the configurations in the order of their names, whatever that of the steps', () => {
  const document = migPartedOf([step('septet-b', '1g.10gb'), step('septet-a', '3g.40gb')])
  expect(document.version).toBe('v1')
  expect(Object.keys(document['mig-configs'])).toEqual(['septet-a', 'septet-b'])
  expect(document['mig-configs']['septet-a']).toMatchObject([{ 'mig-enabled': true, 'mig-devices': { '3g.40gb': 1 } }])
})
