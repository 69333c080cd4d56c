import { ACTION_CLASSES, SHADOW_OUTCOMES } from '@septet/domain'
import { z } from 'zod'

import { answered, ClusterInput, InstantText, WindowSchema } from './figure.ts'
import { named } from '../named.ts'
import { operation } from '../operation.ts'
import { ROUTES } from '../routes.ts'

const freed = {
  gpuHours: z.number().describe('held and not used until it worked again, ended, or the record ends'),
  usd: z.number().nullable().describe('at the prices of each hour; null: none of it has a price'),
  unpricedGpuHours: z.number().describe('in gpuHours and not in usd'),
  unknownHours: z.number().describe('hours of which it is not known whether it was used: in nothing'),
}

const ShadowActionSchema = named('ShadowAction', {
  workload: z.string(),
  title: z.string(),
  message: z.string().describe('what was seen'),
  rule: z.object({ name: z.string(), version: z.number().int() }),
  proposedAt: InstantText.describe('when its owner would have been warned'),
  stoppedAt: InstantText.describe('when it would have been stopped'),
  pods: z.number().int(),
  gpus: z.number().describe('held; MIG devices and shared replicas by their share'),
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
      .describe('came-back-at-once: it worked again within an hour, so stopping it would have been wrong'),
    at: InstantText.describe('beginning of the hour in which that was seen'),
    says: z.string(),
  }),
  freed: z.object(freed),
})

const ShadowResult = named('ShadowResult', {
  class: z.enum(ACTION_CLASSES),
  says: z.string().describe('what it comes to, in words'),
  recorded: WindowSchema.nullable().describe('what was stored of the days that were asked for; null: nothing'),
  workloads: z
    .object({ replayed: z.number().int(), leftOut: z.number().int() })
    .describe('workloads that idled in it: those that idled most are replayed'),
  actions: z.array(ShadowActionSchema).describe('first to last'),
  withdrawn: z.number().int().describe('owners warned of work that was used again before it was stopped'),
  heldBack: z
    .array(z.object({ code: z.string(), workloads: z.number().int(), because: z.string() }))
    .describe('what the rules would have kept from being stopped for a while or for good'),
  totals: z.object({
    ...freed,
    workloads: z.number().int(),
    outcomes: z.record(z.enum(SHADOW_OUTCOMES), z.number().int()),
  }),
  digest: z
    .string()
    .describe('SHA-256 over the history, the policy, the prices and this result: the same on every run over the same'),
})

export const shadowGet = operation(ROUTES.shadowGet, {
  title: 'What Septet would have done by itself',
  description:
    'Replays the stored hours of the last days through what proposes on auto, as if the class were on auto under the policy that is in force: what it would have stopped, what that had freed, and what it would have got wrong, which is work that came back within an hour. It is computed beside the answers when it is first asked for; ask again until it is ready. Nothing is changed.',
  input: z.strictObject({
    ...ClusterInput,
    days: z.coerce.number().int().min(1).max(40).default(30).describe('how many days back'),
  }),
  output: named('ShadowMonth', {
    ...answered,
    state: z.enum(['computing', 'ready', 'failed']),
    days: z.number().int().describe('as asked'),
    done: z.number().describe('share of it that is computed, 0 to 1'),
    problem: z.string().nullable().describe('why it failed, and what to do'),
    result: ShadowResult.nullable().describe('null until it is ready'),
    notReplayed: z
      .array(z.object({ class: z.enum(ACTION_CLASSES), because: z.string() }))
      .describe('classes of which what happened then is not recorded well enough'),
    notes: z.array(z.string()).describe('what is assumed, and what is not recorded'),
  }),
})
