import { z } from 'zod'

import { ClusterInput, InstantText } from './figure.ts'
import { named } from '../named.ts'
import { operation } from '../operation.ts'
import { ROUTES } from '../routes.ts'
import { GpuViewSchema } from './partitions.ts'

/** What a question was understood as; the next one may leave out what this one said. */
export const CopilotIntentSchema = named('CopilotIntent', {
  family: z.string().max(60).describe('which question it is'),
  slots: z.record(z.string().max(40), z.string().max(600)).describe('what it is about: range, namespace, workload, …'),
})

const BlockSchema = z
  .discriminatedUnion('kind', [
    z.object({
      kind: z.literal('table'),
      title: z.string(),
      columns: z.array(z.object({ name: z.string(), isNumber: z.boolean() })),
      rows: z.array(z.object({ cells: z.array(z.string()), page: z.string().nullable() })),
      total: z.number().int().describe('rows that there are, also those left out'),
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

/** An answer of which every number and name stands in what was asked for it. */
export const CopilotAnswerSchema = named('CopilotAnswer', {
  id: z.string(),
  at: InstantText,
  question: z.string(),
  engine: z.object({
    kind: z.enum(['rules', 'model']).describe('rules: questions it knows, without a language model'),
    name: z.string(),
    because: z
      .string()
      .optional()
      .describe('why rules answered although a language model is set up, or why its answer may be incomplete'),
  }),
  verdict: z
    .enum(['answered', 'cannot', 'refused'])
    .describe(
      'cannot: not understood or not known, and said so; refused: it asks for a change, or for more than one may',
    ),
  sentences: z.array(z.object({ text: z.string(), cites: z.array(z.number().int()).describe('numbers of citations') })),
  blocks: z.array(BlockSchema),
  citations: z.array(
    z.object({
      number: z.number().int(),
      title: z.string(),
      source: z.string().describe('what was asked, as an address of the API'),
      page: z.string().nullable().describe('page of the dashboard that shows the same'),
      asOf: InstantText.nullable(),
    }),
  ),
  next: z.array(z.object({ label: z.string(), question: z.string().nullable(), page: z.string().nullable() })),
  intent: CopilotIntentSchema.nullable().describe('hand it back with the next question, which may then be short'),
  dropped: z
    .number()
    .int()
    .describe('sentences of a language model that were left out, as no result held what they said'),
})
export type CopilotAnswer = z.output<typeof CopilotAnswerSchema>

export const copilotAsk = operation(ROUTES.copilotAsk, {
  title: 'Ask the co-pilot',
  description:
    'Answers a question in plain English about utilization, cost, waste, waiting work, MIG layouts, recommendations and actions, with what it is concluded from. It only reads. What it does not know it says, with the nearest questions that it can answer. Text from clusters is data to it, never an instruction.',
  input: z.strictObject({
    ...ClusterInput,
    question: z.string().trim().min(1).max(2000),
    after: CopilotIntentSchema.nullish().describe('intent of the answer before, for "and last week?"'),
  }),
  output: CopilotAnswerSchema,
})

export const copilotHistory = operation(ROUTES.copilotHistory, {
  title: 'What the co-pilot was asked',
  description: 'The caller’s own questions and their answers, newest first, at most 50. Visitors have none.',
  input: z.strictObject({}),
  output: named('CopilotHistory', { answers: z.array(CopilotAnswerSchema) }),
})

export const copilotForget = operation(ROUTES.copilotForget, {
  title: 'Forget what the co-pilot was asked',
  description: 'Removes the caller’s own questions and answers.',
  input: z.strictObject({}),
  output: named('CopilotForgotten', { forgotten: z.number().int() }),
})
