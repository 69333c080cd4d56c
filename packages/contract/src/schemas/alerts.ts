import { ALERT_KINDS, ALERT_SEVERITIES } from '@septet/domain'
import { z } from 'zod'

import { answered, ClusterInput, InstantText } from './figure.ts'
import { named } from '../named.ts'
import { operation } from '../operation.ts'
import { ROUTES } from '../routes.ts'

const Kind = z.enum(ALERT_KINDS)
const Severity = z.enum(ALERT_SEVERITIES)
const Mark = { by: z.string(), at: InstantText, reason: z.string() }

export const AlertView = named('Alert', {
  id: z.string(),
  kind: Kind,
  severity: Severity,
  status: z.enum(['pending', 'firing', 'resolved']),
  object: z
    .string()
    .describe(
      '`workload/NAMESPACE/KIND/NAME`, `waiting/NAMESPACE/DEVICE` (all that wait there for such a device), `tenant/NAME`, `gpu/UUID`, `node/NAME`, `target/ADDRESS`, `namespace/NAME`, `budget/ID` or `cluster`',
    ),
  namespace: z.string().nullable(),
  title: z.string(),
  message: z.string(),
  advice: z.string(),
  value: z.number(),
  threshold: z.number(),
  unit: z.enum(['hours', 'percent', 'USD', 'minutes', 'code', 'count']),
  coverage: z.number().min(0).max(1).nullable().describe('share of the time that was measured; null where nothing is'),
  since: InstantText.describe('when it was first seen to be so'),
  firedAt: InstantText.nullable(),
  resolvedAt: InstantText.nullable(),
  ending: z.string().nullable().describe('`rule-changed` where it ended because nobody watches for it any more'),
  acknowledgement: z.object(Mark).nullable(),
  silence: z.object({ ...Mark, until: InstantText }).nullable(),
})
export type AlertView = z.output<typeof AlertView>

export const alertsList = operation(ROUTES.alertsList, {
  title: 'Alerts',
  description:
    'What needs somebody now, and what is over again: the figure beside its threshold, since when, on which object. What is not measured raises "telemetry-missing" and nothing else. A caller who is limited to namespaces gets the alerts of these.',
  input: z.strictObject({
    ...ClusterInput,
    kind: Kind.optional().describe('only this kind'),
    days: z.coerce.number().int().min(1).max(90).default(7).describe('how far back those reach that are over'),
    limit: z.coerce.number().int().min(1).max(1000).default(200),
  }),
  output: named('AlertList', {
    ...answered,
    note: z.string().nullable().describe('why there is nothing, where that is not good news'),
    total: z.number().int().describe('how many fire, also those beyond `limit`'),
    firing: z.array(AlertView).describe('newest first'),
    pending: z.number().int().describe('how many are true, but not yet for as long as their rule asks'),
    history: z.array(AlertView).describe('over, newest first'),
  }),
})

const AlertInput = { ...ClusterInput, id: z.string().min(1).max(100).describe('id of the alert') }
const Reason = z.string().trim().min(3).max(300)

export const alertsAcknowledge = operation(ROUTES.alertsAcknowledge, {
  title: 'Acknowledge an alert',
  description: 'Says that somebody knows: nobody is told of it again while it lasts. With `on` false it is taken back.',
  input: z.strictObject({ ...AlertInput, reason: Reason, on: z.boolean().default(true) }),
  output: named('AlertAcknowledged', { alert: AlertView }),
})

export const alertsSilence = operation(ROUTES.alertsSilence, {
  title: 'Silence an alert',
  description:
    'Nobody is told of it for so many minutes, also when it ends and comes back. 0 minutes ends a silence; what still fires then is told.',
  input: z.strictObject({ ...AlertInput, reason: Reason, minutes: z.number().int().min(0).max(43_200) }),
  output: named('AlertSilenced', { alert: AlertView }),
})

const Names = z.array(z.string().trim().min(1).max(253)).max(100)
const Rule = z.strictObject({
  enabled: z.boolean(),
  threshold: z.number().positive().max(1_000_000),
  forMinutes: z.number().int().min(0).max(10_080).describe('for how long it must be so before anybody is told'),
  scope: z
    .strictObject({ clusters: Names, namespaces: Names, tenants: Names })
    .describe('where the rule holds; an empty list is everywhere'),
  severity: Severity,
  channels: z.array(z.string().min(1).max(63)).max(20).describe('ids of the channels that are told'),
})

/** One rule for each kind of alert. */
export const AlertRulesSchema = z
  .strictObject({
    'idle-held': Rule,
    budget: Rule,
    efficiency: Rule,
    'pending-with-free': Rule,
    'mig-change-failed': Rule,
    xid: Rule,
    'telemetry-missing': Rule,
    'spend-change': Rule,
  } satisfies Record<(typeof ALERT_KINDS)[number], unknown>)
  .meta({ id: 'AlertRules' })
export type AlertRulesInput = z.input<typeof AlertRulesSchema>

export const alertRulesGet = operation(ROUTES.alertRulesGet, {
  title: 'Alert rules',
  description: 'When Septet alerts, by kind: threshold, for how long, where, how severe, and which channels are told.',
  input: z.strictObject({}),
  output: named('AlertRulesAnswer', { rules: AlertRulesSchema }),
})

export const alertRulesPut = operation(ROUTES.alertRulesPut, {
  title: 'Set the alert rules',
  description: 'Replaces all rules. Alerts that no rule covers any more end.',
  input: z.strictObject({ rules: AlertRulesSchema }),
  output: named('AlertRulesSet', { rules: AlertRulesSchema }),
})

export const alertsPrometheusRule = operation(ROUTES.alertsPrometheusRule, {
  title: 'Alerts as a PrometheusRule',
  description:
    'The rules as a `monitoring.coreos.com/v1` PrometheusRule over what dcgm-exporter and kube-state-metrics export, and over Septet’s own /metrics where a figure exists only here.',
  input: z.strictObject({}),
  output: named('PrometheusRuleText', { yaml: z.string() }),
})
