import { z } from 'zod'

import { told, ClusterInput, FigureSchema, InstantText, RangeInput } from './figure.ts'
import { named } from '../named.ts'
import { operation } from '../operation.ts'
import { ROUTES, WORKLOAD_SORTS } from '../routes.ts'

const WaitingSchema = z
  .object({ reason: z.string(), message: z.string() })
  .nullable()
  .describe("why it waits, in the scheduler's or Kueue's own words")

const RequestSchema = z.object({ resource: z.string(), count: z.number().int() })

/** One GPU workload as a row of a table. */
export const WorkloadRowSchema = named('WorkloadRow', {
  id: z.string().describe('namespace/Kind/name'),
  name: z.string(),
  namespace: z.string(),
  kind: z.string(),
  class: z.string(),
  status: z.enum(['running', 'queued', 'ended']),
  tenant: z.string().nullable().describe('null: no rule names one'),
  queue: z.string().nullable().describe('Kueue queue'),
  gpu: z.string().describe('count and model or profile, "2 × H100"'),
  requests: z.array(RequestSchema).describe('summed over its pods, by resource'),
  holds: z
    .object({
      gpus: z.number().describe('GPU-equivalents: a MIG device counts with its share of the compute slices'),
      idle: z.number().describe('of these, idle-held now'),
      parts: z.array(z.object({ shape: z.string(), model: z.string(), count: z.number().int() })),
    })
    .nullable()
    .describe('what it holds now; null while it holds nothing'),
  since: InstantText.nullable(),
  duration: z.number().nullable().describe('seconds it has run or waited, as of asOf'),
  busy: FigureSchema,
  gpuHours: z.number().nullable(),
  idleGpuHours: z.number().nullable(),
  cost: FigureSchema,
  idleCost: FigureSchema,
  rightSize: z.object({
    kind: z.enum(['oversized', 'fits', 'unknown']),
    profile: z.string().nullable().describe('the smaller profile that its peaks would fit'),
    because: z.string().nullable(),
  }),
  waiting: WaitingSchema,
})

export const workloadsList = operation(ROUTES.workloadsList, {
  title: 'GPU workloads',
  description:
    'Running and queued GPU workloads with what they request and hold, how busy that was over the range, what it cost and how much of that was idle, and why queued ones wait. A caller limited to namespaces sees those in their namespaces.',
  input: z.strictObject({
    ...ClusterInput,
    ...RangeInput,
    status: z
      .enum(['running', 'queued', 'ended', 'all'])
      .default('all')
      .describe('all: running and queued; ended: held a GPU within the range and are gone'),
    namespace: z.string().max(253).optional(),
    tenant: z.string().max(63).optional().describe('an empty string: those without a tenant'),
    class: z.string().max(63).optional(),
    search: z.string().max(253).optional().describe('part of a name, namespace, resource or queue'),
    waitsFor: z.string().max(253).optional().describe('queued ones that request this resource'),
    idle: z.enum(['true', 'false']).default('false').describe('true: only those with something idle now'),
    sort: z.enum(WORKLOAD_SORTS).default('hours'),
    order: z.enum(['up', 'down']).default('down').describe('unknown values come last either way'),
    limit: z.coerce.number().int().min(1).max(2000).default(200),
    offset: z.coerce.number().int().min(0).default(0),
  }),
  output: named('WorkloadList', {
    ...told,
    total: z.number().int().describe('workloads that match, before limit and offset'),
    counts: z
      .object({
        running: z.number().int(),
        queued: z.number().int(),
        ended: z.number().int(),
        idle: z.number().int().describe('running ones with something idle now'),
      })
      .describe('before any filter'),
    choices: z
      .object({ namespaces: z.array(z.string()), tenants: z.array(z.string()), classes: z.array(z.string()) })
      .describe('available filters'),
    waitsFor: z
      .array(
        z.object({
          resource: z.string(),
          reason: z.string(),
          workloads: z.number().int(),
          asked: z.number().int().describe('devices of the resource that they request'),
          oldest: InstantText.nullable(),
          message: z.string().describe('the scheduler’s message for the oldest one'),
        }),
      )
      .describe('queued workloads by what they request and why they do not get it, most first; before any filter'),
    workloads: z.array(WorkloadRowSchema),
  }),
})
