import { instant, type Note, type NoteStore } from '@septet/domain'

import type { AccessTables } from '../access/access-tables.ts'
import { and, desc, eq, lt, sql } from '../drizzle.ts'
import { dateOf, exactText } from '../column-types.ts'
import { notes } from '../schema.ts'
import { storableText } from '../usage/storable.ts'

/** One row for each note. */
export function postgresNotes({ db, all, first, run, finds, transaction }: AccessTables): NoteStore {
  const { kind, id, at, until } = notes
  const isIt = (ofKind: string, ofId: string) => and(eq(kind, ofKind), eq(id, ofId))
  return {
    add: (note) =>
      finds(() =>
        db
          .insert(notes)
          .values(note)
          .onConflictDoUpdate({ target: [kind, id], set: note, setWhere: sql`${until} <= excluded.at` }),
      ),
    renew: ({ kind: ofKind, id: ofId, ...change }) =>
      finds(() => db.update(notes).set(change).where(isIt(ofKind, ofId))),
    get: (ofKind, ofId) => first(asKept, () => db.select().from(notes).where(isIt(ofKind, ofId))),
    newest: (ofKind, limit) =>
      all(asKept, () => db.select().from(notes).where(eq(kind, ofKind)).orderBy(desc(at)).limit(limit)),
    addUpTo: (most, note) =>
      transaction(async (query) => {
        const values = [note.kind, storableText(note.owner), dateOf(note.at)]
        // Under a stricter default it would not see what it waited for.
        await query('set transaction isolation level read committed')
        await query('select pg_advisory_xact_lock(hashtext($1), hashtext($2))', values.slice(0, 2))
        const [found] = await query<{ count: number; first: Date | null }>(
          'select count(*)::int as count, min(until) as first from notes where kind = $1 and owner = $2 and until > $3',
          values,
        )
        if (found !== undefined && found.count >= most) return instant(found.first?.getTime() ?? note.at)
        await query('insert into notes (kind, owner, at, id, until, bytes) values ($1, $2, $3, $4, $5, $6)', [
          ...values,
          exactText(note.id),
          dateOf(note.until),
          Buffer.from(note.bytes),
        ])
        return undefined
      }),
    remove: (ofKind, ofId) => run(() => db.delete(notes).where(isIt(ofKind, ofId))),
    trim: (ofKind, most) =>
      run(() => {
        const oldest = db.select({ at }).from(notes).where(eq(kind, ofKind)).orderBy(desc(at)).offset(most).limit(1)
        return db.delete(notes).where(and(eq(kind, ofKind), sql`${at} <= (${oldest})`))
      }),
    prune: (before) => run(() => db.delete(notes).where(lt(until, before))),
  }
}

const asKept = (row: typeof notes.$inferSelect): Note => row
