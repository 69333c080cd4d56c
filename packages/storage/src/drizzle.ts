/**
 * The query builder, loaded as CommonJS: its modules import one another in circles, which cost Node's loader for ES
 * modules half a second and 150 MiB in every thread, where `require` takes a tenth.
 */
import { createRequire } from 'node:module'

type Load = {
  (name: 'drizzle-orm'): typeof import('drizzle-orm')
  (name: 'drizzle-orm/pg-core'): typeof import('drizzle-orm/pg-core')
  (name: 'drizzle-orm/node-postgres'): typeof import('drizzle-orm/node-postgres')
  (name: 'drizzle-orm/node-postgres/migrator'): typeof import('drizzle-orm/node-postgres/migrator')
}
const load: Load = createRequire(import.meta.url)

export const { and, asc, desc, eq, getTableColumns, gt, gte, inArray, isNotNull, isNull, lt, lte, max, ne, or, sql } =
  load('drizzle-orm')

export const {
  bigint,
  boolean,
  customType,
  doublePrecision,
  getTableConfig,
  index,
  integer,
  json,
  PgTable,
  pgTable,
  primaryKey,
  smallint,
  text,
  unique,
  uniqueIndex,
} = load('drizzle-orm/pg-core')

export const { drizzle } = load('drizzle-orm/node-postgres')
export const { migrate } = load('drizzle-orm/node-postgres/migrator')
