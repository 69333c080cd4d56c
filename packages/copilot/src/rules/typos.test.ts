import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { correctedWith } from './typos.ts'

const LETTERS = fc.string({
  unit: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'),
  minLength: 6,
  maxLength: 12,
})

/** One slip of the finger. */
const SLIPS: ReadonlyArray<(word: string, at: number) => string> = [
  (word, at) => word.slice(0, at) + word.slice(at + 1),
  (word, at) => `${word.slice(0, at)}z${word.slice(at)}`,
  (word, at) => `${word.slice(0, at)}z${word.slice(at + 1)}`,
  (word, at) =>
    word.slice(0, at) +
    word
      .slice(at, at + 2)
      .split('')
      .toReversed()
      .join('') +
    word.slice(at + 2),
]

test('a word with one slip is read as the only known word that is so near', () => {
  const read = fc.tuple(LETTERS, fc.constantFrom(...SLIPS), fc.nat(11))
  fc.assert(
    fc.property(read, ([word, slip, place]) => {
      const at = place % word.length
      expect(correctedWith(new Map([[word, 'meaning']]))(slip(word, at))).toBe('meaning')
    }),
  )
})

test('a word that is near to two meanings, too short, or no word stays unknown', () => {
  const read = correctedWith(new Map([['nodes', 'node'], ['modes', 'mode'], ['gpus', 'gpu'], ['clusters', 'cluster']])) // prettier-ignore
  expect(['odes', 'tpus', 'node5', 'movie', 'clustrs'].map(read)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
    'cluster',
  ])
})

test('of a short word only two letters in the wrong order are mended', () => {
  const read = correctedWith(new Map([['what', 'what'], ['table', 'table']])) // prettier-ignore
  expect(['waht', 'tabel', 'tables', 'cable', 'wat'].map(read)).toEqual([
    'what',
    'table',
    undefined,
    undefined,
    undefined,
  ])
})
