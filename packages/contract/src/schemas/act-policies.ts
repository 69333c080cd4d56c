import { ACT_MODES, recordOf, SECONDS_PER_DAY } from '@septet/domain'
import { ACTION_CLASSES, AUTO_CLASSES, CLASSES, CLASSES_BY_PERSON } from '@septet/domain/action-classes'
import { z } from 'zod'

import { answered, ClusterInput, InstantText } from './figure.ts'
import { named } from '../named.ts'
import { operation } from '../operation.ts'
import { ROUTES } from '../routes.ts'
import { ProtectedNamespaces } from './names.ts'

const ByHand = z.enum(['observe', 'suggest', 'approve'], 'must be at most approve: Septet never does this by itself')
const Most = z.number().min(0).nullable().describe('null: no limit')
const Limits = z.strictObject({ pods: Most, nodes: Most, gpus: Most, usdPerHour: Most })
const Seconds = (least: number, most: number) => z.number().int().min(least).max(most)

/** What a cluster lets Septet do. */
export const ActPolicySchema = z.strictObject({
  modes: z.strictObject({
    // What was kept, or is sent, by who does not know a class lets it do nothing.
    ...recordOf(AUTO_CLASSES, (name) => z.enum(ACT_MODES).default('observe').describe(CLASSES[name].help)),
    ...recordOf(CLASSES_BY_PERSON, (name) => ByHand.default('observe').describe(CLASSES[name].help)),
  }),
  auto: z.strictObject({
    classes: z.array(z.enum(AUTO_CLASSES)).max(AUTO_CLASSES.length).describe('classes that may be set to auto'),
    budget: z
      .strictObject({ hour: Limits, day: Limits })
      .describe('what all runs that Septet approved on its own may touch'),
    keptToAdvance: z
      .number()
      .int()
      .min(1)
      .max(100)
      .describe('kept changes in a row before the rollout moves on to more nodes'),
    resumedAt: z.partialRecord(z.enum(ACTION_CLASSES), InstantText).describe('when a person resumed a halted class'),
  }),
  twoPeople: z
    .array(z.enum(ACTION_CLASSES))
    .max(ACTION_CLASSES.length)
    .readonly()
    .default([])
    .describe('classes whose changes need the approval of two people; the person who proposed a change is one'),
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
    .describe('maintenance windows in which changes may start; empty: at any time'),
  protectedNamespaces: ProtectedNamespaces,
  protectedLabels: z.record(z.string().max(320), z.string().max(63)).describe('`*` is any value'),
  limits: z.strictObject({ run: Limits, hour: Limits, day: Limits }).describe('what a change may touch'),
  minimum: z.strictObject({
    usdPerMonth: z.number().min(0),
    gpuHoursPerMonth: z.number().min(0),
    confidence: z.number().min(0).max(1),
  }),
  coolDown: Seconds(0, 30 * SECONDS_PER_DAY).describe('cool-down after a change to an object, in seconds'),
  approvalHolds: Seconds(60, 7 * SECONDS_PER_DAY),
  warning: Seconds(0, 14 * SECONDS_PER_DAY).describe(
    'how long the owner of idle work is warned before it is stopped, in seconds',
  ),
  watch: Seconds(30, 7 * SECONDS_PER_DAY).describe('how long a change is watched before it is kept, in seconds'),
})

const ActPolicyView = named('ActPolicy', {
  ...answered,
  policy: ActPolicySchema,
  defaults: ActPolicySchema,
  changedAt: InstantText.nullable().describe('null: never changed, the defaults are in force'),
  changedBy: z.string().nullable(),
})

export const actPoliciesGet = operation(ROUTES.actPoliciesGet, {
  title: 'What Septet may do in a cluster',
  description:
    'Mode per action class, limits, maintenance windows, how long owners are warned, and how long changes are watched.',
  input: z.strictObject(ClusterInput),
  output: ActPolicyView,
})

export const actPoliciesPut = operation(ROUTES.actPoliciesPut, {
  title: 'Change what Septet may do in a cluster',
  description:
    'Replaces the whole policy. It takes effect the next time the actor checks, including for actions that are already approved.',
  input: z.strictObject({
    ...ClusterInput,
    policy: ActPolicySchema,
    edited: InstantText.nullable()
      .optional()
      .describe(
        '`changedAt` of the version you edited: the request is refused if it changed since. Leave it out to overwrite.',
      ),
  }),
  output: ActPolicyView,
})
