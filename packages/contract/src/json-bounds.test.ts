import { expect, test } from 'vitest'

import { tooMuchJson } from './json-bounds.ts'

test('what people send is not too much, whatever stands in its texts', () => {
  const manifest = '- {a: [1, 2, 3]}\n'.repeat(10_000)
  for (const sent of [{}, [], 'a', 1, null, { manifest }, { text: String.raw`\"[[[` + ',"'.repeat(20_000) }])
    expect(tooMuchJson(JSON.stringify(sent))).toBeUndefined()
})

test.each([
  ['values of a list', JSON.stringify(Array(10_001).fill(1)), 'The request body holds more than 10000 values.'],
  ['values of objects', `[${'{"a":1},'.repeat(5001)}]`, 'The request body holds more than 10000 values.'],
  ['levels', '['.repeat(65), 'The request body nests more than 64 levels deep.'],
])('too many %s are told', (_what, text, words) => expect(tooMuchJson(text)).toBe(words))
