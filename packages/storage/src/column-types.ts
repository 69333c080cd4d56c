import { customType, timestamp } from './drizzle.ts'

/** PostgreSQL's bytes. */
export const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' })

/** An instant, to the millisecond. */
export const moment = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })
