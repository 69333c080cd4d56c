import { AlertRulesSchema, OPERATIONS } from '@septet/contract'
import type { AlertRules, Store } from '@septet/domain'

import { readAlertRules, readChannels, writeAlertRules } from '../../alert-settings.ts'
import type { Caller } from '@septet/domain'
import { Refusal } from '@septet/contract'
import type { AlertService } from './alert-service.ts'
import { acknowledgeAlert, liveAlerts, sampleAlerts, silenceAlert } from './alerts.ts'
import type { Answering } from '../answering/answering.ts'
import { listChannels, listDeliveries, putChannel, redeliver, removeChannel, testChannel } from './channels.ts'
import { chooseCluster, needCluster } from '../answering/source.ts'

type Needs = { readonly store: Store; readonly alerts: AlertService; readonly now: () => number }

/** What is told and decided of alerts, and of the channels that they are sent to. */
export function alertAnswers(answer: Answering, { store, alerts: service, now }: Needs) {
  const asked = (caller: Caller) => ({ store: store.alerts, caller, now: now() })
  const sending = () => ({ store, service, now: now() })
  return {
    alertsList: answer(OPERATIONS.alertsList, (input, { seen, caller }) => {
      const cluster = chooseCluster(seen, input.cluster)
      return cluster === undefined ? sampleAlerts() : liveAlerts(cluster, input, asked(caller))
    }),
    alertsAcknowledge: answer(OPERATIONS.alertsAcknowledge, (input, { seen, caller }) =>
      acknowledgeAlert(needCluster(seen, input.cluster), input, asked(caller)),
    ),
    alertsSilence: answer(OPERATIONS.alertsSilence, async (input, { seen, caller }) => {
      const silenced = await silenceAlert(needCluster(seen, input.cluster), input, asked(caller))
      service.reconsider()
      return silenced
    }),
    alertsPrometheusRule: answer(OPERATIONS.alertsPrometheusRule, async () => ({
      yaml: service.prometheusRule(await readAlertRules(store.settings)),
    })),
    alertRulesGet: answer(OPERATIONS.alertRulesGet, async () => ({
      rules: wireRules(await readAlertRules(store.settings)),
    })),
    alertRulesPut: answer(OPERATIONS.alertRulesPut, async ({ rules }) => {
      const known = new Set((await readChannels(store.settings)).map(({ id }) => id))
      const strange = Object.values(rules).flatMap(({ channels }) => channels.filter((id) => !known.has(id)))[0]
      if (strange !== undefined) {
        throw new Refusal('invalid-input', `There is no channel "${strange}".`, 'Add it first, or name another.')
      }
      await writeAlertRules(store.settings, rules)
      service.reconsider()
      return { rules }
    }),
    channelsList: answer(OPERATIONS.channelsList, () => listChannels(sending())),
    channelsPut: answer(OPERATIONS.channelsPut, (input, { caller }) =>
      putChannel(input, { ...sending(), by: caller.name }),
    ),
    channelsRemove: answer(OPERATIONS.channelsRemove, (input) => removeChannel(input, sending())),
    channelsTest: answer(OPERATIONS.channelsTest, (input) => testChannel(input, sending())),
    deliveriesList: answer(OPERATIONS.deliveriesList, (input) => listDeliveries(input, sending())),
    deliveriesRedeliver: answer(OPERATIONS.deliveriesRedeliver, (input) => redeliver(input, sending())),
  }
}

/** A copy whose lists are the wire's. */
const wireRules = (rules: AlertRules) => AlertRulesSchema.parse(rules)
