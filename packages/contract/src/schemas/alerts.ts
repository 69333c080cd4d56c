import { ALERT_KINDS, ALERT_SEVERITIES } from '@septet/domain'
import { z } from 'zod'

import { told, ClusterInput, InstantText } from './figure.ts'
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
      '`workload/NAMESPACE/KIND/NAME`, `waiting/NAMESPACE/DEVICE` (everything there that waits for such a device), `tenant/NAME`, `gpu/UUID`, `node/NAME`, `target/ADDRESS`, `namespace/NAME`, `budget/ID` or `cluster`',
    ),
  namespace: z.string().nullable(),
  title: z.string(),
  message: z.string(),
  advice: z.string(),
  value: z.number(),
  threshold: z.number(),
  unit: z.enum(['hours', 'percent', 'USD', 'minutes', 'code', 'count']),
  coverage: z.number().min(0).max(1).nullable().describe('share of the time that was measured; null if nothing was'),
  since: InstantText.describe('when it was first detected'),
  firedAt: InstantText.nullable(),
  resolvedAt: InstantText.nullable(),
  ending: z.string().nullable().describe('`rule-changed`: it ended because no rule covers it'),
  acknowledgement: z.object(Mark).nullable(),
  silence: z.object({ ...Mark, until: InstantText }).nullable(),
})
export type AlertView = z.output<typeof AlertView>

export const alertsList = operation(ROUTES.alertsList, {
  title: 'Alerts',
  description:
    'What needs attention now, and what has resolved: the value next to its threshold, since when, on which object. Missing measurements raise "telemetry-missing" and nothing else. A caller limited to namespaces sees alerts about their namespaces.',
  input: z.strictObject({
    ...ClusterInput,
    kind: Kind.optional().describe('only this kind'),
    days: z.coerce.number().int().min(1).max(90).default(7).describe('how far back to list resolved alerts'),
    limit: z.coerce.number().int().min(1).max(1000).default(200),
  }),
  output: named('AlertList', {
    ...told,
    note: z.string().nullable().describe('why the list is empty, if that is not good news'),
    total: z.number().int().describe('how many are firing, including those beyond `limit`'),
    firing: z.array(AlertView).describe('newest first'),
    pending: z
      .number()
      .int()
      .describe('how many conditions are true but have not lasted as long as their rule requires'),
    history: z.array(AlertView).describe('resolved, newest first'),
  }),
})

const AlertInput = { ...ClusterInput, id: z.string().min(1).max(100).describe('alert ID') }
const Reason = z.string().trim().min(3).max(300)

export const alertsAcknowledge = operation(ROUTES.alertsAcknowledge, {
  title: 'Acknowledge an alert',
  description:
    'Marks an alert as seen: no further notifications while it lasts. `on: false` removes the acknowledgment.',
  input: z.strictObject({ ...AlertInput, reason: Reason, on: z.boolean().default(true) }),
  output: named('AlertAcknowledged', { alert: AlertView }),
})

export const alertsSilence = operation(ROUTES.alertsSilence, {
  title: 'Silence an alert',
  description:
    'Sends no notifications for this many minutes, even if the alert resolves and fires again. 0 ends the silence; if it is still firing, a notification goes out.',
  input: z.strictObject({ ...AlertInput, reason: Reason, minutes: z.number().int().min(0).max(43_200) }),
  output: named('AlertSilenced', { alert: AlertView }),
})

const Names = z.array(z.string().trim().min(1).max(253)).max(100)
const Rule = z.strictObject({
  enabled: z.boolean(),
  threshold: z.number().positive().max(1_000_000),
  forMinutes: z
    .number()
    .int()
    .min(0)
    .max(10_080)
    .describe('how long the condition must last before anyone is notified'),
  scope: z
    .strictObject({ clusters: Names, namespaces: Names, tenants: Names })
    .describe('where the rule applies; an empty list means everywhere'),
  severity: Severity,
  channels: z.array(z.string().min(1).max(63)).max(20).describe('IDs of the channels to notify'),
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
    'mixed-namespaces': Rule,
  } satisfies Record<(typeof ALERT_KINDS)[number], unknown>)
  .meta({ id: 'AlertRules' })
export type AlertRulesInput = z.input<typeof AlertRulesSchema>

export const alertRulesGet = operation(ROUTES.alertRulesGet, {
  title: 'Alert rules',
  description: 'When Septet alerts, by kind: threshold, duration, scope, severity, and which channels to notify.',
  input: z.strictObject({}),
  output: named('AlertRulesAnswer', { rules: AlertRulesSchema }),
})

export const alertRulesPut = operation(ROUTES.alertRulesPut, {
  title: 'Set the alert rules',
  description: 'Replaces all rules. Alerts that no rule covers end.',
  input: z.strictObject({ rules: AlertRulesSchema }),
  output: named('AlertRulesSet', { rules: AlertRulesSchema }),
})

export const alertsPrometheusRule = operation(ROUTES.alertsPrometheusRule, {
  title: 'Alert rules as a PrometheusRule',
  description:
    'The rules as a `monitoring.coreos.com/v1` PrometheusRule over metrics from dcgm-exporter and kube-state-metrics, and over Septet’s own /metrics for figures that exist only here.',
  input: z.strictObject({}),
  output: named('PrometheusRuleText', { yaml: z.string() }),
})
