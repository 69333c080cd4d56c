import { z } from 'zod'

import { InstantText } from './figure.ts'
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

/** The GPUs, and when. */
export const AppointmentFields = {
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
}

/** What a plan for a set time sets aside, or how many GPUs can be had. */
export const AppointmentView = z.object({
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
    .array(z.object({ key: z.string(), operator: z.enum(['Equal', 'Exists']), value: z.string(), effect: z.string() }))
    .describe('the toleration that lets a pod onto these nodes while they are closed'),
})
