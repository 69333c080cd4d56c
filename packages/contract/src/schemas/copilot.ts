import { z } from 'zod'

import { ClusterInput, InstantText, ZoneSchema } from './figure.ts'
import { LONGEST_LINE } from '../copilot-questions.ts'
import { named } from '../named.ts'
import { operation } from '../operation.ts'
import { ROUTES } from '../routes.ts'
import { GpuViewSchema } from './partitions.ts'

const BlockSchema = z
  .discriminatedUnion('kind', [
    z.object({
      kind: z.literal('table'),
      title: z.string(),
      columns: z.array(z.object({ name: z.string(), isNumber: z.boolean() })),
      rows: z.array(z.object({ cells: z.array(z.string()), page: z.string().nullable() })),
      total: z.number().int().describe('total rows, including those left out'),
    }),
    z.object({
      kind: z.literal('chart'),
      title: z.string(),
      unit: z.string(),
      points: z.array(z.object({ at: z.string(), value: z.number().nullable() })),
    }),
    z.object({
      kind: z.literal('slices'),
      title: z.string(),
      gpus: z.array(z.object({ node: z.string(), gpu: GpuViewSchema })),
    }),
  ])
  .meta({ id: 'CopilotBlock' })

/** An answer of which every figure and name was filled in from what was asked for it. */
export const CopilotAnswerSchema = named('CopilotAnswer', {
  id: z.string(),
  at: InstantText,
  question: z.string(),
  engine: z.object({
    kind: z.enum(['rules', 'model']).describe('rules: a fixed question, no language model'),
    name: z.string(),
    because: z.string().optional().describe('why an answer of a language model may be incomplete'),
  }),
  verdict: z
    .enum(['answered', 'cannot', 'refused'])
    .describe(
      'cannot: unknown, or no fixed question and no model answered, and it says so; refused: it asks for a change, or for more than the caller may see',
    ),
  sentences: z.array(
    z.object({
      text: z.string(),
      cites: z.array(z.number().int()).describe('citation numbers'),
      parts: z
        .array(z.object({ text: z.string(), about: z.string().optional(), cite: z.number().int().optional() }))
        .optional()
        .describe(
          'the pieces of a sentence that a language model put together: with cite, the server filled it from that citation, and about says what it is, of whom and when',
        ),
    }),
  ),
  blocks: z.array(BlockSchema),
  citations: z.array(
    z.object({
      number: z.number().int(),
      title: z.string(),
      source: z.string().describe('the API request behind it'),
      page: z.string().nullable().describe('dashboard page that shows the same data'),
      asOf: InstantText.nullable(),
    }),
  ),
  next: z.array(z.object({ label: z.string(), question: z.string().nullable(), page: z.string().nullable() })),
  dropped: z
    .number()
    .int()
    .describe('sentences from a language model that were dropped because they say more than they cite'),
  droppedBecause: z.array(z.string()).optional().describe('why, each reason once'),
})
export type CopilotAnswer = z.output<typeof CopilotAnswerSchema>

export const copilotAsk = operation(ROUTES.copilotAsk, {
  title: 'Ask the co-pilot',
  description:
    'Answers fixed questions about utilization, cost, waste, waiting work, MIG layouts, recommendations and actions, with citations; case, spaces and punctuation do not matter. Every other question needs a language model; without one, the answer says so and lists the fixed questions. It only reads. Text from clusters is treated as data, never as instructions.',
  input: z.strictObject({
    ...ClusterInput,
    question: z.string().trim().min(1).max(2000),
    after: z
      .string()
      .max(2000)
      .optional()
      .describe('the previous question, so that a language model understands "and last week?"'),
    zone: ZoneSchema,
  }),
  output: CopilotAnswerSchema,
})

export const queryAsk = operation(ROUTES.queryAsk, {
  title: 'Ask in one typed line',
  description:
    'Reads a line such as “busy of workloads < 20% in team-search, last 24 h” or “cost by namespace, this week vs last week” piece by piece: a figure, of what, conditions, a time, what it is compared with, how many. Shows what each piece was read as, what may stand in its place and how the line may go on. It is answered only if every piece is understood; English only. No language model reads it.',
  input: z.strictObject({
    ...ClusterInput,
    line: z.string().max(LONGEST_LINE).default('').describe('what was typed so far'),
    zone: ZoneSchema,
  }),
  output: named('QueryAnswer', {
    line: z.string(),
    pieces: z.array(
      z.object({
        from: z.number().int().describe('its first character in the line'),
        to: z.number().int().describe('the one after its last'),
        kind: z.enum(['figure', 'subject', 'condition', 'time', 'compare', 'order', 'question', 'unknown']),
        says: z.string().describe('what it was read as'),
        problem: z.string().nullable().describe('why nothing is answered with it; null: it is understood'),
        choices: z.array(z.string()).describe('whole lines with something else in its place'),
      }),
    ),
    assumed: z.array(z.string()).describe('what is taken where the line says nothing'),
    completions: z
      .array(z.object({ line: z.string(), label: z.string(), kind: z.string() }))
      .describe('how the line may go on'),
    answer: CopilotAnswerSchema.nullable().describe('null unless every piece is understood'),
  }),
})
export type QueryAnswer = z.output<typeof queryAsk.output>

export const copilotHistory = operation(ROUTES.copilotHistory, {
  title: 'Co-pilot history',
  description: 'The caller’s own questions and answers, newest first, up to 50. Visitors have none.',
  input: z.strictObject({}),
  output: named('CopilotHistory', { answers: z.array(CopilotAnswerSchema) }),
})

export const copilotForget = operation(ROUTES.copilotForget, {
  title: 'Clear co-pilot history',
  description: 'Deletes the caller’s own questions and answers.',
  input: z.strictObject({}),
  output: named('CopilotForgotten', { forgotten: z.number().int() }),
})
