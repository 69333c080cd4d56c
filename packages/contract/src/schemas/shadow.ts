import { SHADOW_OUTCOMES } from '@septet/domain'
import { ACTION_CLASSES, REPLAYED_BY_DEFAULT, REPLAYED_CLASSES } from '@septet/domain/action-classes'
import { z } from 'zod'

import { answered, ClusterInput, InstantText, PeriodInput, WindowSchema } from './figure.ts'
import { named } from '../named.ts'
import { operation } from '../operation.ts'
import { ROUTES } from '../routes.ts'
import { EffectSchema } from './recommendations.ts'

const freed = {
  gpuHours: z.number().describe('freed until it proved wrong, was used again, ended, or the record ends'),
  usd: z.number().nullable().describe('at each hour’s price; null: none of it has a price'),
  unpricedGpuHours: z.number().describe('counted in gpuHours but not in usd'),
  unknownHours: z.number().describe('hours for which it is unknown whether the change would have held; not counted'),
}

const ShadowActionSchema = named('ShadowAction', {
  object: z.string().describe('workload/NAMESPACE/KIND/NAME or node/NAME'),
  title: z.string(),
  message: z.string().describe('what was observed'),
  rule: z.object({ name: z.string(), version: z.number().int() }),
  proposedAt: InstantText.describe('when it would have been proposed, and the owner of idle work warned'),
  doneAt: InstantText.describe('when it would have been done'),
  pods: z.number().int().describe('pods that would have been displaced'),
  gpus: z
    .number()
    .describe('held by the workload, or GPUs of the node; MIG devices and shared replicas count by their share'),
  nodes: z.array(z.string()),
  confidence: z.number(),
  evidence: z.object({
    query: z.string(),
    window: WindowSchema,
    samples: z.number().int(),
    coverage: z.number(),
    figures: z.record(z.string(), z.union([z.string(), z.number()])),
  }),
  outcome: z.object({
    kind: z
      .enum(SHADOW_OUTCOMES)
      .describe(
        'came-back-at-once: stopped work was used again within an hour; too-little-memory: a later memory peak exceeds the proposed size; too-little-compute: average utilization in a later hour exceeds the proposed size; no-room: work from the node would not have found such GPUs free elsewhere within an hour',
      ),
    isWrong: z.boolean().describe('the change would have been a mistake'),
    at: InstantText.describe('start of the hour in which that was observed'),
    says: z.string(),
  }),
  freed: z.object(freed),
})

const ShadowResult = named('ShadowResult', {
  class: z.enum(REPLAYED_CLASSES),
  effect: EffectSchema,
  says: z.string().describe('the result in words'),
  recorded: WindowSchema.nullable().describe('the part of the requested days that is stored; null: nothing'),
  of: z.enum(['workload', 'node']).describe('what is counted'),
  objects: z
    .object({ replayed: z.number().int(), leftOut: z.number().int() })
    .describe('workloads or nodes that left GPUs unused; the ones that left most are replayed'),
  actions: z.array(ShadowActionSchema).describe('in order of time'),
  withdrawn: z.number().int().describe('owners warned about work that was used again before it was stopped'),
  heldBack: z
    .array(z.object({ code: z.string(), objects: z.number().int(), because: z.string() }))
    .describe('what guardrails would have delayed or prevented'),
  totals: z.object({
    ...freed,
    objects: z.number().int().describe('workloads or nodes, each once'),
    wrong: z.number().int().describe('changes that would have been mistakes'),
    outcomes: z.record(z.enum(SHADOW_OUTCOMES), z.number().int()),
  }),
  digest: z
    .string()
    .describe(
      'SHA-256 of the history, the policy, the prices and this result: identical for every run over the same data',
    ),
})

export const shadowGet = operation(ROUTES.shadowGet, {
  title: 'What Septet would have done on its own',
  description:
    'Replays stored hours as if the class had been on auto under the current policy: what Septet would have done, how much capacity it would have freed or taken off the bill, and what it would have gotten wrong, judged by what was recorded later. Computed in the background on first request; ask again until it is ready. Nothing is changed.',
  input: z.strictObject({
    ...ClusterInput,
    range: PeriodInput.range.describe(
      'range to replay, limited to stored hours and its last 40 days; if left out, `days` applies',
    ),
    class: z.enum(REPLAYED_CLASSES).default(REPLAYED_BY_DEFAULT).describe('the class to treat as auto'),
    days: z.coerce.number().int().min(1).max(40).default(30).describe('how many days back, if no range is given'),
  }),
  output: named('ShadowMonth', {
    ...answered,
    state: z.enum(['computing', 'ready', 'failed']),
    days: z.number().int().describe('as requested, or the length of the requested range'),
    done: z.number().describe('progress, 0 to 1'),
    problem: z.string().nullable().describe('why it failed, and what to do'),
    result: ShadowResult.nullable().describe('null until it is ready'),
    notReplayed: z
      .array(z.object({ class: z.enum(ACTION_CLASSES), because: z.string() }))
      .describe('classes whose history is not recorded well enough'),
    notes: z.array(z.string()).describe('what is assumed, and what is not recorded'),
  }),
})
