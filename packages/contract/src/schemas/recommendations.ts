import { KEPT_REASONS, RECOMMENDATION_KINDS } from '@septet/domain'
import { z } from 'zod'

import { answered, ClusterInput, InstantText, ProblemSchema, WindowSchema } from './figure.ts'
import { named } from '../named.ts'
import { operation } from '../operation.ts'
import { ROUTES } from '../routes.ts'
import { GpuViewSchema } from './partitions.ts'
import { SecondsSchema, StepSchema } from './plan-step.ts'
import { SizeSchema, UseSchema } from './workload-detail.ts'

export const SavingSchema = z
  .discriminatedUnion('kind', [
    z.object({
      kind: z.literal('estimated'),
      gpuHoursPerMonth: z.number().nullable().describe('null = not known'),
      usdPerMonth: z.number().nullable().describe('null when no price is known'),
      usdPerGpuHour: z.number().nullable(),
      priceSource: z.string().nullable(),
      effect: z
        .enum(['bill-reduced', 'capacity-freed'])
        .describe('a bill falls only when a node goes; else capacity is freed for other work'),
    }),
    z.object({
      kind: z.literal('none'),
      brings: z.string().describe('what it brings all the same, in a few words'),
      because: z.string().describe('why no amount can be defended'),
    }),
  ])
  .meta({ id: 'RecommendationSaving' })

const RecommendationView = named('Recommendation', {
  id: z.string(),
  kind: z.enum(RECOMMENDATION_KINDS),
  object: z.string(),
  title: z.string(),
  message: z.string(),
  rule: z.object({ name: z.string(), version: z.number().int() }),
  madeAt: InstantText.nullable(),
  evidence: z.object({
    query: z.string(),
    window: WindowSchema.nullable(),
    samples: z.number().nullable(),
    coverage: z.number().min(0).max(1).nullable(),
    figures: z.record(z.string(), z.union([z.string(), z.number()])),
  }),
  saving: SavingSchema,
  risk: z
    .object({
      level: z
        .enum(['low', 'medium', 'high', 'mode-change'])
        .describe('mode-change: MIG mode of a GPU changes, which may restart its node, whoever is displaced'),
      displaced: z.array(z.string()),
      seconds: SecondsSchema,
      overrun: z.number().nullable().describe('chance that the workload outgrows its new size; null: nothing shrinks'),
      confidence: z.number().min(0).max(1),
    })
    .nullable(),
  plan: z
    .object({
      id: z.string(),
      title: z.string(),
      steps: z.array(StepSchema),
      bound: z.string().nullable().describe('how far from the best possible, where a bound applies'),
      refused: z.array(ProblemSchema),
      byHand: z.string().nullable().describe('why Septet does not carry it out itself; null: it can be proposed'),
    })
    .nullable(),
  dismissed: z.object({ reason: z.string(), at: InstantText }).nullable(),
})
export type RecommendationView = z.output<typeof RecommendationView>

const UnansweredHolder = z
  .object({
    workload: z.string(),
    idleGpuHours: z.number().describe('held and idle in the window of the recommendations, a week'),
    idleUsd: z.number().nullable().describe('what they cost; null when no price is known'),
    reason: z.enum(KEPT_REASONS),
    because: z.string(),
  })
  .meta({ id: 'UnansweredHolder' })

/** What the evidence looked like while it came about. */
const PastSchema = z.object({
  use: UseSchema.nullable().describe('of what it is about, over the time of the evidence; null: nothing is stored'),
  idleBelow: z.number().nullable().describe('busy share up to which the rule calls it idle; null: another rule'),
  shareHeld: z
    .object({ step: z.number().int(), at: z.array(z.number().int()), held: z.array(z.number().nullable()) })
    .nullable()
    .describe('of the GPUs that would go, how much was held, 0–1; null: it is not about that'),
  size: SizeSchema.nullable().describe('peaks of one pod against what it holds and what would do; null: no new size'),
})

const RecommendationInput = { ...ClusterInput, id: z.string().min(1).max(200).describe('id of the recommendation') }

export const recommendationsList = operation(ROUTES.recommendationsList, {
  title: 'Recommendations',
  description:
    'Changes that would remove waste or start waiting work, best first: evidence, saving where one can be defended, risk, steps and the way back; and of the largest idle holders those without one, each with the reason. Nothing is built on telemetry that cannot be trusted. A caller who is limited to namespaces gets those that change workloads of these and nothing else.',
  input: z.strictObject({
    ...ClusterInput,
    kind: z.enum(RECOMMENDATION_KINDS).optional().describe('only this kind'),
    dismissed: z.enum(['hide', 'show']).default('hide').describe('whether to show those a person said no to'),
    limit: z.coerce.number().int().min(1).max(500).default(100),
  }),
  output: named('RecommendationList', {
    ...answered,
    madeAt: InstantText.nullable().describe('when they were made; null before the first time'),
    total: z.number().int().describe('how many there are, the dismissed ones apart'),
    dismissed: z.number().int(),
    recommendations: z.array(RecommendationView),
    unanswered: z
      .array(UnansweredHolder)
      .describe('of the ten workloads that cost most by idling, those that no recommendation helps, and why not'),
  }),
})

export const recommendationsGet = operation(ROUTES.recommendationsGet, {
  title: 'One recommendation with its files',
  description:
    'The recommendation and the exact change as files that can be applied by hand: mig-parted configurations, label commands, evictions, patches, the way back, and a summary for a pull request; and the GPUs that change as slice bars before and after.',
  input: z.strictObject(RecommendationInput),
  output: named('RecommendationDetail', {
    ...answered,
    recommendation: RecommendationView,
    files: z.array(z.object({ path: z.string(), text: z.string() })),
    gpus: z
      .array(
        z.object({
          node: z.string(),
          before: GpuViewSchema.describe('as it is held now'),
          after: GpuViewSchema.nullable().describe('after the last step; null where the node goes'),
        }),
      )
      .describe('GPUs that change, at most 64; pods are drawn where room is counted for them'),
    past: PastSchema.nullable().describe('null where nothing that was measured stands behind it, as for waiting work'),
  }),
})

export const recommendationsDismiss = operation(ROUTES.recommendationsDismiss, {
  title: 'Dismiss a recommendation',
  description:
    'Keeps a recommendation out of the list for as long as the same change is proposed. The reason is kept and shown.',
  input: z.strictObject({ ...RecommendationInput, reason: z.string().trim().min(3).max(300) }),
  output: named('Dismissal', { dismissed: z.string(), reason: z.string(), at: InstantText }),
})

export const recommendationsRestore = operation(ROUTES.recommendationsRestore, {
  title: 'Take a dismissal back',
  description: 'Shows a dismissed recommendation again.',
  input: z.strictObject(RecommendationInput),
  output: named('DismissalTakenBack', { restored: z.string() }),
})
