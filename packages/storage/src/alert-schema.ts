import type {
  Alert,
  AlertAcknowledgement,
  AlertFigure,
  AlertSilence,
  ClusterEvent,
  Delivery,
  DeliveryAttempt,
} from '@septet/domain'
import { index, integer, json, pgTable, primaryKey, text } from './drizzle.ts'

import { long, moment, short } from './column-types.ts'

export const clusterEvents = pgTable(
  'cluster_events',
  {
    cluster: short('cluster').notNull(),
    id: short('id').notNull(),
    at: moment('at').notNull(),
    kind: text('kind').$type<ClusterEvent['kind']>().notNull(),
    object: short('object').notNull(),
    namespace: short('namespace'),
    message: long('message').notNull(),
    figures: json('figures').$type<ClusterEvent['figures']>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.cluster, table.id] }),
    index('cluster_events_at_index').on(table.cluster, table.at),
    index('cluster_events_object_index').on(table.cluster, table.object, table.at),
  ],
)

export const alerts = pgTable(
  'alerts',
  {
    id: short('id').primaryKey(),
    cluster: short('cluster').notNull(),
    kind: text('kind').$type<Alert['kind']>().notNull(),
    fingerprint: short('fingerprint').notNull(),
    object: short('object').notNull(),
    namespace: short('namespace'),
    severity: text('severity').$type<Alert['severity']>().notNull(),
    status: text('status').$type<Alert['status']>().notNull(),
    since: moment('since').notNull(),
    firedAt: moment('fired_at'),
    resolvedAt: moment('resolved_at'),
    clearSince: moment('clear_since'),
    seenAt: moment('seen_at').notNull(),
    title: long('title').notNull(),
    message: long('message').notNull(),
    advice: long('advice').notNull(),
    figure: json('figure').$type<AlertFigure>().notNull(),
    ending: short('ending'),
    toldFiring: moment('told_firing'),
    toldResolved: moment('told_resolved'),
    acknowledgement: json('acknowledgement').$type<AlertAcknowledgement>(),
    silence: json('silence').$type<AlertSilence>(),
    /** The end of `silence`, to be searched for. */
    silencedUntil: moment('silenced_until'),
  },
  (table) => [
    index('alerts_cluster_status_index').on(table.cluster, table.status),
    index('alerts_cluster_since_index').on(table.cluster, table.since),
  ],
)

export const deliveries = pgTable(
  'deliveries',
  {
    id: short('id').primaryKey(),
    channel: short('channel').notNull(),
    cluster: short('cluster').notNull(),
    about: text('about').$type<Delivery['about']>().notNull(),
    alerts: json('alerts').$type<readonly string[]>().notNull(),
    title: long('title').notNull(),
    content: json('content').$type<unknown>(),
    createdAt: moment('created_at').notNull(),
    state: text('state').$type<Delivery['state']>().notNull(),
    attempts: integer('attempts').notNull(),
    nextAt: moment('next_at'),
    giveUpAt: moment('give_up_at').notNull(),
  },
  (table) => [
    index('deliveries_state_next_at_index').on(table.state, table.nextAt),
    index('deliveries_created_at_index').on(table.createdAt),
  ],
)

export const deliveryAttempts = pgTable(
  'delivery_attempts',
  {
    delivery: short('delivery')
      .notNull()
      .references(() => deliveries.id, { onDelete: 'cascade' }),
    attempt: integer('attempt').notNull(),
    at: moment('at').notNull(),
    outcome: text('outcome').$type<DeliveryAttempt['outcome']>().notNull(),
    status: integer('status'),
    detail: long('detail').notNull(),
    tookMs: integer('took_ms').notNull(),
    nextAt: moment('next_at'),
  },
  (table) => [primaryKey({ columns: [table.delivery, table.attempt] })],
)
