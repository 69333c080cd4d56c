import { instant, type AdmissionRecord, type AdmissionStore } from '@septet/domain'

import type { AccessTables } from '../access/access-tables.ts'
import { dateOf } from '../access/row-values.ts'
import { admissionAnswersTable, IS_CHANGED } from '../action-schema.ts'
import { and, desc, eq, gte, inArray, lt, sql } from '../drizzle.ts'
import { storableText } from '../usage/storable.ts'

/** What was answered about new pods, one row each. */
export function postgresAdmissions({ db, all, run, guard, count }: AccessTables): AdmissionStore {
  const { number, cluster: ofCluster, at, kind, namespace } = admissionAnswersTable
  const fits = ({
    cluster,
    namespaces,
  }: Parameters<AdmissionStore['list']>[0] | Parameters<AdmissionStore['count']>[0]) =>
    and(eq(ofCluster, storableText(cluster)), namespaces && inArray(namespace, namespaces.map(storableText)))
  return {
    add: async (cluster, records) => {
      if (records.length === 0) return
      await run(() => db.insert(admissionAnswersTable).values(records.map((record) => rowOf(cluster, record))))
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
            .where(and(fits(query), gte(at, dateOf(query.since))))
            .groupBy(kind),
      )
      const of = (wanted: AdmissionRecord['kind']): number => counted.find((row) => row.kind === wanted)?.count ?? 0
      return { warned: of('warned'), changed: of('changed') }
    },
    countChanged: ({ cluster, since }) =>
      guard(() =>
        db.$count(admissionAnswersTable, and(IS_CHANGED, eq(ofCluster, storableText(cluster)), gte(at, dateOf(since)))),
      ),
    prune: (before) => count(() => db.delete(admissionAnswersTable).where(lt(at, dateOf(before)))),
    forget: (cluster) => run(() => db.delete(admissionAnswersTable).where(eq(ofCluster, storableText(cluster)))),
  }
}

const rowOf = (cluster: string, record: AdmissionRecord) => ({
  cluster: storableText(cluster),
  at: dateOf(record.at),
  namespace: storableText(record.namespace),
  pod: storableText(record.pod),
  workload: storableText(record.workload),
  kind: record.kind,
  suggested: record.suggested === undefined ? null : storableText(record.suggested),
  said: storableText(record.said),
})

type Row = typeof admissionAnswersTable.$inferSelect

const toRecord = ({ at, namespace, pod, workload, kind, suggested, said }: Row): AdmissionRecord => ({
  at: instant(at.getTime()),
  namespace,
  pod,
  workload,
  kind,
  suggested: suggested ?? undefined,
  said,
})
