import { expect, test } from 'vitest'

import { withConfig, withoutConfig } from './mig-config-text.ts'

type Gpus = Parameters<typeof withConfig>[2]
const cut = (index: number, count: number): Gpus[number] => ({
  gpu: `GPU-${index}`,
  index,
  from: { migEnabled: true, layout: [] },
  to: { migEnabled: true, geometry: { '1g.10gb': count } },
})
const ONE = [cut(0, 7)]
const TWO = [cut(0, 2), cut(1, 3)]

const THEIRS = `version: v1
# Ours, by hand.
mig-configs:
    all-disabled:
      - devices: all
        mig-enabled: false

    # Of the other team.
    septet-theirs:
      - devices: all
        mig-enabled: true
        mig-devices:
          "1g.10gb": 7
`

const added = (text: string, name: string, gpus: Gpus): string => withConfig(text, name, gpus) ?? ''

test('what was added can be taken out again, in any order, and all else stays to the letter', () => {
  const both = added(added(THEIRS, 'septet-one', ONE), 'septet-two', TWO)
  expect(both).toContain('    septet-one:')
  expect(withoutConfig(both, 'septet-one', ONE)).toBe(added(THEIRS, 'septet-two', TWO))
  expect(withoutConfig(withoutConfig(both, 'septet-two', TWO) ?? '', 'septet-one', ONE)).toBe(THEIRS)
})

test('what is not there, is not ours, or was changed since is left alone', () => {
  const text = added(THEIRS, 'septet-one', ONE)
  expect(withoutConfig(THEIRS, 'septet-one', ONE)).toBeUndefined()
  expect(withoutConfig(text, 'septet-one', TWO)).toBeUndefined()
  expect(withoutConfig(text, 'septet-theirs', ONE)).toBeUndefined()
  expect(withoutConfig(text.replace('"1g.10gb":7', '"1g.10gb":6'), 'septet-one', ONE)).toBeUndefined()
  const longer = text.replace(
    '    all-disabled:',
    '      - devices: [1]\n        mig-enabled: false\n    all-disabled:',
  )
  expect(withoutConfig(longer, 'septet-one', ONE)).toBeUndefined()
  expect(withoutConfig('version: v1', 'septet-one', ONE)).toBeUndefined()
})
