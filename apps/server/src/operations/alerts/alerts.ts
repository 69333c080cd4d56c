import { AlertRulesSchema, type Refusal, type AlertView, invalidInput, notFound } from '@septet/contract'
import { DAY_MS, instant, type Alert, type AlertRules, type AlertStore, type Caller, type Store } from '@septet/domain'

import { alertFacts } from '../../alert-facts.ts'
import { readAlertRules, readChannels, writeAlertRules } from '../../alert-settings.ts'
import type { ClusterFacts } from '../../facts.ts'
import type { AnswersOf } from '../answering/answering.ts'
import { answeredFrom } from '../answering/source.ts'
import { isoOf, isoOrNull } from '../answering/view.ts'
import type { AlertService } from './alert-service.ts'

type Needs = {
  readonly store: Pick<Store, 'alerts' | 'settings'>
  readonly alerts: AlertService
  readonly now: () => number
}

/** What is told and decided of alerts, and the rules that they come from. */
export const alertAnswers = ({ store, alerts, now }: Needs): AnswersOf<'alert'> => ({
  /** What fires and what is over; of a caller's namespaces alone where they are limited to some. */
  async alertsList(facts, input, { caller }) {
    const shared = {
      cluster: facts.record.id,
      ...(input.kind === undefined ? {} : { kinds: [input.kind] }),
      ...(caller.namespaces === undefined ? {} : { namespaces: caller.namespaces }),
    }
    const from = instant(now() - input.days * DAY_MS)
    const { limit } = input
    const [total, firing, pending, history] = await Promise.all([
      store.alerts.count({ ...shared, statuses: ['firing'] }),
      store.alerts.list({ ...shared, limit, statuses: ['firing'] }),
      store.alerts.count({ ...shared, statuses: ['pending'] }),
      store.alerts.list({ ...shared, limit, statuses: ['resolved'], from }),
    ])
    return {
      ...answeredFrom(facts, undefined),
      note: null,
      total,
      firing: firing.map(alertView),
      pending,
      history: history.map(alertView),
    }
  },
  async alertsAcknowledge(facts, { id, reason, on }, { caller }) {
    await needAlert(store.alerts, facts, { id, caller })
    const acknowledgement = on ? { by: caller.name, at: instant(now()), reason } : undefined
    return changed(await store.alerts.mark(id, { acknowledgement }), id)
  },
  async alertsSilence(facts, { id, reason, minutes }, { caller }) {
    await needAlert(store.alerts, facts, { id, caller })
    const at = now()
    const until = instant(at + minutes * 60_000)
    const silence = minutes === 0 ? undefined : { by: caller.name, at: instant(at), reason, until }
    const silenced = changed(await store.alerts.mark(id, { silence }), id)
    alerts.reconsider()
    return silenced
  },
  alertsPrometheusRule: async () => ({ yaml: alerts.prometheusRule(await readAlertRules(store.settings)) }),
  alertRulesGet: async () => ({ rules: wireRules(await readAlertRules(store.settings)) }),
  async alertRulesPut({ rules }) {
    const known = new Set((await readChannels(store.settings)).map(({ id }) => id))
    const strange = Object.values(rules).flatMap(({ channels }) => channels.filter((id) => !known.has(id)))[0]
    if (strange !== undefined) {
      throw invalidInput(`There is no channel "${strange}".`, 'Add it first, or choose another.')
    }
    await writeAlertRules(store.settings, rules)
    alerts.reconsider()
    return { rules }
  },
})

/** A copy whose lists are the wire's. */
const wireRules = (rules: AlertRules) => AlertRulesSchema.parse(rules)

/** Another cluster's alert, or another namespace's, is none. */
async function needAlert(
  store: AlertStore,
  facts: ClusterFacts,
  { id, caller }: { readonly id: string; readonly caller: Pick<Caller, 'namespaces'> },
): Promise<void> {
  const found = await store.get(id)
  const isTheirs =
    caller.namespaces === undefined || (found?.namespace !== undefined && caller.namespaces.includes(found.namespace))
  if (found?.cluster !== facts.record.id || !isTheirs) throw noAlert(id)
}

function changed(alert: Alert | undefined, id: string): { readonly alert: AlertView } {
  if (alert === undefined) throw noAlert(id)
  return { alert: alertView(alert) }
}

const noAlert = (id: string): Refusal => notFound(`There is no alert "${id}".`, 'List the alerts; it may have ended.')

const alertView = (alert: Alert): AlertView => ({
  ...alertFacts(alert),
  status: alert.status,
  firedAt: isoOrNull(alert.firedAt),
  ending: alert.ending ?? null,
  acknowledgement: alert.acknowledgement === undefined ? null : markView(alert.acknowledgement),
  silence: alert.silence === undefined ? null : { ...markView(alert.silence), until: isoOf(alert.silence.until) },
})

const markView = ({ by, at, reason }: NonNullable<Alert['acknowledgement']>) => ({ by, at: isoOf(at), reason })
