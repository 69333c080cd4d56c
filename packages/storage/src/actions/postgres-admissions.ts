import type { AdmissionRecord, AdmissionStore } from '@septet/domain'

import type { AccessTables } from '../access/access-tables.ts'
import { admissionAnswersTable, IS_CHANGED } from '../action-schema.ts'
import { known } from '../rows.ts'
import { and, desc, eq, gte, inArray, lt, sql } from '../drizzle.ts'

/** What was answered about new pods, one row each. */
export function postgresAdmissions({ db, all, run, guard, count }: AccessTables): AdmissionStore {
  const { number, cluster: ofCluster, at, kind, namespace } = admissionAnswersTable
  const fits = ({
    cluster,
    namespaces,
  }: Parameters<AdmissionStore['list']>[0] | Parameters<AdmissionStore['count']>[0]) =>
    and(eq(ofCluster, cluster), namespaces && inArray(namespace, [...namespaces]))
  return {
    add: async (cluster, records) => {
      if (records.length === 0) return
      await run(() => db.insert(admissionAnswersTable).values(records.map((record) => ({ ...record, cluster }))))
    },
    list: (query) =>
      all(toRecord, () =>
        db.select().from(admissionAnswersTable).where(fits(query)).orderBy(desc(number)).limit(query.limit),
      ),
    count: async (query) => {
      const counted = await all(
        (row: { kind: AdmissionRecord['kind']; count: number }) => row,
        () =>
          db
            .select({ kind, count: sql<number>`count(*)::int` })
            .from(admissionAnswersTable)
            .where(and(fits(query), gte(at, query.since)))
            .groupBy(kind),
      )
      const of = (wanted: AdmissionRecord['kind']): number => counted.find((row) => row.kind === wanted)?.count ?? 0
      return { warned: of('warned'), changed: of('changed') }
    },
    countChanged: ({ cluster, since }) =>
      guard(() => db.$count(admissionAnswersTable, and(IS_CHANGED, eq(ofCluster, cluster), gte(at, since)))),
    prune: (before) => count(() => db.delete(admissionAnswersTable).where(lt(at, before))),
    forget: (cluster) => run(() => db.delete(admissionAnswersTable).where(eq(ofCluster, cluster))),
  }
}

function toRecord(row: typeof admissionAnswersTable.$inferSelect): AdmissionRecord {
  const { number: _, cluster: __, ...record } = known(row)
  return record
}
