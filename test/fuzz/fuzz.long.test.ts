import { expect, test } from 'vitest'

import { fuzz } from './fuzz.ts'
import { PARSERS, type ParserName } from './parsers.ts'

const names = Object.keys(PARSERS).filter((name): name is ParserName => name in PARSERS)

test.each(names)('%s takes whatever it is sent for half a minute', async (name) => {
  const { inputs, findings } = await fuzz(name, { seconds: 30 })
  expect(findings).toEqual([])
  expect(inputs).toBeGreaterThan(0)
})
