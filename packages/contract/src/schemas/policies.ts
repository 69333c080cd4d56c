import { z } from 'zod'

import { InstantText } from './figure.ts'
import { named } from '../named.ts'
import { operation } from '../operation.ts'
import { ROUTES } from '../routes.ts'
import { ProtectedNamespaces } from './names.ts'

const Share = z.number().min(0).max(1)

/** When held time counts as idle, when work counts as oversized, and what plans must leave alone. */
export const PoliciesSchema = z.strictObject({
  idle: z.strictObject({
    threshold: Share.min(0).max(0.5).describe('utilization up to which a GPU counts as idle, 0 to 0.5'),
    minimumSeconds: z
      .number()
      .int()
      .min(300)
      .max(86_400)
      .describe('minimum duration in a row, in seconds; 5 minutes to a day'),
  }),
  rightSize: z.strictObject({
    memoryMargin: Share.describe('headroom above peak memory, as a share of the peak'),
    targetUtilization: Share.min(0.1).describe('utilization that a smaller profile may reach at the peak, 0.1 to 1'),
    minimumHistorySeconds: z
      .number()
      .int()
      .min(3600)
      .max(30 * 86_400)
      .describe('measured history required before anything is recommended, in seconds'),
  }),
  utilizationTarget: Share.min(0.01).describe('the target that the summary compares GPU utilization with'),
  plans: z.strictObject({
    maxDisplaced: z.number().int().min(0).max(1000).describe('maximum number of pods that one plan may displace'),
    protectedNamespaces: ProtectedNamespaces.describe(
      'namespaces whose pods no plan displaces; `team-*` matches every name with that prefix',
    ),
  }),
})

const PoliciesView = named('Policies', {
  policies: PoliciesSchema,
  defaults: PoliciesSchema,
  changedAt: InstantText.nullable().describe('null: never changed, the defaults are in force'),
  changedBy: z.string().nullable(),
})

export const policiesGet = operation(ROUTES.policiesGet, {
  title: 'Policies',
  description:
    'What idle, oversized and "on target" mean in this installation, and what plans must leave alone. Every idle figure names the threshold in force.',
  input: z.strictObject({}),
  output: PoliciesView,
})

export const policiesPut = operation(ROUTES.policiesPut, {
  title: 'Change the policies',
  description:
    'Replaces all policies. They take effect with the next pipeline run of each cluster; idle time that is already stored keeps the threshold it was judged by.',
  input: PoliciesSchema.extend({
    edited: InstantText.nullable()
      .optional()
      .describe(
        '`changedAt` of the version you edited: the request is refused if it changed since. Leave it out to overwrite.',
      ),
  }),
  output: PoliciesView,
})
