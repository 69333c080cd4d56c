import { z } from 'zod'

import { answered, ClusterInput, InstantText, ProblemSchema } from './figure.ts'
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

/** What every answer with a plan holds. */
export const PlanFields = {
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
        .object({ gpu: z.string(), node: z.string().nullable(), profile: z.string() })
        .nullable()
        .describe('the room reserved for it; null: any free room'),
    }),
  ),
  seconds: SecondsSchema.nullable(),
  bound: z.string().nullable(),
  refused: z.array(ProblemSchema).describe('a guardrail’s refusal, in its own words'),
  wayBack: z.object({
    steps: z.array(z.string()),
    lost: z.array(z.string()).describe('what cannot be undone'),
  }),
  files: z.array(z.object({ path: z.string(), text: z.string() })),
  noFiles: z.array(z.string()).describe('why there are no files'),
}

/**
 * Asks what it would take and keeps nothing, so it is a question and open to anyone who may see the whole cluster;
 * carrying a plan out is another matter.
 */
export const plansDraft = operation(ROUTES.plansDraft, {
  title: 'Draft a plan for other layouts',
  description:
    'What it takes to give GPUs other MIG layouts, or to make room for one more instance of a profile: the steps in a safe order, what is displaced and where it goes, how long each step takes, what a guardrail refuses and why, the rollback, and files to apply by hand. Nothing is changed or stored.',
  input: z.strictObject({
    ...ClusterInput,
    targets: z.array(TargetSchema).max(128).default([]).describe('the layouts you want; other GPUs stay as they are'),
    room: z
      .strictObject({
        profile: z.string().min(1).max(60),
        model: z.string().max(200).optional(),
        node: z.string().max(253).optional(),
      })
      .optional()
      .describe('instead of targets: room for one more instance, with the fewest moves'),
    mayWait: z.boolean().default(false).describe('whether a pod may be displaced without room reserved for it'),
    maxDisplaced: z.number().int().min(0).max(200).default(10).describe('maximum number of pods that may be displaced'),
  }),
  output: named('PlanDraft', {
    ...answered,
    ...PlanFields,
    gpus: PlannedGpus,
    kind: z.enum(['plan', 'no-change', 'refused', 'none']).describe('none: the planner finds no such plan'),
  }),
})
