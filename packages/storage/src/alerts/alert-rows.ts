import {
  ratio,
  instant,
  type Alert,
  type AlertMark,
  type ClusterEvent,
  type Delivery,
  type DeliveryAttempt,
} from '@septet/domain'

import { dateOf, maybeDate, maybeInstant } from '../access/row-values.ts'
import type { alerts, clusterEvents, deliveries, deliveryAttempts } from '../alert-schema.ts'
import { longText, storableJson } from '../records/record-rows.ts'
import { storableText } from '../usage/storable.ts'

/** Between what the domain knows and what a table row holds. Texts from a cluster are made storable on the way in. */

export type EventRow = typeof clusterEvents.$inferSelect
export type AlertRow = typeof alerts.$inferSelect
export type DeliveryRow = typeof deliveries.$inferSelect
export type AttemptRow = typeof deliveryAttempts.$inferSelect

export const eventRow = (cluster: string, event: ClusterEvent): EventRow => ({
  cluster: storableText(cluster),
  id: storableText(event.id),
  at: dateOf(event.at),
  kind: event.kind,
  object: storableText(event.object),
  namespace: maybeText(event.namespace),
  message: longText(event.message),
  figures: storableJson(event.figures),
})

export const toEvent = (row: EventRow): ClusterEvent => ({
  ...row,
  at: instant(row.at.getTime()),
  namespace: row.namespace ?? undefined,
})

export const alertRow = (alert: Alert): AlertRow => ({
  id: storableText(alert.id),
  cluster: storableText(alert.cluster),
  kind: alert.kind,
  fingerprint: storableText(alert.fingerprint),
  object: storableText(alert.object),
  namespace: maybeText(alert.namespace),
  severity: alert.severity,
  status: alert.status,
  since: dateOf(alert.since),
  firedAt: maybeDate(alert.firedAt),
  resolvedAt: maybeDate(alert.resolvedAt),
  clearSince: maybeDate(alert.clearSince),
  seenAt: dateOf(alert.seenAt),
  title: longText(alert.title),
  message: longText(alert.message),
  advice: longText(alert.advice),
  figure: storableJson(alert.figure),
  ending: maybeText(alert.ending),
  toldFiring: maybeDate(alert.told.firing),
  toldResolved: maybeDate(alert.told.resolved),
  ...markColumns({ acknowledgement: alert.acknowledgement, silence: alert.silence }),
})

type Marks = Pick<AlertRow, 'acknowledgement' | 'silence' | 'silencedUntil'>

/** Only the columns that a mark names. */
export function markColumns(mark: Required<AlertMark>): Marks
export function markColumns(mark: AlertMark): Partial<Marks>
export function markColumns(mark: AlertMark): Partial<Marks> {
  const { acknowledgement, silence } = mark
  return {
    ...('acknowledgement' in mark ? { acknowledgement: storableJson(acknowledgement ?? null) } : {}),
    ...('silence' in mark ? { silence: storableJson(silence ?? null), silencedUntil: maybeDate(silence?.until) } : {}),
  }
}

export function toAlert(row: AlertRow): Alert {
  const { toldFiring, toldResolved, silencedUntil: _, ...rest } = row
  const { coverage } = row.figure
  return {
    ...rest,
    namespace: row.namespace ?? undefined,
    since: instant(row.since.getTime()),
    firedAt: maybeInstant(row.firedAt),
    resolvedAt: maybeInstant(row.resolvedAt),
    clearSince: maybeInstant(row.clearSince),
    seenAt: instant(row.seenAt.getTime()),
    figure: { ...row.figure, coverage: coverage === undefined ? undefined : ratio(coverage) },
    ending: row.ending ?? undefined,
    told: { firing: maybeInstant(toldFiring), resolved: maybeInstant(toldResolved) },
    acknowledgement: row.acknowledgement ?? undefined,
    silence: row.silence ?? undefined,
  }
}

export const deliveryRow = (delivery: Delivery): DeliveryRow => ({
  id: storableText(delivery.id),
  channel: storableText(delivery.channel),
  cluster: storableText(delivery.cluster),
  about: delivery.about,
  alerts: storableJson(delivery.alerts),
  title: longText(delivery.title),
  content: storableJson(delivery.content),
  createdAt: dateOf(delivery.createdAt),
  state: delivery.state,
  attempts: delivery.attempts,
  nextAt: maybeDate(delivery.nextAt),
  giveUpAt: dateOf(delivery.giveUpAt),
})

export const toDelivery = (row: DeliveryRow): Delivery => ({
  ...row,
  createdAt: instant(row.createdAt.getTime()),
  nextAt: maybeInstant(row.nextAt),
  giveUpAt: instant(row.giveUpAt.getTime()),
})

export const attemptRow = (attempt: DeliveryAttempt): AttemptRow => ({
  delivery: storableText(attempt.delivery),
  attempt: attempt.attempt,
  at: dateOf(attempt.at),
  outcome: attempt.outcome,
  status: attempt.status ?? null,
  detail: longText(attempt.detail),
  tookMs: Math.round(attempt.tookMs),
  nextAt: maybeDate(attempt.nextAt),
})

export const toAttempt = (row: AttemptRow): DeliveryAttempt => ({
  ...row,
  at: instant(row.at.getTime()),
  status: row.status ?? undefined,
  nextAt: maybeInstant(row.nextAt),
})

const maybeText = (text: string | undefined): string | null => (text === undefined ? null : storableText(text))
