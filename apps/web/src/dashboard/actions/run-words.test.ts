import { expect, test } from 'vitest'

import { RUN_GROUPS, runChoice, runName } from './run-words.ts'

test.each([
  ['today', 'MIG as today', 'as today'],
  ['mig.best-fit', 'MIG on demand, best fit', 'best fit'],
  ['mig.septet-elastic', 'MIG on demand, Septet, fewest GPUs', 'Septet, fewest GPUs'],
])('%s is called “%s”, and “%s” under its group', (run, name, choice) => {
  expect([runName(run), runChoice(run)]).toEqual([name, choice])
})

test('a way of another version is called as the server names it', () =>
  expect(runName('dra.septet')).toBe('dra.septet'))

test('no two choices of a group read the same', () => {
  for (const { runs } of RUN_GROUPS) expect(new Set(runs.map(runChoice)).size).toBe(runs.length)
})
