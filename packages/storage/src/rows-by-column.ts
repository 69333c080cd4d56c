import type { SQL } from 'drizzle-orm'
import { getTableColumns, sql } from './drizzle.ts'
import type { PgTable } from 'drizzle-orm/pg-core'

/**
 * Rows for `insert(table).select(…)`, one parameter per column. With one parameter per value, a thousand rows take
 * longer to be put together than to be stored, in the thread that also answers people.
 */
export function rowsByColumn<Table extends PgTable>(table: Table, rows: readonly Table['$inferInsert'][]): SQL {
  const columns = Object.entries(getTableColumns(table)).map(([key, column]) => {
    const values = rows.map((row: Readonly<Record<string, unknown>>) => {
      const value = row[key]
      return value === null || value === undefined ? null : column.mapToDriverValue(value)
    })
    return sql`${sql.param(values)}::${sql.raw(`${column.getSQLType()}[]`)}`
  })
  return sql`select * from unnest(${sql.join(columns, sql`, `)})`
}
