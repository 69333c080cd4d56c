import { z } from 'zod'

import { answered, ClusterInput, InstantText, ProblemSchema } from './figure.ts'
import { named } from '../named.ts'
import { operation } from '../operation.ts'
import { ROUTES } from '../routes.ts'
import { ActionView } from './actions.ts'
import { PlanFields } from './plan-drafts.ts'

/** A year is as far ahead as anything is known of a cluster. */
const HOURS = z.number().positive().max(8784)

const NodeSchema = z.object({
  node: z.string(),
  gpus: z.number().int().describe('GPUs, or instances, of it that are kept'),
  closesAt: InstantText.describe('from then on nothing new starts there but who is let in'),
  evictsAt: InstantText.nullable().describe('null: nobody is evicted there'),
  opensAt: InstantText,
  evicted: z.array(z.string()),
  ending: z
    .array(z.object({ pod: z.string(), by: InstantText }))
    .describe('pods that are surely gone before, by a limit of their own'),
  idleHours: z.number().describe('GPU-hours that stand idle there if nothing short is started meanwhile'),
  idleNow: z.number().int().describe('GPUs, or instances, that nobody holds now'),
})

const AskSchema = {
  ...ClusterInput,
  gpus: z.number().int().min(1).max(100_000).describe('whole GPUs, or instances where a profile is named'),
  profile: z
    .string()
    .regex(/^[1-9]g\.[0-9]{1,3}gb([+-][a-z.]{1,10})?$/u)
    .optional()
    .describe('instances of this MIG profile, as GPUs are cut then: `1g.20gb`; left out: whole GPUs'),
  perNode: z
    .number()
    .int()
    .min(1)
    .max(64)
    .default(1)
    .describe('those of one node that belong together: 8 for whole nodes of eight'),
  model: z.string().min(1).max(200).optional().describe('a model, or the part of its name that tells which'),
  pool: z.string().max(253).optional(),
  namespace: z
    .string()
    .regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/u)
    .optional()
    .describe('whose work they are for'),
  except: z
    .array(z.string().max(253))
    .max(10_000)
    .default([])
    .describe('nodes that are not to be counted on; those of appointments that are proposed or approved never are'),
  at: InstantText.meta({ examples: ['2026-11-30T09:00:00Z'] }).describe('when they must be free'),
  hours: HOURS.describe('for how long'),
  longestHours: HOURS.optional().describe('no work runs longer than that, and somebody sees to it'),
  maxDisplaced: z.number().int().min(0).max(1000).default(10).describe('the most pods that may be evicted'),
}

/** Only asks: nothing is set aside, and nothing is kept of it. */
export const appointmentsPlan = operation(ROUTES.appointmentsPlan, {
  title: 'Plan GPUs for an instant',
  description:
    'Which nodes to set aside so that so many GPUs are free at an instant and stay so for a while, with the fewest evictions and then the fewest idle GPU-hours: when to close each node, what may still start there, whom to evict when, and when to open it again; the bound, and files to apply by hand. Where they cannot be had: how many can, and from when on all can. Nothing is changed or kept.',
  input: z.strictObject(AskSchema),
  output: named('AppointmentPlan', {
    ...answered,
    ...PlanFields,
    kind: z.enum(['plan', 'none']).describe('none: so many cannot be had then'),
    possible: z.number().int().describe('GPUs, or instances, that can be had at that instant'),
    cutFirst: z
      .array(
        z.object({
          node: z.string(),
          gpus: z.array(z.number().int()).describe('places of GPUs that nobody holds'),
          each: z.number().int().describe('instances that each becomes'),
          gives: z.number().int().describe('more than there are now'),
          recommendation: z
            .object({ id: z.string(), title: z.string() })
            .nullable()
            .describe('the Repartition of this node that is recommended now and makes more of them'),
        }),
      )
      .describe('where not enough instances are there: what has to be cut anew first'),
    from: InstantText.nullable().describe(
      'where not all can be had: from when on they can; null: at no time that is known',
    ),
    nodes: z.array(NodeSchema),
    evictions: z.number().int().nullable().describe('pods that are evicted'),
    atLeast: z.number().int().nullable().describe('no plan evicts fewer'),
    provenBy: z.enum(['prices', 'search']).nullable().describe('prices: can be checked from the prices alone'),
    prices: z
      .object({ place: z.number().int(), budgets: z.record(z.string(), z.number().int()) })
      .nullable()
      .describe('in 1/2520 evictions: for one place, and for one eviction that a disruption budget allows'),
    idleHours: z.number().nullable().describe('GPU-hours that stand idle if nothing short is started meanwhile'),
    idleUsd: z.number().nullable().describe('what these GPU-hours cost, dollars; null: a model has no price'),
    tolerations: z
      .array(
        z.object({ key: z.string(), operator: z.enum(['Equal', 'Exists']), value: z.string(), effect: z.string() }),
      )
      .describe('what lets a pod onto these nodes while they are closed'),
    notes: z.array(z.string()),
    leftOut: z.array(ProblemSchema).describe('nodes that were not counted on, with the reason'),
  }),
})

/** The same question, and what it plans is put up for approval: Septet keeps the appointment once somebody approves it. */
export const appointmentsPropose = operation(ROUTES.appointmentsPropose, {
  title: 'Propose GPUs for an instant',
  description:
    'Plans the appointment on the newest reading and puts exactly that up for approval, as an action: once approved, Septet closes the nodes, evicts, sees that the GPUs are free, and opens the nodes again, each at its time. Refused with how many can be had where not all can.',
  input: z.strictObject(AskSchema),
  output: ActionView,
})
