import { AlertRulesSchema, Refusal } from '@septet/contract'
import type { AlertRules, Caller, Store } from '@septet/domain'

import { readAlertRules, readChannels, writeAlertRules } from '../../alert-settings.ts'
import type { AlertService } from './alert-service.ts'
import { acknowledgeAlert, liveAlerts, silenceAlert } from './alerts.ts'
import type { Answering } from '../answering/answering.ts'
import { listChannels, listDeliveries, putChannel, redeliver, removeChannel, testChannel } from './channels.ts'

type Needs = { readonly store: Store; readonly alerts: AlertService; readonly now: () => number }

/** What is told and decided of alerts, and of the channels that they are sent to. */
export function alertAnswers(answer: Answering, { store, alerts: service, now }: Needs) {
  const asked = (caller: Caller) => ({ store: store.alerts, caller, now: now() })
  const sending = () => ({ store, service, now: now() })
  return {
    alertsList: answer.ofCluster('alertsList', (cluster, input, { caller }) =>
      liveAlerts(cluster, input, asked(caller)),
    ),
    alertsAcknowledge: answer.ofCluster('alertsAcknowledge', (cluster, input, { caller }) =>
      acknowledgeAlert(cluster, input, asked(caller)),
    ),
    alertsSilence: answer.ofCluster('alertsSilence', async (cluster, input, { caller }) => {
      const silenced = await silenceAlert(cluster, input, asked(caller))
      service.reconsider()
      return silenced
    }),
    alertsPrometheusRule: answer.ofSeptet('alertsPrometheusRule', async () => ({
      yaml: service.prometheusRule(await readAlertRules(store.settings)),
    })),
    alertRulesGet: answer.ofSeptet('alertRulesGet', async () => ({
      rules: wireRules(await readAlertRules(store.settings)),
    })),
    alertRulesPut: answer.ofSeptet('alertRulesPut', async ({ rules }) => {
      const known = new Set((await readChannels(store.settings)).map(({ id }) => id))
      const strange = Object.values(rules).flatMap(({ channels }) => channels.filter((id) => !known.has(id)))[0]
      if (strange !== undefined) {
        throw new Refusal('invalid-input', `There is no channel "${strange}".`, 'Add it first, or choose another.')
      }
      await writeAlertRules(store.settings, rules)
      service.reconsider()
      return { rules }
    }),
    channelsList: answer.ofSeptet('channelsList', () => listChannels(sending())),
    channelsPut: answer.ofSeptet('channelsPut', (input, { caller }) =>
      putChannel(input, { ...sending(), by: caller.name }),
    ),
    channelsRemove: answer.ofSeptet('channelsRemove', (input) => removeChannel(input, sending())),
    channelsTest: answer.ofSeptet('channelsTest', (input) => testChannel(input, sending())),
    deliveriesList: answer.ofSeptet('deliveriesList', (input) => listDeliveries(input, sending())),
    deliveriesRedeliver: answer.ofSeptet('deliveriesRedeliver', (input) => redeliver(input, sending())),
  }
}

/** A copy whose lists are the wire's. */
const wireRules = (rules: AlertRules) => AlertRulesSchema.parse(rules)
