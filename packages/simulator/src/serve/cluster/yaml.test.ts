import { describe, expect, test } from 'vitest'

import { parseYaml } from './yaml.ts'

describe('YAML, as far as configuration files use it', () => {
  test('reads mappings, lists, flow values, quotes and comments', () => {
    const text = `# a comment
version: v1
mig-configs:
  plan-1:   # named by its content
    - devices: [0, 1]
      mig-enabled: true
      mig-devices: {"1g.5gb+me": 1, 2g.10gb: 3}
    -
      devices: all
      mig-enabled: false
  "all-1g.10gb.me":
  - device-filter: ['0x233010DE', "0x233110DE"]
    devices: all
empty:
list:
  - plain text
  - 7
  - 'it''s'
`
    expect(parseYaml(text)).toEqual({
      version: 'v1',
      'mig-configs': {
        'plan-1': [
          { devices: [0, 1], 'mig-enabled': true, 'mig-devices': { '1g.5gb+me': 1, '2g.10gb': 3 } },
          { devices: 'all', 'mig-enabled': false },
        ],
        'all-1g.10gb.me': [{ 'device-filter': ['0x233010DE', '0x233110DE'], devices: 'all' }],
      },
      empty: null,
      list: ['plain text', 7, "it's"],
    })
  })

  test('reads JSON as itself', () => {
    expect(parseYaml('{"a": [1, true, null, "x: y"]}')).toEqual({ a: [1, true, null, 'x: y'] })
  })

  test.each(['just words', 'a: 1\n   b: 2\n c: 3', '{"a": '])('refuses %j', (text) => {
    expect(() => parseYaml(text)).toThrow(/./)
  })
})
