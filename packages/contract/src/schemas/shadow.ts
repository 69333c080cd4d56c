import { ACTION_CLASSES, SAVING_EFFECTS, SHADOW_CLASSES, SHADOW_OUTCOMES } from '@septet/domain'
import { z } from 'zod'

import { answered, ClusterInput, InstantText, PeriodInput, WindowSchema } from './figure.ts'
import { named } from '../named.ts'
import { operation } from '../operation.ts'
import { ROUTES } from '../routes.ts'

const freed = {
  gpuHours: z.number().describe('freed until it proved wrong, was used again or ended, or the record ends'),
  usd: z.number().nullable().describe('at the prices of each hour; null: none of it has a price'),
  unpricedGpuHours: z.number().describe('in gpuHours and not in usd'),
  unknownHours: z.number().describe('hours of which it is not known whether the change held: in nothing'),
}

const ShadowActionSchema = named('ShadowAction', {
  object: z.string().describe('workload/NAMESPACE/KIND/NAME or node/NAME'),
  title: z.string(),
  message: z.string().describe('what was seen'),
  rule: z.object({ name: z.string(), version: z.number().int() }),
  proposedAt: InstantText.describe('when it would have been proposed, and the owner of idle work been warned'),
  doneAt: InstantText.describe('when it would have been done'),
  pods: z.number().int().describe('that would have been displaced'),
  gpus: z.number().describe('held by the work, or of the node; MIG devices and shared replicas by their share'),
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
        'came-back-at-once: work that was stopped worked again within an hour; too-little-memory: a later memory peak is above what it would have had; too-little-compute: it was busier in the mean of a later hour than what it would have had; no-room: work of the node would have found no such GPUs free elsewhere within an hour',
      ),
    isWrong: z.boolean().describe('the change would have been a mistake'),
    at: InstantText.describe('beginning of the hour in which that was seen'),
    says: z.string(),
  }),
  freed: z.object(freed),
})

const ShadowResult = named('ShadowResult', {
  class: z.enum(SHADOW_CLASSES),
  effect: z
    .enum(SAVING_EFFECTS)
    .describe('a bill falls only when a node goes; else capacity is freed for other work: the two are never added'),
  says: z.string().describe('what it comes to, in words'),
  recorded: WindowSchema.nullable().describe('what was stored of the days that were asked for; null: nothing'),
  of: z.enum(['workload', 'node']).describe('what is counted'),
  objects: z
    .object({ replayed: z.number().int(), leftOut: z.number().int() })
    .describe('workloads or nodes that left GPUs unused in it: those that left most are replayed'),
  actions: z.array(ShadowActionSchema).describe('first to last'),
  withdrawn: z.number().int().describe('owners warned of work that was used again before it was stopped'),
  heldBack: z
    .array(z.object({ code: z.string(), objects: z.number().int(), because: z.string() }))
    .describe('what the rules would have kept from being done for a while or for good'),
  totals: z.object({
    ...freed,
    objects: z.number().int().describe('workloads or nodes, each once'),
    wrong: z.number().int().describe('changes that would have been mistakes'),
    outcomes: z.record(z.enum(SHADOW_OUTCOMES), z.number().int()),
  }),
  digest: z
    .string()
    .describe('SHA-256 over the history, the policy, the prices and this result: the same on every run over the same'),
})

export const shadowGet = operation(ROUTES.shadowGet, {
  title: 'What Septet would have done by itself',
  description:
    'Replays stored hours through what proposes on auto, as if the class were on auto under the policy that is in force, and no other: what it would have done, what that had freed or taken off the bill, and what it would have got wrong, by what was recorded later. It is computed beside the answers when it is first asked for; ask again until it is ready. Nothing is changed.',
  input: z.strictObject({
    ...ClusterInput,
    range: PeriodInput.range.describe(
      'a stretch of time to replay, as far as hours of it are stored, and at most its last 40 days; left out: so many days',
    ),
    class: z.enum(SHADOW_CLASSES).default('reclaim-idle').describe('what is taken to be on auto'),
    days: z.coerce.number().int().min(1).max(40).default(30).describe('how many days back, where no range is named'),
  }),
  output: named('ShadowMonth', {
    ...answered,
    state: z.enum(['computing', 'ready', 'failed']),
    days: z.number().int().describe('as asked, or as the range that was asked for has'),
    done: z.number().describe('share of it that is computed, 0 to 1'),
    problem: z.string().nullable().describe('why it failed, and what to do'),
    result: ShadowResult.nullable().describe('null until it is ready'),
    notReplayed: z
      .array(z.object({ class: z.enum(ACTION_CLASSES), because: z.string() }))
      .describe('classes of which what happened then is not recorded well enough'),
    notes: z.array(z.string()).describe('what is assumed, and what is not recorded'),
  }),
})
