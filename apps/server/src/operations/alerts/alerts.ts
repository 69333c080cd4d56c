import {
  Refusal,
  type AlertView,
  type alertsAcknowledge,
  type alertsList,
  type alertsSilence,
  type InputOf,
  type FiguresOf,
} from '@septet/contract'
import { DAY_MS, instant, type Alert, type AlertStore, type Caller } from '@septet/domain'

import type { ClusterFacts } from '../../facts.ts'
import { answeredFrom } from '../answering/source.ts'
import { isoOf, isoOrNull } from '../answering/view.ts'

type Asked = { readonly store: AlertStore; readonly caller: Pick<Caller, 'namespaces' | 'name'>; readonly now: number }

/** What fires and what is over; of a caller's namespaces alone where they are limited to some. */
export async function liveAlerts(
  facts: ClusterFacts,
  input: InputOf<typeof alertsList>,
  { store, caller, now }: Asked,
): Promise<FiguresOf<typeof alertsList>> {
  const shared = {
    cluster: facts.record.id,
    ...(input.kind === undefined ? {} : { kinds: [input.kind] }),
    ...(caller.namespaces === undefined ? {} : { namespaces: caller.namespaces }),
  }
  const from = instant(now - input.days * DAY_MS)
  const { limit } = input
  const [total, firing, pending, history] = await Promise.all([
    store.count({ ...shared, statuses: ['firing'] }),
    store.list({ ...shared, limit, statuses: ['firing'] }),
    store.count({ ...shared, statuses: ['pending'] }),
    store.list({ ...shared, limit, statuses: ['resolved'], from }),
  ])
  return {
    ...answeredFrom(facts, undefined),
    note: null,
    total,
    firing: firing.map(alertView),
    pending,
    history: history.map(alertView),
  }
}

export async function acknowledgeAlert(
  facts: ClusterFacts,
  { id, reason, on }: InputOf<typeof alertsAcknowledge>,
  asked: Asked,
): Promise<{ readonly alert: AlertView }> {
  await needAlert(facts, id, asked)
  const acknowledgement = on ? { by: asked.caller.name, at: instant(asked.now), reason } : undefined
  return changed(await asked.store.mark(id, { acknowledgement }), id)
}

export async function silenceAlert(
  facts: ClusterFacts,
  { id, reason, minutes }: InputOf<typeof alertsSilence>,
  asked: Asked,
): Promise<{ readonly alert: AlertView }> {
  await needAlert(facts, id, asked)
  const until = instant(asked.now + minutes * 60_000)
  const silence = minutes === 0 ? undefined : { by: asked.caller.name, at: instant(asked.now), reason, until }
  return changed(await asked.store.mark(id, { silence }), id)
}

/** Another cluster's alert, or another namespace's, is none. */
async function needAlert(facts: ClusterFacts, id: string, { store, caller }: Asked): Promise<void> {
  const found = await store.get(id)
  const isTheirs =
    caller.namespaces === undefined || (found?.namespace !== undefined && caller.namespaces.includes(found.namespace))
  if (found?.cluster !== facts.record.id || !isTheirs) throw noAlert(id)
}

function changed(alert: Alert | undefined, id: string): { readonly alert: AlertView } {
  if (alert === undefined) throw noAlert(id)
  return { alert: alertView(alert) }
}

const noAlert = (id: string): Refusal =>
  new Refusal('not-found', `There is no alert "${id}".`, 'List the alerts; it may have ended.')

const alertView = (alert: Alert): AlertView => ({
  id: alert.id,
  kind: alert.kind,
  severity: alert.severity,
  status: alert.status,
  object: alert.object,
  namespace: alert.namespace ?? null,
  title: alert.title,
  message: alert.message,
  advice: alert.advice,
  value: alert.figure.value,
  threshold: alert.figure.threshold,
  unit: alert.figure.unit,
  coverage: alert.figure.coverage ?? null,
  since: isoOf(alert.since),
  firedAt: isoOrNull(alert.firedAt),
  resolvedAt: isoOrNull(alert.resolvedAt),
  ending: alert.ending ?? null,
  acknowledgement: alert.acknowledgement === undefined ? null : markView(alert.acknowledgement),
  silence: alert.silence === undefined ? null : { ...markView(alert.silence), until: isoOf(alert.silence.until) },
})

const markView = ({ by, at, reason }: NonNullable<Alert['acknowledgement']>) => ({ by, at: isoOf(at), reason })
