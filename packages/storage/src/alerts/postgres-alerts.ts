import type { Alert, AlertMark, AlertQuery, AlertStore, Delivery } from '@septet/domain'
import type { SQL } from 'drizzle-orm'
import { and, desc, eq, getTableColumns, gt, inArray, isNull, lt, ne, or, sql } from '../drizzle.ts'

import { byText, type AccessTables } from '../access/access-tables.ts'
import { alerts, deliveries } from '../alert-schema.ts'
import { rowsByColumn } from '../rows-by-column.ts'
import { known } from '../rows.ts'
import { postgresDeliveries } from './postgres-deliveries.ts'

/** Alerts and what was sent of them. What people marked is changed by `mark` alone, so no evaluation overwrites it. */
export function postgresAlerts(tables: AccessTables): AlertStore {
  const { guard, all, first, count, db } = tables
  const found = (isIt: SQL | undefined) => db.select().from(alerts).where(isIt)
  const newest = [desc(alerts.since), desc(byText(alerts.id))]
  return {
    write: (fresh, sent) => write(tables, fresh, sent),
    get: (id) => first(toAlert, () => found(eq(alerts.id, id))),
    list: ({ limit, ...query }) =>
      all(toAlert, () =>
        found(fits(query))
          .orderBy(...newest)
          .limit(limit),
      ),
    count: (query) => guard(() => db.$count(alerts, fits(query))),
    current: async (cluster, now) => {
      const kept = await all(toAlert, () => {
        const isSilenced = gt(alerts.silencedUntil, now)
        const isOpen = or(ne(alerts.status, 'resolved'), isSilenced)
        return found(and(eq(alerts.cluster, cluster), isOpen)).orderBy(...newest)
      })
      return currentOf(kept)
    },
    mark: (id, mark) =>
      first(toAlert, async () => {
        const columns = markColumns(mark)
        const isIt = eq(alerts.id, id)
        return Object.keys(columns).length === 0 ? found(isIt) : db.update(alerts).set(columns).where(isIt).returning()
      }),
    prune: (before) => count(() => db.delete(alerts).where(lt(alerts.resolvedAt, before))),
    deliveries: postgresDeliveries(tables),
  }
}

const fits = ({ cluster, statuses, kinds, namespaces, from }: Omit<AlertQuery, 'limit'>): SQL | undefined =>
  and(
    eq(alerts.cluster, cluster),
    statuses && inArray(alerts.status, [...statuses]),
    kinds && inArray(alerts.kind, [...kinds]),
    namespaces && inArray(alerts.namespace, [...namespaces]),
    from === undefined ? undefined : or(isNull(alerts.resolvedAt), gt(alerts.resolvedAt, from)),
  )

/** Newest first in; of each fingerprint only the newest one that is over. */
function currentOf(found: readonly Alert[]): Alert[] {
  const over = new Set<string>()
  return found.filter(({ status, fingerprint }) => {
    if (status !== 'resolved') return true
    const isFirst = !over.has(fingerprint)
    over.add(fingerprint)
    return isFirst
  })
}

const alertRow = ({ told, ...alert }: Alert): typeof alerts.$inferInsert => ({
  ...alert,
  toldFiring: told.firing,
  toldResolved: told.resolved,
  silencedUntil: alert.silence?.until,
})

function toAlert(row: typeof alerts.$inferSelect): Alert {
  const { toldFiring, toldResolved, silencedUntil: _, ...rest } = known(row)
  return { ...rest, told: { firing: toldFiring, resolved: toldResolved } }
}

/** Only the columns that a mark names. */
const markColumns = (mark: AlertMark) => ({
  ...('acknowledgement' in mark ? { acknowledgement: mark.acknowledgement ?? null } : {}),
  ...('silence' in mark ? { silence: mark.silence ?? null, silencedUntil: mark.silence?.until ?? null } : {}),
})

/** Over before anybody could have been told of it: not worth keeping. */
const cameToNothing = ({ status, firedAt }: Alert): boolean => status === 'resolved' && firedAt === undefined

function write({ db, guard }: AccessTables, fresh: readonly Alert[], sent: readonly Delivery[]): Promise<void> {
  return guard(() =>
    db.transaction(async (tx) => {
      // Of two with one id the last counts; one statement may not change a row twice.
      const all = [...new Map(fresh.map((alert) => [alert.id, alert])).values()]
      const rows = all.filter((alert) => !cameToNothing(alert)).map(alertRow)
      const gone = all.filter(cameToNothing).map(({ id }) => id)
      if (gone.length > 0) await tx.delete(alerts).where(inArray(alerts.id, gone))
      await tx
        .insert(alerts)
        .select(rowsByColumn(alerts, rows))
        .onConflictDoUpdate({ target: alerts.id, set: REPLACED })
      await tx.insert(deliveries).select(rowsByColumn(deliveries, sent)).onConflictDoNothing()
    }),
  )
}

const KEPT: ReadonlySet<string> = new Set(['id', 'acknowledgement', 'silence', 'silencedUntil'])

/** Every column but the id and what people marked. */
const REPLACED = Object.fromEntries(
  Object.entries(getTableColumns(alerts)).flatMap(([name, column]) =>
    KEPT.has(name) ? [] : [[name, sql.raw(`excluded."${column.name}"`)]],
  ),
)
