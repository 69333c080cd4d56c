import { ACTION_CLASSES, EVIDENCE_KINDS, RUN_STATES } from '@septet/domain'
import { z } from 'zod'

import { answered, ClusterInput, InstantText, WindowSchema } from './figure.ts'
import { named } from '../named.ts'
import { operation } from '../operation.ts'
import { ROUTES } from '../routes.ts'
import { SavingSchema } from './recommendations.ts'
import { StepSchema } from './plan-step.ts'

const RunStateSchema = z.enum(RUN_STATES)

/** An order that stops acting. */
const StopSchema = z
  .object({
    everywhere: z.boolean().describe('on all clusters; false: on this one'),
    at: InstantText,
    by: z.string(),
    because: z.string(),
  })
  .meta({ id: 'StopOrder' })

const ActingSchema = z
  .object({
    state: z
      .enum(['observe', 'ready', 'others', 'stopped'])
      .describe('observe: Septet has no credentials to change it; others: another installation of Septet acts on it'),
    because: z.string(),
    stops: z.array(StopSchema),
  })
  .meta({ id: 'Acting' })

export const ActionView = named('Action', {
  id: z.string(),
  class: z.enum(ACTION_CLASSES),
  object: z.string(),
  title: z.string(),
  state: RunStateSchema,
  because: z.string().describe('why it is in this state, one sentence'),
  since: InstantText,
  until: InstantText.nullable().describe('when this state ends by itself: expiry, end of a warning, end of watching'),
  recommendation: z.string(),
  digest: z.string().describe('SHA-256 of the exact plan: an approval names it'),
  proposedAt: InstantText,
  proposedBy: z.string(),
  approvedBy: z.string().nullable(),
  saving: SavingSchema,
  shortfall: z
    .string()
    .nullable()
    .describe('of an appointment: what it lacks of what it keeps, and why, when it was looked at last; null: nothing'),
  displaced: z.array(z.string()).describe('pods that stop'),
  nodes: z.array(z.string()).describe('nodes that change'),
  halfChanged: z
    .boolean()
    .describe('it failed after it had begun, and the cluster may be between its old and its new state'),
  step: z.object({ number: z.number().int(), of: z.number().int() }).nullable().describe('the step that is being done'),
  may: z
    .object({ approve: z.boolean(), reject: z.boolean(), undo: z.boolean() })
    .describe('what can be done with it in this state'),
})
export type ActionView = z.output<typeof ActionView>

const ActionInput = { ...ClusterInput, id: z.string().min(1).max(200).describe('id of the action') }
const Reason = z.string().trim().min(3).max(300)

/** What a sentence can be checked by: a typed reference, that each face turns into a link of its own. */
const EvidenceSchema = named('JournalEvidence', {
  kind: z.enum(EVIDENCE_KINDS),
  id: z
    .string()
    .describe(
      'of a workload namespace/Kind/name, of a node its name, of a plan its digest, of a step or a write its number, of a policy the class, of a saving the action, of a reading its time in milliseconds',
    ),
  window: WindowSchema.nullable().describe('the time that it speaks of; null: it speaks of none'),
  says: z.string().describe('it in a few words'),
})
const Evidence = z.array(EvidenceSchema).min(1).describe('the nearest first; never empty')

export const actionsList = operation(ROUTES.actionsList, {
  title: 'Actions',
  description:
    'Plans on their way from a proposal to a change that was kept or taken back, newest first, and whether Septet may act on this cluster at all.',
  input: z.strictObject({
    ...ClusterInput,
    state: z.enum(['open', 'all']).default('all').describe('open: those that are not over'),
    limit: z.coerce.number().int().min(1).max(500).default(100),
  }),
  output: named('ActionList', { ...answered, acting: ActingSchema, actions: z.array(ActionView) }),
})

export const actionsGet = operation(ROUTES.actionsGet, {
  title: 'One action',
  description: 'The exact steps with what takes each back, everything that happened, and every write to the cluster.',
  input: z.strictObject(ActionInput),
  output: named('ActionDetail', {
    ...answered,
    action: ActionView,
    steps: z.array(
      StepSchema.extend({ state: z.enum(['to-do', 'doing', 'done', 'taking-back', 'taken-back', 'not-done']) }),
    ),
    transitions: z.array(
      z.object({
        number: z.number().int(),
        at: InstantText,
        state: RunStateSchema,
        by: z.string(),
        because: z.string(),
        step: z.number().int().nullable(),
        evidence: Evidence,
      }),
    ),
    writes: z
      .array(
        z.object({
          number: z.number().int(),
          at: InstantText,
          step: z.number().int(),
          isUndo: z.boolean(),
          what: z.string().describe('verb and object: `patch nodes gpu-h100-08`'),
          says: z.string(),
          outcome: z
            .object({ kind: z.enum(['done', 'refused']), because: z.string() })
            .nullable()
            .describe('null: it was sent, and no answer was written down'),
          evidence: Evidence,
        }),
      )
      .describe('every write that was sent, first to last'),
  }),
})

export const actionsFiles = operation(ROUTES.actionsFiles, {
  title: 'One action as files',
  description:
    'The directory of an action, to be applied by hand: commands, patches, the way back, and under branch/ a kustomize component for whoever keeps the changed objects in git or as a release.',
  input: z.strictObject(ActionInput),
  output: named('ActionFiles', {
    ...answered,
    files: z.array(z.object({ path: z.string().describe('relative, with /'), text: z.string() })),
  }),
})

export const actionsPropose = operation(ROUTES.actionsPropose, {
  title: 'Propose an action',
  description: 'Takes the plan of a recommendation as it is now and puts it up for approval. Nothing is changed yet.',
  input: z.strictObject({ ...ClusterInput, recommendation: z.string().min(1).max(200) }),
  output: ActionView,
})

export const actionsApprove = operation(ROUTES.actionsApprove, {
  title: 'Approve an action',
  description:
    'Allows exactly the plan whose digest is named. It is checked again on a fresh reading, tried as a dry run, then carried out step by step, verified and watched; what fails is taken back.',
  input: z.strictObject({
    ...ActionInput,
    digest: z
      .string()
      .regex(/^[0-9a-f]{64}$/u)
      .describe('of the plan that is meant, as the action has it')
      .meta({ examples: ['3fa912cd'.repeat(8)] }),
  }),
  output: ActionView,
})

export const actionsReject = operation(ROUTES.actionsReject, {
  title: 'Reject or cancel an action',
  description: 'Ends one that has changed nothing yet.',
  input: z.strictObject({ ...ActionInput, reason: Reason }),
  output: ActionView,
})

export const actionsUndo = operation(ROUTES.actionsUndo, {
  title: 'Take an action back',
  description: 'Carries out the way back of one that has begun: the last step first, within disruption budgets.',
  input: z.strictObject({ ...ActionInput, reason: Reason }),
  output: ActionView,
})

const StoppedAnswer = named('ActingStopped', { stops: z.array(StopSchema) })

export const actingStop = operation(ROUTES.actingStop, {
  title: 'Stop acting',
  description:
    'The kill switch: from now on nothing is written to this cluster, or to any, until it is lifted. Runs stay where they are.',
  input: z.strictObject({ ...ClusterInput, everywhere: z.boolean().default(false), reason: Reason }),
  output: StoppedAnswer,
})

export const actingResume = operation(ROUTES.actingResume, {
  title: 'Lift a stop',
  description: 'Lets Septet go on with what was approved, where that has not expired meanwhile.',
  input: z.strictObject({ ...ClusterInput, everywhere: z.stringbool().default(false) }),
  output: StoppedAnswer,
})
