import type { ActionStore } from '@septet/domain'
import { eq, inArray } from '../drizzle.ts'

import type { AccessTables } from '../access/access-tables.ts'
import { actionBaselines } from '../action-schema.ts'
import { storableText } from '../usage/storable.ts'

type Baselines = Pick<ActionStore, 'keepBaseline' | 'baseline' | 'keepAfter' | 'measured'>

/** What was measured before runs and after them. */
export function postgresBaselines({ db, guard, first, run }: AccessTables): Baselines {
  return {
    keepBaseline: (id, baseline) =>
      run(() => db.insert(actionBaselines).values({ run: id, baseline }).onConflictDoNothing()),
    baseline: (id) =>
      first(
        (row: typeof actionBaselines.$inferSelect) => row.baseline,
        () => db.select().from(actionBaselines).where(eq(actionBaselines.run, id)),
      ),
    keepAfter: (id, after) => run(() => db.update(actionBaselines).set({ after }).where(eq(actionBaselines.run, id))),
    measured: (ids) =>
      guard(async () => {
        if (ids.length === 0) return new Map()
        const own = new Map(ids.map((id) => [storableText(id), id]))
        const rows = await db
          .select()
          .from(actionBaselines)
          .where(inArray(actionBaselines.run, [...own.keys()]))
        return new Map(
          rows.map((row) => [own.get(row.run) ?? row.run, { baseline: row.baseline, after: row.after ?? undefined }]),
        )
      }),
  }
}
