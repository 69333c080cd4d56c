import type { SQL } from 'drizzle-orm'
import { getTableColumns, sql } from './drizzle.ts'
import type { PgTable } from 'drizzle-orm/pg-core'

import { isExact } from './column-types.ts'

/** A row as the domain knows it: what is null is undefined. */
export function known<Row extends object>(row: Row): Known<Row>
export function known(row: object): object {
  return Object.fromEntries(Object.entries(row).map(([column, value]) => [column, value ?? undefined]))
}
type Known<Row> = { [Column in keyof Row]: Exclude<Row[Column], null> | (null extends Row[Column] ? undefined : never) }

/** A record as a row of the table, with every column: what is not there is null. */
export function rowOf<Table extends PgTable>(table: Table, record: Table['$inferInsert']): Table['$inferInsert'] {
  return named(
    Object.fromEntries(Object.keys(getTableColumns(table)).map((column) => [column, Reflect.get(record, column)])),
  )
}

/** The columns that a change names; but for some, as a type lets more through than it names. */
export const named = (change: object, fixed: readonly string[] = []) =>
  Object.fromEntries(
    Object.entries(change).flatMap(([column, value]) => (fixed.includes(column) ? [] : [[column, value ?? null]])),
  )

/** What to look for in an `exact` column: nothing is kept under an empty text, so what cannot be kept is not found. */
export const sought = (text: string): SQL => sql`${isExact(text) ? text : ''}`

/** A copy that has been through JSON: what is given back, and nobody else holds. */
export function storableJson<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value ?? null))
}
