import { expect, test } from 'vitest'

import { ColumnMap } from './read-model.ts'
import { packColumns, rowAt, rowsIn, type Columns } from './columns.ts'
import { pack, unpack } from './pack.ts'

type Row = {
  readonly id: string
  readonly busy?: number
  readonly holder?: { readonly pod: string }
  readonly at?: unknown
}

const rows: readonly Row[] = [
  { id: 'a', busy: 0.5, holder: { pod: 'p' } },
  { id: 'b' },
  { id: 'c', busy: 0, holder: { pod: 'p' }, at: 1 },
  { id: 'd', busy: Number.NaN, at: 'text' },
  { id: 'e', at: null },
]
const travelled = (value: readonly Row[]): Columns<Row> => unpack(pack(packColumns(value)))

test('rows come out of their columns as they went in: numbers, texts, records, what is absent, and mixed kinds', () => {
  expect(rowsIn(travelled(rows))).toEqual(rows)
  expect(rowsIn(travelled([]))).toEqual([])
  expect(Object.keys(rowAt(travelled(rows), 1))).toEqual(['id'])
})

test('what repeats is there once', () => {
  const columns = travelled(Array.from({ length: 1000 }, (_, at) => ({ id: `${at}`, holder: { pod: 'the same' } })))
  expect(rowAt(columns, 3).holder).toBe(rowAt(columns, 999).holder)
})

test('a map over columns is read as any map', () => {
  const map = new ColumnMap(travelled([...rows, { id: 'a', busy: 1 }]), ({ id }) => id)
  const plain = new Map([...rows, { id: 'a', busy: 1 }].map((row) => [row.id, row]))
  expect([...map]).toEqual([...plain])
  expect([...map.values()]).toEqual([...plain.values()])
  expect([...map.keys()]).toEqual([...plain.keys()])
  expect([map.size, map.get('c'), map.get('x'), map.has('b'), map.has('x')]).toEqual([
    5,
    rows[2],
    undefined,
    true,
    false,
  ])
  const seen: string[] = []
  map.forEach((row, key) => seen.push(`${key} ${row.busy}`))
  expect(seen[0]).toBe('a 1')
})
