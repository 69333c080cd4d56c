import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { sentenceReader } from './sentences.ts'

const TEXT =
  '- **node-7** has 2 partitions, e.g. a 3g.40gb. chat costs {{r1.rows[3].cost}}. Is it idle?\n1. `web` is not. Last one'

test('sentences come whole, however the text is cut, and without the marks of lists, emphasis and code', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: TEXT.length }), { maxLength: 12 }), (cuts) => {
      const reader = sentenceReader()
      const at = [0, ...cuts.toSorted((a, b) => a - b), TEXT.length]
      const read = at.slice(1).flatMap((to, order) => reader.read(TEXT.slice(at[order], to)))
      expect([...read, ...reader.end()]).toEqual([
        'node-7 has 2 partitions, e.g. a 3g.40gb.',
        'chat costs {{r1.rows[3].cost}}.',
        'Is it idle?',
        'web is not.',
        'Last one',
      ])
    }),
  )
})

test('a sentence comes with the blank that ends it, and not with the next one', () => {
  const reader = sentenceReader()
  expect(reader.read('It is idle.')).toEqual([])
  expect(reader.read(' ')).toEqual(['It is idle.'])
})
