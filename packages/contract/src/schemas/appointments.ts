import { z } from 'zod'

import { answered, ClusterInput, InstantText, ProblemSchema } from './figure.ts'
import { named } from '../named.ts'
import { operation } from '../operation.ts'
import { ROUTES } from '../routes.ts'
import { ActionView } from './actions.ts'
import { PlanFields } from './plan-drafts.ts'
import { Namespace } from './names.ts'

/** A year is as far ahead as anything is known of a cluster. */
const HOURS = z.number().positive().max(8784)

const NodeSchema = z.object({
  node: z.string(),
  gpus: z.number().int().describe('how many of its GPUs or instances are kept'),
  closesAt: InstantText.describe('from then on only admitted work starts there'),
  evictsAt: InstantText.nullable().describe('null: no pods are evicted there'),
  opensAt: InstantText,
  evicted: z.array(z.string()),
  ending: z
    .array(z.object({ pod: z.string(), by: InstantText }))
    .describe('pods that are certain to finish before then because of their own deadline'),
  idleHours: z.number().describe('GPU-hours that sit idle there unless short work is started in the meantime'),
  idleNow: z.number().int().describe('GPUs or instances that are free now'),
})

const AskSchema = {
  ...ClusterInput,
  gpus: z.number().int().min(1).max(100_000).describe('whole GPUs, or instances if a profile is given'),
  profile: z
    .string()
    .regex(/^[1-9]g\.[0-9]{1,3}gb([+-][a-z.]{1,10})?$/u)
    .optional()
    .describe('instances of this MIG profile, as GPUs are partitioned then: `1g.20gb`; leave out for whole GPUs'),
  perNode: z
    .number()
    .int()
    .min(1)
    .max(64)
    .default(1)
    .describe('how many must be on the same node: 8 for whole eight-GPU nodes'),
  model: z.string().min(1).max(200).optional().describe('a GPU model, or the part of its name that identifies it'),
  pool: z.string().max(253).optional(),
  namespace: Namespace.optional().describe('whose work they are for'),
  except: z
    .array(z.string().max(253))
    .max(10_000)
    .default([])
    .describe('nodes not to use; nodes of proposed or approved appointments are never used'),
  at: InstantText.meta({ examples: ['2026-11-30T09:00:00Z'] }).describe('when they must be free'),
  hours: HOURS.describe('for how long'),
  longestHours: HOURS.optional().describe('no work runs longer than this, and someone enforces it'),
  maxDisplaced: z.number().int().min(0).max(1000).default(10).describe('maximum number of pods that may be evicted'),
}

/** Only asks: nothing is set aside, and nothing is kept of it. */
export const appointmentsPlan = operation(ROUTES.appointmentsPlan, {
  title: 'Plan GPUs for a set time',
  description:
    'Which nodes to set aside so that this many GPUs are free at a given time and stay free for a while, with the fewest evictions and then the fewest idle GPU-hours: when to close each node, what may still start there, what to evict and when, and when to reopen it; with the bound, and files to apply by hand. If that is not possible: how many GPUs are available, and when all of them will be. Nothing is changed or stored.',
  input: z.strictObject(AskSchema),
  output: named('AppointmentPlan', {
    ...answered,
    ...PlanFields,
    kind: z.enum(['plan', 'none']).describe('none: that many are not available at that time'),
    possible: z.number().int().describe('GPUs or instances available at that time'),
    cutFirst: z
      .array(
        z.object({
          node: z.string(),
          gpus: z.array(z.number().int()).describe('locations of unallocated GPUs'),
          each: z.number().int().describe('instances that each GPU is split into'),
          gives: z.number().int().describe('how many more than there are now'),
          recommendation: z
            .object({ id: z.string(), title: z.string() })
            .nullable()
            .describe('the current recommendation to repartition this node, which creates more of them'),
        }),
      )
      .describe('if there are not enough instances: what has to be repartitioned first'),
    from: InstantText.nullable().describe('if not all are available: when they will be; null: at no known time'),
    nodes: z.array(NodeSchema),
    evictions: z.number().int().nullable().describe('pods that are evicted'),
    atLeast: z.number().int().nullable().describe('no plan evicts fewer'),
    idleHours: z.number().nullable().describe('GPU-hours that sit idle unless short work is started in the meantime'),
    idleUsd: z.number().nullable().describe('what these GPU-hours cost, in dollars; null: a model has no price'),
    tolerations: z
      .array(
        z.object({ key: z.string(), operator: z.enum(['Equal', 'Exists']), value: z.string(), effect: z.string() }),
      )
      .describe('the toleration that lets a pod onto these nodes while they are closed'),
    notes: z.array(z.string()),
    leftOut: z.array(ProblemSchema).describe('nodes that were left out, with the reason'),
  }),
})

/** The same question, and what it plans is put up for approval: Septet keeps the appointment once somebody approves it. */
export const appointmentsPropose = operation(ROUTES.appointmentsPropose, {
  title: 'Propose GPUs for a set time',
  description:
    'Plans the appointment on the latest snapshot and submits exactly that plan for approval as an action. Once approved, Septet closes the nodes, evicts pods, checks that the GPUs are free, and reopens the nodes, each at its time. Refused if not all GPUs are available; the refusal says how many are.',
  input: z.strictObject(AskSchema),
  output: ActionView,
})
