import type { AuditStore, MailStore } from '@septet/domain'
import type { SQL } from 'drizzle-orm'
import { and, asc, desc, eq, gt, lt } from '../drizzle.ts'

import { auditEntries, mails } from '../access-schema.ts'
import { known } from '../rows.ts'
import { byText, oneAtATime, type AccessTables } from './access-tables.ts'
import { appendBatches } from './append-batches.ts'

/** Any number that no other lock of Septet has; nearby is the one of `migrate.ts`. */
const AUDIT_LOCK = 126_879_515_567_478
const ENTRIES_AT_ONCE = 500

/** The chain of what was done. A trigger refuses to change or remove an entry, so there is nothing here that would. */
export function postgresAudit({ db, all, transaction }: AccessTables): AuditStore {
  const found = (isIt: SQL | undefined) => db.select().from(auditEntries).where(isIt)
  const after = (seq: number) =>
    all(known, () => found(gt(auditEntries.seq, seq)).orderBy(asc(auditEntries.seq)).limit(ENTRIES_AT_ONCE))
  return {
    append: appendBatches((follow) =>
      transaction(async (query) => {
        await oneAtATime(query, AUDIT_LOCK)
        const [end] = await query<{ seq: string; hash: string }>(
          'select seq, hash from audit_entries order by seq desc limit 1',
        )
        const entries = follow(end && { seq: Number(end.seq), hash: end.hash })
        if (entries.length === 0) return
        const { sql, params } = db
          .insert(auditEntries)
          .values([...entries])
          .toSQL()
        await query(sql, params)
      }),
    ),
    list: ({ before, limit, actor, action }) =>
      all(known, () => {
        const fits = and(
          before === undefined ? undefined : lt(auditEntries.seq, before),
          actor === undefined ? undefined : eq(auditEntries.actor, actor),
          action === undefined ? undefined : eq(auditEntries.action, action),
        )
        return found(fits).orderBy(desc(auditEntries.seq)).limit(limit)
      }),
    all: async function* () {
      for (let batch = await after(0); batch.length > 0; batch = await after(batch.at(-1)?.seq ?? 0)) yield batch
    },
  }
}

/** Letters that were written, for the outbox. */
export function postgresMails({ db, all, run, count }: AccessTables): MailStore {
  return {
    add: (mail) => run(() => db.insert(mails).values(mail)),
    list: (limit) => {
      const newest = [desc(mails.at), asc(byText(mails.id))]
      return all(known, () =>
        db
          .select()
          .from(mails)
          .orderBy(...newest)
          .limit(limit),
      )
    },
    prune: (before) => count(() => db.delete(mails).where(lt(mails.at, before))),
  }
}
