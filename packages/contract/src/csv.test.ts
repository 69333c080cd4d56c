import { describe, expect, test } from 'vitest'

import { csvOf } from './csv.ts'

describe('CSV', () => {
  test.each([
    ['a,b', '"a,b"'],
    ['say "no"', '"say ""no"""'],
    ['two\nlines', '"two\nlines"'],
    ['=HYPERLINK(1)', "'=HYPERLINK(1)"],
    ['@sum', "'@sum"],
    ['-cmd', "'-cmd"],
    ['-3.5', '-3.5'],
    ['-.5', '-.5'],
    ['', ''],
  ])('keeps %j harmless and whole', (text, cell) => {
    expect(csvOf([[text]])).toBe(`${cell}\r\n`)
  })

  test('has a line for each line, with its end', () => {
    expect(
      csvOf([
        ['a', 'b'],
        ['1', '2'],
      ]),
    ).toBe('a,b\r\n1,2\r\n')
  })
})
