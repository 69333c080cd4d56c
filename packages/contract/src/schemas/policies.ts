import { z } from 'zod'

import { InstantText } from './figure.ts'
import { named } from '../named.ts'
import { operation } from '../operation.ts'
import { ROUTES } from '../routes.ts'

const Share = z.number().min(0).max(1)

/** When held time counts as idle, when work counts as oversized, and what plans must leave alone. */
export const PoliciesSchema = z.strictObject({
  idle: z.strictObject({
    threshold: Share.min(0).max(0.5).describe('busy at or under this is idle, 0 to 0.5'),
    minimumSeconds: z.number().int().min(300).max(86_400).describe('how long in a row, seconds; 5 minutes to a day'),
  }),
  rightSize: z.strictObject({
    memoryMargin: Share.describe('kept free above the peak of memory, as a share of that peak'),
    targetUtilization: Share.min(0.1).describe('busy that a smaller profile may reach at the peak, 0.1 to 1'),
    minimumHistorySeconds: z
      .number()
      .int()
      .min(3600)
      .max(30 * 86_400)
      .describe('measured history that is needed before anything is said, seconds'),
  }),
  utilizationTarget: Share.min(0.01).describe('what the summary compares GPU utilization with'),
  plans: z.strictObject({
    maxDisplaced: z.number().int().min(0).max(1000).describe('the most pods that one plan may displace'),
    protectedNamespaces: z
      .array(z.string().regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\*?$/u))
      .max(200)
      .describe('namespaces whose pods no plan displaces; `team-*` is every one that begins so'),
  }),
})

const PoliciesView = named('Policies', {
  policies: PoliciesSchema,
  defaults: PoliciesSchema,
  changedAt: InstantText.nullable().describe('null = never: the defaults are in force'),
  changedBy: z.string().nullable(),
})

export const policiesGet = operation(ROUTES.policiesGet, {
  title: 'Policies',
  description:
    'What idle, oversized and "on target" mean in this Septet, and what plans must leave alone. Every idle number names the threshold in force.',
  input: z.strictObject({}),
  output: PoliciesView,
})

export const policiesPut = operation(ROUTES.policiesPut, {
  title: 'Change the policies',
  description:
    'Replaces them all. They hold from the next turn of each cluster’s pipeline; idle time that is stored already keeps the threshold that it was judged by.',
  input: PoliciesSchema.extend({
    edited: InstantText.nullable()
      .optional()
      .describe('`changedAt` of what was edited: refused where it was changed since; left out: it is replaced anyway'),
  }),
  output: PoliciesView,
})
