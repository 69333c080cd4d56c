import { ACT_MODES, ACTION_CLASSES } from '@septet/domain'
import { z } from 'zod'

import { answered, ClusterInput, InstantText } from './figure.ts'
import { named } from '../named.ts'
import { operation } from '../operation.ts'
import { ROUTES } from '../routes.ts'

const Mode = z.enum(ACT_MODES)
const ByHand = z.enum(['observe', 'suggest', 'approve'])
const Auto = z.enum(ACTION_CLASSES).exclude(['mig-mode', 'appointment'])
const Most = z.number().min(0).nullable().describe('null: no limit')
const Limits = z.strictObject({ pods: Most, nodes: Most, gpus: Most, usdPerHour: Most })
const Seconds = (least: number, most: number) => z.number().int().min(least).max(most)
const DAY = 86_400

/** What a cluster lets Septet do. */
export const ActPolicySchema = z.strictObject({
  modes: z.strictObject({
    'reclaim-idle': Mode,
    'right-size': Mode,
    'fewer-gpus': Mode,
    repartition: Mode,
    'mig-mode': ByHand.describe('may restart a node, so a person decides each one'),
    share: Mode,
    'remove-node': Mode,
    reschedule: Mode,
    appointment: ByHand.default('observe').describe('GPUs kept free for an instant; a person asks for each one'),
  }),
  auto: z.strictObject({
    classes: z.array(Auto).describe('classes that may be on auto at all'),
    budget: z
      .strictObject({ hour: Limits, day: Limits })
      .describe('what all runs that Septet approved itself may touch'),
    keptToAdvance: z.number().int().min(1).max(100).describe('kept in a row before more nodes at once are touched'),
    resumedAt: z.partialRecord(z.enum(ACTION_CLASSES), InstantText).describe('when a person let a halted class go on'),
  }),
  windows: z
    .array(
      z.strictObject({
        weekday: z.number().int().min(0).max(6).describe('0 is Monday'),
        from: z.number().int().min(0).max(1440).describe('minutes after midnight'),
        to: z.number().int().min(0).max(1440),
        zone: z.string().max(64),
      }),
    )
    .max(50)
    .describe('when changes may begin; none: always'),
  protectedNamespaces: z.array(z.string().regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?-?\*?$/u)).max(200),
  protectedLabels: z.record(z.string().max(320), z.string().max(63)).describe('`*` is any value'),
  limits: z.strictObject({ run: Limits, hour: Limits, day: Limits }).describe('what may be touched'),
  minimum: z.strictObject({
    usdPerMonth: z.number().min(0),
    gpuHoursPerMonth: z.number().min(0),
    confidence: z.number().min(0).max(1),
  }),
  coolDown: Seconds(0, 30 * DAY).describe('seconds for which an object is left alone after a change'),
  approvalHolds: Seconds(60, 7 * DAY),
  warning: Seconds(0, 14 * DAY).describe('seconds for which the owner of idle work is warned before it is stopped'),
  watch: Seconds(30, 7 * DAY).describe('seconds for which a change is watched before it is kept'),
})

const ActPolicyView = named('ActPolicy', {
  ...answered,
  policy: ActPolicySchema,
  defaults: ActPolicySchema,
  changedAt: InstantText.nullable().describe('null = never: the defaults are in force'),
  changedBy: z.string().nullable(),
})

export const actPoliciesGet = operation(ROUTES.actPoliciesGet, {
  title: 'What Septet may do on a cluster',
  description:
    'Mode by class of action, limits, maintenance windows, and how long owners are warned and changes watched.',
  input: z.strictObject(ClusterInput),
  output: ActPolicyView,
})

export const actPoliciesPut = operation(ROUTES.actPoliciesPut, {
  title: 'Change what Septet may do on a cluster',
  description: 'Replaces all of it. It holds from the next look of the actor, also for what was approved already.',
  input: z.strictObject({
    ...ClusterInput,
    policy: ActPolicySchema,
    edited: InstantText.nullable()
      .optional()
      .describe('`changedAt` of what was edited: refused where it was changed since; left out: it is replaced anyway'),
  }),
  output: ActPolicyView,
})
