import { z } from 'zod'

import { computed } from './computed.ts'
import { ClusterInput, InstantText, ProblemSchema, told } from './figure.ts'
import { AppointmentFields, AppointmentView } from './appointments.ts'
import { named } from '../named.ts'
import { operation } from '../operation.ts'
import { ROUTES } from '../routes.ts'
import { GpuViewSchema } from './partitions.ts'
import { SecondsSchema, StepSchema } from './plan-step.ts'

const TargetSchema = z.strictObject({
  gpu: z.string().min(1).max(300).describe('GPU ID'),
  mig: z.boolean().describe('false: a whole GPU, out of MIG mode'),
  instances: z
    .array(z.strictObject({ profile: z.string().min(1).max(60), start: z.number().int().min(0).max(63) }))
    .max(16)
    .describe('mig-manager sets how many of each profile there are; only DRA places them at the given positions'),
})

export const PlannedGpus = z
  .array(
    z.object({
      node: z.string(),
      before: GpuViewSchema.describe('as it is now'),
      after: GpuViewSchema.nullable().describe('after the last step; null if the node is removed'),
    }),
  )
  .describe('affected GPUs, up to 64; pods are drawn where room is counted for them')

/** What somebody asks the planner for. */
const GoalSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('fit').describe('start as much waiting work as possible') }),
  z.strictObject({ kind: z.literal('cost').describe('start what waits, then use as few GPUs as possible') }),
  z.strictObject({
    kind: z.literal('free-node').describe('empty a node so that it can be removed; the one with the fewest moves'),
    node: z.string().min(1).max(253).optional(),
    pool: z.string().max(253).optional(),
  }),
  z.strictObject({
    kind: z.literal('room-for').describe('room for one more instance, with the fewest moves'),
    profile: z.string().min(1).max(60).describe('as NVML prints it: 3g.40gb'),
    model: z.string().max(200).optional(),
    node: z.string().max(253).optional(),
  }),
  z.strictObject({
    kind: z.literal('layout').describe('these GPUs get these layouts; other GPUs stay as they are'),
    targets: z.array(TargetSchema).min(1).max(128),
  }),
  z.strictObject({ kind: z.literal('appointment').describe('GPUs that are free at a set time'), ...AppointmentFields }),
])

const WishFields = {
  goal: GoalSchema,
  maxDisplaced: z.number().int().min(0).max(1000).default(10).describe('maximum number of pods that may be displaced'),
  mayWait: z.boolean().default(false).describe('whether a pod may be displaced without room reserved for it'),
  actuator: z
    .enum(['mig-manager', 'dra'])
    .optional()
    .describe('change only GPUs that this one partitions; left out: each node’s own'),
  operatorNamespace: z.string().max(63).optional().describe('namespace of the GPU Operator, for the files'),
}
export type PlanWish = z.output<z.ZodObject<typeof WishFields>>
export type PlanGoal = PlanWish['goal']

const MadePlanSchema = named('MadePlan', {
  ...told,
  goal: z.enum(['fit', 'cost', 'free-node', 'room-for', 'layout', 'appointment']),
  kind: z.enum(['plan', 'no-change', 'refused', 'none']).describe('none: the planner finds no such plan'),
  digest: z
    .string()
    .nullable()
    .describe('equal for plans with the same steps, in every face and at any time; null: no steps'),
  madeFrom: InstantText.nullable().describe('time of the snapshot it was made from'),
  because: z.string().nullable().describe('why there are no steps'),
  id: z.string().nullable(),
  title: z.string(),
  steps: z.array(StepSchema),
  displaced: z.array(z.string()).describe('pods that are stopped, each listed once'),
  moves: z.array(
    z.object({
      pod: z.string(),
      to: z
        .object({
          gpu: z.string(),
          node: z.string().nullable(),
          index: z.number().int().nullable().describe('its index on the node'),
          profile: z.string(),
        })
        .nullable()
        .describe('the room reserved for it; null: any free room'),
    }),
  ),
  seconds: SecondsSchema.nullable(),
  bound: z.string().nullable().describe('how good it is, with what no plan can do better than'),
  proof: z
    .enum(['best', 'open'])
    .nullable()
    .describe('best: it reaches the proven bound; open: a better one is not ruled out; null: no bound applies'),
  use: z
    .object({
      gpus: z.number().int().describe('GPUs that a layout can change'),
      before: z.number().int(),
      after: z.number().int(),
      heldWhole: z.number().int().describe('GPUs that pods hold whole; counted apart'),
      freed: z.array(z.string()),
      bound: z.number().int().nullable().describe('no layout holds the same work on fewer; null: not computed'),
    })
    .nullable()
    .describe('GPUs in use; null where the goal is about no number of GPUs'),
  saving: z
    .object({
      gpus: z.number().int(),
      usdPerMonth: z.number().nullable().describe('null: a price is missing'),
      prices: z.array(z.string()),
    })
    .nullable()
    .describe('what the GPUs that it frees cost; not saved before the node is gone or other work runs there'),
  starts: z.array(z.object({ workload: z.string(), by: z.enum(['room', 'recut', 'moves']) })),
  waits: z.array(z.object({ workload: z.string(), because: z.string() })),
  refused: z.array(ProblemSchema).describe('what was left out of it, and the guardrail’s reason'),
  leftOut: z.array(ProblemSchema).describe('GPUs or nodes that were not counted on, with the reason'),
  notes: z.array(z.string()),
  wayBack: z.object({
    steps: z.array(z.string()),
    lost: z.array(z.string()).describe('what cannot be undone'),
  }),
  files: z.array(z.object({ path: z.string(), text: z.string() })),
  noFiles: z.array(z.string()).describe('why there are no files'),
  gpus: PlannedGpus,
  appointment: AppointmentView.nullable(),
})
export type MadePlan = z.output<typeof MadePlanSchema>

const StateSchema = computed('PlanState', MadePlanSchema, 'parts of the search')
const PlanId = { id: z.uuid().describe('plan ID') }
const Wait = {
  wait: z.coerce.number().min(0).max(60).default(0).describe('seconds to wait for the result before answering'),
}

/** Keeps nothing in the cluster, so it is a question: carrying a plan out is another matter. */
export const plansMake = operation(ROUTES.plansMake, {
  title: 'Make a plan',
  description:
    'What it takes to start waiting work, use fewer GPUs, empty a node, make room for one more instance, give GPUs other MIG layouts, or have GPUs free at a set time: the steps in a safe order, what is displaced and where it goes, how good that is with the bound, what a guardrail refuses and why, the rollback, and files to apply by hand. Plans are made in the background; poll the state until it is done, or wait for it. Nothing is changed.',
  input: z.strictObject({ ...ClusterInput, ...WishFields, ...Wait }),
  output: StateSchema,
})

export const plansGet = operation(ROUTES.plansGet, {
  title: 'A plan’s progress and result',
  description: 'How far along a plan the caller asked for is, and its result. Results are kept for half an hour.',
  input: z.strictObject({ ...PlanId, ...Wait }),
  output: StateSchema,
})

export const plansCancel = operation(ROUTES.plansCancel, {
  title: 'Cancel a plan',
  description: 'Stops making a plan the caller asked for, or deletes its result.',
  input: z.strictObject(PlanId),
  output: named('PlanCancelled', { cancelled: z.string() }),
})
