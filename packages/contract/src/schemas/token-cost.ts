import { z } from 'zod'

import { named } from '../named.ts'
import { operation } from '../operation.ts'
import { ROUTES } from '../routes.ts'
import { ClusterInput, InstantText, RangeInput, told, ZoneSchema } from './figure.ts'

const TokenCut = z.enum(['workload', 'model', 'namespace', 'tenant'])

const unknown = z.number().nullable().describe('null: unknown')
const Tokens = named('TokenAmounts', { prompt: unknown, generation: unknown, total: unknown })
const GpuCost = named('TokenGpuCost', {
  gpuHours: unknown,
  usd: z.number().nullable().describe('null: unknown, or no price is known'),
})
const Rates = named('TokenRates', { prompt: unknown, generation: unknown, total: unknown })

/** What tokens cost of one group, or of all. */
const TokenFigures = {
  workloads: z.number().int().describe('that counted tokens'),
  models: z.array(z.string()).describe('as the engines name them'),
  engines: z.array(z.string()),
  tokens: Tokens,
  allocated: GpuCost.describe('all GPU time that its workloads held'),
  busy: GpuCost.describe('the part of it in which the GPUs were busy'),
  idle: GpuCost.describe('the part of it that was held idle: a model was loaded, and nothing asked for it'),
  rated: z.number().int().describe('workloads in the rates: those whose tokens and cost are both known'),
  usdPerMillion: z
    .object({ allocated: Rates, busy: Rates })
    .describe(
      'dollars for a million tokens read, written, and of both kinds together. Each rate carries the whole cost, so they do not add up',
    ),
  counted: z.number().min(0).max(1).describe('share of the GPU time for which tokens were counted'),
  because: z.array(z.string()).describe('what is unknown or left out, and why'),
}

export const costTokens = operation(ROUTES.costTokens, {
  title: 'Cost of tokens',
  description:
    'Tokens read and written over a range, as inference engines count them, beside what the GPUs that served them cost: dollars for a million tokens by all GPU time held and by busy time, with idle time shown apart. By workload, model, namespace or tenant. The metrics engine is asked while you wait. What nothing counts is unknown, not 0.',
  input: z.strictObject({
    ...ClusterInput,
    ...RangeInput,
    by: TokenCut.default('workload'),
    split: z
      .enum(['none', 'tokens'])
      .default('none')
      .describe(
        'how the cost of a workload that serves several models is split by model; none: it is unknown by model',
      ),
    zone: ZoneSchema,
  }),
  output: named('TokenCost', {
    ...told,
    by: TokenCut,
    split: z.enum(['none', 'tokens']),
    groups: z.array(
      z.object({
        key: z.string().describe('empty where there is none'),
        kind: z.enum(['named', 'none']).describe('none: has no tenant, or the engine names no model'),
        ...TokenFigures,
      }),
    ),
    total: z
      .object(TokenFigures)
      .nullable()
      .describe('null if nothing counts tokens, or the counters could not be read'),
    withoutWorkload: z
      .object({ tokens: Tokens, namespaces: z.array(z.string()), engines: z.array(z.string()) })
      .nullable()
      .describe('tokens of pods that are not known to have held a GPU; in no group and no rate'),
    uncounted: z
      .object({
        workloads: z.number().int(),
        examples: z.array(z.string()),
        gpuHours: z.number(),
        usd: z.number().nullable(),
      })
      .describe('inference workloads that held GPUs and of which nothing counts tokens'),
    unread: z.string().nullable().describe('why the counters could not be read'),
    readAt: InstantText.nullable().describe('when the metrics engine added them up'),
    notes: z.array(z.string()).describe('where the figures are partial'),
  }),
})
