import type { AuditHead, AuditStore, MailStore } from '@septet/domain'
import type { SQL } from 'drizzle-orm'
import { and, asc, desc, eq, gt, lt } from '../drizzle.ts'

import { auditEntries, mails } from '../access-schema.ts'
import type { Query } from '../connection.ts'
import { known } from '../rows.ts'
import { byText, oneAtATime, type AccessTables } from './access-tables.ts'
import { appendBatches } from './append-batches.ts'
import type { ChainEnd } from './follow-chain.ts'

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
        const { entries, head } = follow(await endOf(query))
        if (head === undefined) return
        const { sql, params } = db
          .insert(auditEntries)
          .values([...entries])
          .toSQL()
        await query(sql, params)
        await query(WRITE_HEAD, [head.seq, head.hash, head.signature])
      }),
    ),
    head: async () => (await all(headOf, () => db.execute<HeadRow>(READ_HEAD).then(({ rows }) => rows)))[0],
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

type HeadRow = { readonly seq: string; readonly hash: string; readonly signature: string }

const READ_HEAD = 'select seq, hash, signature from audit_head'
const WRITE_HEAD = `insert into audit_head (seq, hash, signature) values ($1, $2, $3)
  on conflict (one) do update set seq = excluded.seq, hash = excluded.hash, signature = excluded.signature`
const READ_END = `select seq, hash, exists (select from audit_entries signed
    where signed.seq = (select seq from audit_head) and signed.hash = (select hash from audit_head)) as "holdsHead"
  from audit_entries order by seq desc limit 1`

const headOf = ({ seq, ...row }: HeadRow): AuditHead => ({ seq: Number(seq), hash: row.hash, signature: row.signature })

async function endOf(query: Query): Promise<ChainEnd> {
  const [[end], [head]] = [
    await query<Omit<HeadRow, 'signature'> & { holdsHead: boolean }>(READ_END),
    await query<HeadRow>(READ_HEAD),
  ]
  return {
    newest: end && { seq: Number(end.seq), hash: end.hash },
    head: head && headOf(head),
    holdsHead: end?.holdsHead === true,
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
