import { expect, test } from 'vitest'

import { RUN_GROUPS, runChoice, runName } from './run-words.ts'

test.each([
  ['whole.best-fit', 'Whole GPUs, best fit', 'best fit'],
  ['whole.septet', 'Whole GPUs, Septet', 'Septet'],
  ['today', 'MIG as today', 'as today'],
  ['static.balanced', 'MIG fixed, all-balanced', 'all-balanced'],
  ['mig.septet-elastic', 'MIG on demand, Septet, fewest GPUs', 'Septet, fewest GPUs'],
  ['mig.septet', 'MIG on demand, Septet, full fleet', 'Septet, full fleet'],
  ['slices8.septet', 'Time-sliced in 8, Septet', 'in 8, Septet'],
])('%s is called “%s”, and “%s” under its group', (run, name, choice) => {
  expect([runName(run), runChoice(run)]).toEqual([name, choice])
})

test('a way of another version is called as the server names it', () =>
  expect(runName('dra.septet')).toBe('dra.septet'))

test('no two choices of a group read the same', () => {
  for (const { runs } of RUN_GROUPS) expect(new Set(runs.map(runChoice)).size).toBe(runs.length)
})
