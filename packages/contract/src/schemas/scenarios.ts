import { z } from 'zod'

import { answered, ClusterInput, InstantText } from './figure.ts'
import { named } from '../named.ts'
import { operation } from '../operation.ts'
import { ROUTES } from '../routes.ts'

const Name = z.string().min(1).max(253)
const Price = z.number().min(0).max(10_000)
const Nodes = z.number().int().min(1).max(20_000)
const list = <Item extends z.ZodType>(item: Item) => z.array(item).readonly()

const CutSchema = z.object({
  gpus: z.number().int(),
  profiles: list(z.string()),
  replicas: z.number().int().describe('1: not shared'),
})
const GroupSchema = named('ScenarioGroup', {
  model: z.string(),
  pool: z.string(),
  nodes: z.number().int(),
  gpusPerNode: z.number().int(),
  price: z.number().nullable().describe('USD for one GPU-hour; null = not known'),
  cuts: list(CutSchema).describe('how the GPUs are cut now, node by node; GPUs after the last are whole'),
})

const ShapeSchema = z.object({
  model: z.string(),
  size: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('whole'), gpus: z.number().int() }),
    z.object({ kind: z.literal('mig'), profile: z.string() }),
    z.object({ kind: z.literal('share'), milli: z.number().int() }),
  ]),
})

const StartSchema = z.enum(['now', 'week'])

const SourceOfScenario = named('ScenarioSource', {
  cluster: z.string(),
  kind: StartSchema,
  from: z.number().describe('milliseconds since the epoch'),
  to: z.number(),
  groups: list(GroupSchema),
  shapes: list(ShapeSchema).describe('what pods held, each kind once'),
  jobs: z
    .object({
      at: list(z.number()).describe('seconds since the start'),
      stays: list(z.number().nullable()).describe('seconds; null: to the end'),
      shape: list(z.number().int()),
      fit: list(z.number().int()).describe('the shape that the measured peak fits'),
      tenant: list(z.number().int()).describe('number of the namespace'),
      work: list(z.number().nullable()).describe('GPUs kept busy on the mean; null: not measured'),
    })
    .describe('pods in columns'),
  notes: list(z.string()).describe('what this is made from, and what it leaves out'),
})

const ChangeSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('add'),
    model: Name,
    pool: z.string().max(253),
    nodes: Nodes,
    gpusPerNode: z.number().int().min(1).max(64),
    price: Price.nullable().describe('null: as the group has it'),
  }),
  z.strictObject({ kind: z.literal('remove'), model: Name, pool: z.string().max(253), nodes: Nodes }),
  z.strictObject({ kind: z.literal('price'), model: Name, pool: z.string().max(253), price: Price }),
])

/** What is supposed, as it travels. */
export const ScenarioSchema = z
  .strictObject({
    from: StartSchema.describe('now: what runs and waits, without an end; week: the last seven days again'),
    changes: list(ChangeSchema).refine((changes) => changes.length <= 50, 'at most 50 changes'),
    boards: z.enum(['same', 'any']).describe('whether work may run on other GPU models with as much memory'),
    sizes: z.enum(['held', 'fit']).describe('fit: everybody gets what their measured peak fits'),
    runs: list(z.string().max(60))
      .refine((runs) => runs.length > 0 && runs.length <= 8, 'one to eight ways to share and place')
      .meta({ examples: [['today', 'mig.septet']] }),
    seed: z.number().int().min(0).max(1_000_000),
  })
  .meta({ id: 'Scenario' })

