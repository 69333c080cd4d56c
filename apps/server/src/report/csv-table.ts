import { csvOf } from '@septet/contract/csv'
import { recordOf } from '@septet/domain'

export type Cell = string | number | null | undefined
/** The columns of a table by name, each with what it says of a row. */
export type Columns<Row> = Readonly<Record<string, (row: Row) => Cell>>

/** A table as CSV (RFC 4180). Unknown is an empty cell, never 0. */
export const csvTable = <Row>(columns: Columns<Row>, rows: readonly Row[]): string =>
  csvOf([Object.keys(columns), ...rows.map((row) => Object.values(columns).map((of) => String(of(row) ?? '')))])

/** Columns that are named as the fields of a row that they show. */
export const fields = <Name extends string>(...names: readonly Name[]) =>
  recordOf(names, (name) => (row: Readonly<Record<Name, Cell>>) => row[name])
