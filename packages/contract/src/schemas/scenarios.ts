import { z } from 'zod'

import { computed } from './computed.ts'
import { answered, ClusterInput } from './figure.ts'
import { named } from '../named.ts'
import { operation } from '../operation.ts'
import { ROUTES } from '../routes.ts'

const Name = z.string().min(1).max(253)
const Price = z.number().min(0).max(10_000)
const Nodes = z.number().int().min(1).max(20_000)
const list = <Item extends z.ZodType>(item: Item) => z.array(item).readonly()

const GroupSchema = named('ScenarioGroup', {
  model: z.string(),
  pool: z.string(),
  nodes: z.number().int(),
  gpusPerNode: z.number().int(),
  price: z.number().nullable().describe('USD per GPU-hour; null: unknown'),
})

const StartSchema = z.enum(['now', 'week'])

const ChangeSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('add'),
    model: Name,
    pool: z.string().max(253),
    nodes: Nodes,
    gpusPerNode: z.number().int().min(1).max(64),
    price: Price.nullable().describe('null: the group’s current price'),
  }),
  z.strictObject({ kind: z.literal('remove'), model: Name, pool: z.string().max(253), nodes: Nodes }),
  z.strictObject({ kind: z.literal('price'), model: Name, pool: z.string().max(253), price: Price }),
])

/** What is supposed, as it travels. */
export const ScenarioSchema = z
  .strictObject({
    from: StartSchema.describe('now: what runs and waits, with no end; week: replay of the last seven days'),
    changes: z.array(ChangeSchema).max(50).readonly(),
    boards: z.enum(['same', 'any']).describe('whether work may run on other GPU models with at least as much memory'),
    sizes: z.enum(['held', 'fit']).describe('fit: every workload gets what its measured peak fits'),
  })
  .meta({ id: 'Scenario' })

const OutcomeSchema = named('ScenarioOutcome', {
  way: z
    .enum(['today', 'best-fit', 'septet'])
    .describe(
      'today: GPUs stay partitioned as they are; best-fit: partitioned on demand, packed as kube-scheduler does',
    ),
  gpus: z.number().int().describe('GPUs of the fleet'),
  usedPeak: z.number(),
  usedMean: z.number(),
  needed: z.number().nullable().describe('GPUs of a fleet on which the same replay has zero wait; null: not found'),
  needs: list(z.object({ model: z.string(), gpus: z.number().nullable() })).describe('the same, by GPU model'),
  busy: z.number().nullable(),
  measured: z.number(),
  runnable: z.number().int(),
  impossible: z.number().int().describe('pods that fit no GPU in the fleet'),
  started: z.number().int(),
  queuedMean: z.number(),
  queuedPeak: z.number().int(),
  waitP50: z.number().nullable().describe('seconds'),
  waitP95: z.number().nullable().describe('seconds'),
  waitAtLeast: z.boolean().describe('some never started: waiting times are lower bounds'),
  stranded: z.number().describe('GPUs’ worth'),
  costPerMonth: z.number().nullable().describe('for GPUs with a price; null: none has one'),
  costNeeded: z.number().nullable().describe('for the GPUs needed; null: unknown'),
  unpriced: z.number().int().describe('GPUs without a price; not part of the cost'),
  costPerUsefulHour: z.number().nullable(),
  overTime: z.object({ step: z.number(), used: list(z.number()), queued: list(z.number()) }),
})

const ResultSchema = named('ScenarioResult', {
  says: z.string().describe('the result in one sentence'),
  reasons: list(z.string()).describe('what stands behind it'),
  heldOut: z.string().describe('what the replay does not try or count'),
  version: z.number().int().describe('engine version'),
  jobs: z.number().int(),
  length: z.number().describe('seconds'),
  assumptions: list(z.string()),
  outcomes: list(OutcomeSchema),
  bound: z
    .object({ gpus: z.number().int(), cost: z.number().nullable().describe('USD a month') })
    .nullable()
    .describe('proven: no layout has zero wait on fewer GPUs; null: not proven'),
  digest: z.string().describe('equal for identical results'),
})

export const scenariosInput = operation(ROUTES.scenariosInput, {
  title: 'Input of a scenario',
  description:
    'The fleet in groups with its prices, and how many pods run and wait now or held GPUs in the last seven days.',
  input: z.strictObject({ ...ClusterInput, from: StartSchema.default('week') }),
  output: named('ScenarioInput', {
    ...answered,
    pods: z.number().int().describe('how many there are'),
    gpus: z.number().int(),
    groups: list(GroupSchema),
    notes: list(z.string()),
  }),
})

const StateSchema = computed('ScenarioState', ResultSchema, 'events')

const ScenarioId = { id: z.uuid().describe('scenario ID') }

export const scenariosStart = operation(ROUTES.scenariosStart, {
  title: 'Compute a scenario',
  description:
    'Compares today’s layout, best fit as kube-scheduler packs, and Septet’s layout on a hypothetical fleet, with what runs now or what arrived in the last seven days, and says in one sentence what that saves. Scenarios run in the background, one at a time; poll its state until it is done. Nothing is changed.',
  input: z.strictObject({ ...ClusterInput, scenario: ScenarioSchema }),
  output: StateSchema,
})

export const scenariosGet = operation(ROUTES.scenariosGet, {
  title: 'A scenario’s progress and result',
  description: 'How far along a scenario the caller started is, and its result. Results are kept for half an hour.',
  input: z.strictObject(ScenarioId),
  output: StateSchema,
})

export const scenariosCancel = operation(ROUTES.scenariosCancel, {
  title: 'Cancel a scenario',
  description: 'Cancels a scenario the caller started, or deletes its result.',
  input: z.strictObject(ScenarioId),
  output: named('ScenarioCancelled', { cancelled: z.string() }),
})