const OutcomeSchema = named('ScenarioOutcome', {
  run: z.string(),
  gpus: z.number().int(),
  usedPeak: z.number(),
  usedMean: z.number(),
  needed: z.number().nullable().describe('GPUs so that nobody waits; null: not found'),
  bound: z.number().nullable().describe('no plan serves everything without waiting with fewer GPUs'),
  busy: z.number().nullable(),
  measured: z.number(),
  runnable: z.number().int(),
  impossible: z.number().int().describe('pods that fit no GPU of the fleet'),
  started: z.number().int(),
  queuedMean: z.number(),
  queuedPeak: z.number().int(),
  waitP50: z.number().nullable().describe('seconds'),
  waitP95: z.number().nullable().describe('seconds'),
  waitAtLeast: z.boolean().describe('some never started: waiting times are lower bounds'),
  stranded: z.number().describe('GPUs’ worth'),
  costPerMonth: z.number().nullable().describe('of the GPUs with a price; null: none has one'),
  costNeeded: z.number().nullable().describe('of the GPUs needed so that nobody waits; null: not known'),
  unpriced: z.number().int().describe('GPUs without a price, which the cost leaves out'),
  costPerUsefulHour: z.number().nullable(),
  overTime: z.object({ step: z.number(), used: list(z.number()), queued: list(z.number()) }),
  score: z.object({
    model: z.string(),
    gpus: z.number().int(),
    slots: z.number().int(),
    cut: z.boolean(),
    notes: list(
      z.object({
        gpu: z.number().int(),
        start: z.number().int(),
        size: z.number().int(),
        from: z.number(),
        to: z.number(),
        tenant: z.number().int(),
      }),
    ),
  }),
})

const ResultSchema = named('ScenarioResult', {
  version: z.number().int().describe('of the engine'),
  seed: z.number().int(),
  jobs: z.number().int(),
  length: z.number().describe('seconds'),
  groups: list(GroupSchema),
  assumptions: list(z.string()),
  outcomes: list(OutcomeSchema),
  digest: z.string().describe('equal for equal figures, wherever they were computed'),
})

export const scenariosInput = operation(ROUTES.scenariosInput, {
  title: 'What a scenario starts from',
  description:
    'The fleet in groups with its prices and, of small clusters, the pods that run and wait now or that held GPUs in the last seven days, without names: what a browser needs to compute a scenario by itself.',
  input: z.strictObject({ ...ClusterInput, from: StartSchema.default('week') }),
  output: named('ScenarioInput', {
    ...answered,
    pods: z.number().int().describe('how many there are'),
    gpus: z.number().int(),
    groups: list(GroupSchema),
    notes: list(z.string()),
    of: SourceOfScenario.nullable().describe('null: too large for a browser; start it here'),
    because: z.string().nullable(),
  }),
})

const StateSchema = named('ScenarioState', {
  id: z.string(),
  state: z.enum(['waiting', 'running', 'done', 'failed', 'cancelled']),
  ahead: z.number().int().describe('scenarios that are computed before it'),
  done: z.number().describe('events'),
  of: z.number(),
  askedAt: InstantText,
  problem: z.string().nullable().describe('why it failed, and what to do'),
  result: ResultSchema.nullable(),
})

const ScenarioId = { id: z.uuid().describe('id of the scenario') }

export const scenariosStart = operation(ROUTES.scenariosStart, {
  title: 'Compute a scenario',
  description:
    'Compares ways to share GPUs and to place work on a supposed fleet, with what runs now or what came in the last seven days. It is computed beside the answers, one after the other; ask for its state until it is done. Nothing is changed.',
  input: z.strictObject({ ...ClusterInput, scenario: ScenarioSchema }),
  output: StateSchema,
})

export const scenariosGet = operation(ROUTES.scenariosGet, {
  title: 'A scenario’s progress and result',
  description: 'How far a scenario is that the caller started, and its result. Results are kept for half an hour.',
  input: z.strictObject(ScenarioId),
  output: StateSchema,
})

export const scenariosCancel = operation(ROUTES.scenariosCancel, {
  title: 'Cancel a scenario',
  description: 'Stops computing a scenario that the caller started, or forgets its result.',
  input: z.strictObject(ScenarioId),
  output: named('ScenarioCancelled', { cancelled: z.string() }),
})
