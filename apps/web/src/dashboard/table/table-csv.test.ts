import { describe, expect, test } from 'vitest'

import { tableCsv } from './DataTable.tsx'

describe('a table as CSV', () => {
  test('has its headings and only the columns that have a text', () => {
    const columns = [
      { id: 'name', name: 'Name', cell: () => '', text: (row: { name: string }) => row.name },
      { id: 'bar', name: 'Bar', cell: () => '' },
    ]
    expect(tableCsv(columns, [{ name: 'a' }, { name: 'b' }])).toBe('Name\r\na\r\nb\r\n')
  })
})
