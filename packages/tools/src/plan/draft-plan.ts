import { z } from 'zod'

import { ABOUT, aboutOf, BARS, CLUSTER, MOST_GPUS } from '../answer-parts.ts'
import { tool } from '../tool.ts'

const MOST_STEPS = 40

const ROOM = z.strictObject({
  profile: z.string().min(1).max(60).describe('as NVML prints it: 3g.40gb'),
  model: z.string().max(200).optional(),
  node: z.string().max(253).optional(),
  mayWait: z.boolean().default(false).describe('whether a pod may be displaced although no room is kept for it'),
})

const roomInput = ({ mayWait, ...room }: z.output<typeof ROOM>) => ({ room, mayWait })

export const draftPlanTool = tool({
  name: 'draft_plan',
  title: 'Draft a plan',
  description:
    'What it would take to make room for one more instance of a MIG profile, or to have so many whole GPUs free at an instant: the steps in a safe order, who is displaced, how long each step takes, what a guardrail refuses and the rollback. Nothing is changed or kept.',
  toolset: 'plan',
  operations: ['plansDraft', 'appointmentsPlan'],
  input: z
    .strictObject({
      ...CLUSTER,
      room: ROOM.optional(),
      appointment: z
        .strictObject({
          gpus: z.number().int().min(1).max(100_000).describe('whole GPUs'),
          perNode: z.number().int().min(1).max(64).default(1).describe('GPUs of one node that belong together'),
          model: z.string().max(200).optional(),
          at: z.iso.datetime().describe('when they must be free'),
          hours: z.number().positive().max(8784).describe('for how long'),
          maxDisplaced: z.number().int().min(0).max(1000).default(10),
        })
        .optional(),
    })
    .refine(({ room, appointment }) => (room === undefined) !== (appointment === undefined), {
      message: 'name either room or appointment',
    }),
  output: z.object({
    ...ABOUT,
    kind: z.string(),
    title: z.string(),
    because: z.string().nullable().describe('why there are no steps'),
    steps: z.array(z.string()),
    displaced: z.array(z.string()),
    seconds: z.object({ low: z.number(), high: z.number(), source: z.string() }).nullable(),
    bound: z.string().nullable().describe('how good it is at most'),
    refused: z.array(z.string()).describe('what a guardrail refuses'),
    wayBack: z.array(z.string()),
    lost: z.array(z.string()).describe('what cannot be undone'),
    gpus: BARS,
    possibleGpus: z.number().nullable().describe('of an appointment: GPUs available then'),
  }),
  answer: async ({ cluster, room, appointment }, ask) => {
    const plan =
      appointment === undefined
        ? { ...(await ask('plansDraft', { cluster, ...(room && roomInput(room)) })), possible: null }
        : await ask('appointmentsPlan', { cluster, ...appointment })
    return {
      ...aboutOf(plan, appointment === undefined ? '/partitions' : '/actions/what-if'),
      kind: plan.kind,
      title: plan.title,
      because: plan.because,
      steps: plan.steps.slice(0, MOST_STEPS).map(({ number, title, effect }) => `${number}. ${title}: ${effect}`),
      displaced: plan.displaced.slice(0, MOST_STEPS),
      seconds: plan.seconds,
      bound: plan.bound,
      refused: plan.refused.map(({ message }) => message),
      wayBack: plan.wayBack.steps.slice(0, MOST_STEPS),
      lost: plan.wayBack.lost,
      // An appointment changes no layout.
      gpus: 'gpus' in plan ? plan.gpus.slice(0, MOST_GPUS) : [],
      possibleGpus: plan.possible,
    }
  },
})
