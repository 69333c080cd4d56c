import { KEPT_REASONS, SAVING_EFFECTS } from '@septet/domain'
import { RECOMMENDATION_KINDS } from '@septet/domain/action-classes'
import { z } from 'zod'

import { answered, ClusterInput, FigureSchema, InstantText, ProblemSchema, WindowSchema, told } from './figure.ts'
import { named } from '../named.ts'
import { operation } from '../operation.ts'
import { ROUTES } from '../routes.ts'
import { PlannedGpus } from './plans.ts'
import { SecondsSchema, StepSchema } from './plan-step.ts'
import { SizeSchema, UseSchema } from './workload-detail.ts'

export const EffectSchema = z
  .enum(SAVING_EFFECTS)
  .describe('a bill falls only when a node goes away; otherwise capacity is freed for other work: never added up')

export const SavingSchema = z
  .discriminatedUnion('kind', [
    z.object({
      kind: z.literal('estimated'),
      gpuHoursPerMonth: z.number().nullable().describe('null: unknown'),
      usdPerMonth: z.number().nullable().describe('null if no price is known'),
      usdPerGpuHour: z.number().nullable(),
      priceSource: z.string().nullable(),
      effect: EffectSchema,
    }),
    z.object({
      kind: z.literal('none'),
      brings: z.string().describe('what it still gains you, in a few words'),
      because: z.string().describe('why there is no amount'),
    }),
  ])
  .meta({ id: 'RecommendationSaving' })

/** What would come of an approval now. */
export const OutlookSchema = named('Outlook', {
  refused: z.string().nullable().describe('why it cannot be approved: it would fail at once; null: nothing is known'),
  waits: z.string().nullable().describe('what it would wait for before it begins; null: nothing'),
})

export const RecommendationView = named('Recommendation', {
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
        .describe('mode-change: a GPU’s MIG mode changes, which may reboot its node, whatever is displaced'),
      displaced: z.array(z.string()),
      seconds: SecondsSchema,
      overrun: z
        .number()
        .nullable()
        .describe('probability that the workload outgrows its new size; null: nothing shrinks'),
      confidence: z.number().min(0).max(1),
    })
    .nullable(),
  plan: z
    .object({
      id: z.string(),
      title: z.string(),
      steps: z.array(StepSchema),
      bound: z.string().nullable().describe('distance from the best possible plan, if a bound applies'),
      refused: z.array(ProblemSchema),
      byHand: z.string().nullable().describe('why Septet does not apply it; null: it can be proposed'),
    })
    .nullable(),
  dismissed: z.object({ reason: z.string(), at: InstantText }).nullable(),
})
export type RecommendationView = z.output<typeof RecommendationView>

const UnansweredHolder = z
  .object({
    workload: z.string(),
    idleGpuHours: z.number().describe('held but idle during the recommendation window, one week'),
    idleUsd: z.number().nullable().describe('what that costs; null if no price is known'),
    reason: z.enum(KEPT_REASONS),
    because: z.string(),
  })
  .meta({ id: 'UnansweredHolder' })

/** What the evidence looked like while it came about. */
const PastSchema = z.object({
  use: UseSchema.nullable().describe('usage of its subject during the evidence window; null: nothing stored'),
  idleBelow: z.number().nullable().describe('utilization up to which the rule calls it idle; null: another rule'),
  shareHeld: z
    .object({ step: z.number().int(), at: z.array(z.number().int()), held: z.array(z.number().nullable()) })
    .nullable()
    .describe('for the GPUs that would be removed: share held, 0–1; null: does not apply'),
  size: SizeSchema.nullable().describe('one pod’s peaks against what it holds and what would do; null: no new size'),
})

const RecommendationInput = { ...ClusterInput, id: z.string().min(1).max(200).describe('recommendation ID') }

export const recommendationsList = operation(ROUTES.recommendationsList, {
  title: 'Recommendations',
  description:
    'Changes that would remove waste or start waiting work, best first: evidence, saving if one can be defended, risk, steps and rollback; plus the largest idle holders without a recommendation, each with the reason. Nothing is built on telemetry that cannot be trusted. A caller limited to namespaces sees those that change only their namespaces’ workloads.',
  input: z.strictObject({
    ...ClusterInput,
    kind: z.enum(RECOMMENDATION_KINDS).optional().describe('only this kind'),
    dismissed: z.enum(['hide', 'show']).default('hide').describe('whether to include dismissed ones'),
    limit: z.coerce.number().int().min(1).max(500).default(100),
  }),
  output: named('RecommendationList', {
    ...told,
    madeAt: InstantText.nullable().describe('when they were computed; null before the first run'),
    total: z.number().int().describe('how many there are, not counting dismissed ones'),
    dismissed: z.number().int(),
    saves: z
      .object({
        billReduced: FigureSchema,
        capacityFreed: FigureSchema,
        without: z.number().int().nullable().describe('how many bring no dollars; null before the first run'),
      })
      .describe('what all open ones would save; what falls from the bill and what is only freed are never one sum'),
    recommendations: z.array(RecommendationView),
    unanswered: z
      .array(UnansweredHolder)
      .describe('of the ten workloads that cost most by idling: those no recommendation helps, and why'),
  }),
})

export const recommendationsGet = operation(ROUTES.recommendationsGet, {
  title: 'One recommendation with its files',
  description:
    'The recommendation and the exact change as files to apply by hand: mig-parted configurations, label commands, evictions, patches, the rollback, and a summary for a pull request; plus the affected GPUs as slice bars before and after.',
  input: z.strictObject(RecommendationInput),
  output: named('RecommendationDetail', {
    ...answered,
    recommendation: RecommendationView,
    files: z.array(z.object({ path: z.string(), text: z.string() })),
    gpus: PlannedGpus,
    outlook: OutlookSchema,
    past: PastSchema.nullable().describe('null if no measurement is behind it, as for waiting work'),
  }),
})

export const recommendationsDismiss = operation(ROUTES.recommendationsDismiss, {
  title: 'Dismiss a recommendation',
  description: 'Hides a recommendation for as long as the same change is proposed. The reason is stored and shown.',
  input: z.strictObject({ ...RecommendationInput, reason: z.string().trim().min(3).max(300) }),
  output: named('Dismissal', { dismissed: z.string(), reason: z.string(), at: InstantText }),
})

export const recommendationsRestore = operation(ROUTES.recommendationsRestore, {
  title: 'Restore a dismissed recommendation',
  description: 'Shows a dismissed recommendation again.',
  input: z.strictObject(RecommendationInput),
  output: named('DismissalTakenBack', { restored: z.string() }),
})
