import { describe, expect, test } from 'vitest'

import { csvOf, tableCsv } from './table-csv.ts'

describe('a table as CSV', () => {
  test('has its headings and only the columns that have a text', () => {
    const columns = [
      { id: 'name', name: 'Name', cell: () => '', text: (row: { name: string }) => row.name },
      { id: 'bar', name: 'Bar', cell: () => '' },
    ]
    expect(tableCsv(columns, [{ name: 'a' }, { name: 'b' }])).toBe('Name\r\na\r\nb')
  })

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
    expect(csvOf([[text]])).toBe(cell)
  })
})
