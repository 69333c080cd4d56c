import { expect, test } from 'vitest'

import { PARSERS, type ParserName } from './parsers.ts'
import { tryInputs } from './try-inputs.ts'

const names = Object.keys(PARSERS).filter((name): name is ParserName => name in PARSERS)
/** Parquet has a thread for each file. */
const inputsOf = (name: ParserName): number => (name === 'bill-parquet' ? 30 : 200)

test.each(names)('%s: inputs are read, or refused with what is wrong', async (name) => {
  const inputs = inputsOf(name)
  const tried = await tryInputs(name, 0, { goesOn: (count) => count < inputs, begins: () => undefined })
  expect(tried).toEqual({ inputs, findings: [] })
})

/** What was found once: its number gives the same input as long as the seeds and the ways to change them stay. */
test('a long row of digits is no work', async () => {
  const tried = await tryInputs('words-and-numbers', 5122, { goesOn: (count) => count < 1, begins: () => undefined })
  expect(tried.findings).toEqual([])
})
