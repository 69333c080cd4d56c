import { plansMake } from '@septet/contract'
import { z } from 'zod'

import { ABOUT, aboutOf, BARS, CLUSTER, MOST_GPUS } from '../answer-parts.ts'
import { parsedBy } from '../parsed-by.ts'
import { tool } from '../tool.ts'

const MOST_STEPS = 40
/** Seconds that one question waits; a plan that takes longer is asked for again. */
const WAITS = 60

const { goal: GOAL } = plansMake.input.shape

/** What each goal takes is checked by the operation: a list of tools is in a context all the time. */
const GOAL_FIELDS = {
  node: z.string().optional(),
  pool: z.string().optional(),
  profile: z.string().optional().describe('3g.40gb'),
  model: z.string().optional(),
  targets: z
    .array(z.looseObject({}))
    .optional()
    .describe('of layout: {gpu: id, mig: boolean, instances: [{profile, start}]}'),
  gpus: z.number().int().optional().describe('of appointment: how many, or instances of profile'),
  perNode: z.number().int().optional().describe('how many belong on one node'),
  namespace: z.string().optional(),
  at: z.string().optional().describe('RFC 3339'),
  hours: z.number().optional(),
  longestHours: z.number().optional().describe('no work runs longer'),
}
const KINDS = GOAL.options.map(({ shape }) => shape.kind.value)

export const draftPlanTool = tool({
  name: 'draft_plan',
  title: 'Draft a plan',
  description:
    'What it would take to start waiting work (fit), use fewer GPUs (cost), empty a node (free-node), make room for one more MIG instance (room-for), give GPUs other layouts (layout), or have GPUs free at a time (appointment): steps in a safe order, who is displaced, what a guardrail refuses, the rollback. Changes nothing.',
  toolset: 'plan',
  operations: ['plansMake', 'plansGet'],
  input: z.strictObject({
    ...CLUSTER,
    goal: z.enum(KINDS),
    ...GOAL_FIELDS,
    maxDisplaced: z.number().int().min(0).max(1000).default(10),
    mayWait: z.boolean().default(false).describe('displaced pods may wait without room kept for them'),
  }),
  output: z.object({
    ...ABOUT,
    kind: z.string(),
    digest: z.string().nullable().describe('equal for equal plans'),
    title: z.string(),
    because: z.string().nullable().describe('why there are no steps'),
    steps: z.array(z.string()),
    displaced: z.array(z.string()),
    seconds: z.object({ low: z.number(), high: z.number(), source: z.string() }).nullable(),
    bound: z.string().nullable().describe('how good it is at most'),
    proof: z.string().nullable().describe('best: proven; open: a better one may exist'),
    refused: z.array(z.string()).describe('what a guardrail refuses'),
    wayBack: z.array(z.string()),
    lost: z.array(z.string()).describe('what cannot be undone'),
    gpus: BARS,
    possibleGpus: z.number().nullable().describe('of an appointment: GPUs available then'),
  }),
  answer: async ({ cluster, goal: kind, maxDisplaced, mayWait, ...fields }, ask) => {
    const goal = parsedBy('draft_plan', GOAL, { kind, ...fields })
    let state = await ask('plansMake', { cluster, goal, maxDisplaced, mayWait, wait: WAITS })
    while (state.result === null && state.problem === null) state = await ask('plansGet', { id: state.id, wait: WAITS })
    const plan = state.result
    if (plan === null) throw new Error(state.problem ?? 'The plan was cancelled.')
    return {
      ...aboutOf(plan, plan.goal === 'appointment' ? '/actions/what-if' : '/partitions'),
      kind: plan.kind,
      digest: plan.digest,
      title: plan.title,
      because: plan.because,
      steps: plan.steps.slice(0, MOST_STEPS).map(({ number, title, effect }) => `${number}. ${title}: ${effect}`),
      displaced: plan.displaced.slice(0, MOST_STEPS),
      seconds: plan.seconds,
      bound: plan.bound,
      proof: plan.proof,
      refused: plan.refused.map(({ message }) => message),
      wayBack: plan.wayBack.steps.slice(0, MOST_STEPS),
      lost: plan.wayBack.lost,
      gpus: plan.gpus.slice(0, MOST_GPUS),
      possibleGpus: plan.appointment?.possible ?? null,
    }
  },
})
