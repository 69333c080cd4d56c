import type { Alert } from '@septet/domain'

/** What is told of an alert wherever it is told. */
export const alertFacts = (alert: Alert) => ({
  id: alert.id,
  kind: alert.kind,
  severity: alert.severity,
  title: alert.title,
  message: alert.message,
  advice: alert.advice,
  object: alert.object,
  namespace: alert.namespace ?? null,
  value: alert.figure.value,
  threshold: alert.figure.threshold,
  unit: alert.figure.unit,
  coverage: alert.figure.coverage ?? null,
  since: new Date(alert.since).toISOString(),
  resolvedAt: alert.resolvedAt === undefined ? null : new Date(alert.resolvedAt).toISOString(),
})
