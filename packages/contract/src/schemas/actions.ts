import { EVIDENCE_KINDS, RUN_STATES } from '@septet/domain'
import { ACTION_CLASSES } from '@septet/domain/action-classes'
import { z } from 'zod'

import { answered, ClusterInput, InstantText, WindowSchema, told } from './figure.ts'
import { AppointmentFields } from './appointments.ts'
import { named } from '../named.ts'
import { operation } from '../operation.ts'
import { ROUTES } from '../routes.ts'
import { OutlookSchema, SavingSchema } from './recommendations.ts'
import { StepSchema } from './plan-step.ts'

const RunStateSchema = z.enum(RUN_STATES)

/** An order that stops acting. */
const StopSchema = z
  .object({
    everywhere: z.boolean().describe('true: on every cluster; false: on this one'),
    at: InstantText,
    by: z.string(),
    because: z.string(),
  })
  .meta({ id: 'StopOrder' })

const ActingSchema = z
  .object({
    state: z
      .enum(['observe', 'ready', 'others', 'stopped'])
      .describe(
        'observe: Septet has no credentials to change the cluster; others: another Septet installation acts on it',
      ),
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
  because: z.string().describe('why it is in this state, in one sentence'),
  since: InstantText,
  until: InstantText.nullable().describe('when this state ends by itself: approval, warning or watch'),
  digest: z.string().describe('SHA-256 of the exact plan; an approval names it'),
  proposedAt: InstantText,
  proposedBy: z.string(),
  approvedBy: z.string().nullable(),
  cause: z
    .discriminatedUnion('kind', [
      z.object({ kind: z.literal('advice'), recommendation: z.string().describe('its ID'), saving: SavingSchema }),
      z.object({
        kind: z.literal('wish'),
        wants: z.string().describe('what was asked for, by whom `proposedBy` says'),
        costs: z.string().describe('what it costs others, in one sentence'),
      }),
    ])
    .describe('advice: a rule recommends it; wish: a person asked for it, and there is no estimate'),
  shortfall: z.string().nullable().describe('for an appointment: what it lacked at the last check; null: nothing'),
  displaced: z.array(z.string()).describe('pods that are stopped'),
  nodes: z.array(z.string()).describe('nodes that change'),
  halfChanged: z.boolean().describe('it failed partway: the cluster may be between its old and new state'),
  step: z.object({ number: z.number().int(), of: z.number().int() }).nullable().describe('the step in progress'),
  may: z
    .object({ approve: z.boolean(), reject: z.boolean(), undo: z.boolean() })
    .describe('what can be done with it in this state'),
})
export type ActionView = z.output<typeof ActionView>

const ActionInput = { ...ClusterInput, id: z.string().min(1).max(200).describe('action ID') }
const Reason = z.string().trim().min(3).max(300)

/** What a sentence can be checked by: a typed reference, that each face turns into a link of its own. */
const EvidenceSchema = named('JournalEvidence', {
  kind: z.enum(EVIDENCE_KINDS),
  id: z
    .string()
    .describe(
      'workload: namespace/Kind/name; node: its name; plan: its digest; step or write: its number; policy: the class; saving: the action; reading: its time in milliseconds',
    ),
  window: WindowSchema.nullable().describe('the time range it covers; null: none'),
  says: z.string().describe('a few words to show'),
})
const Evidence = z.array(EvidenceSchema).min(1).describe('closest match first; never empty')

export const actionsList = operation(ROUTES.actionsList, {
  title: 'Actions',
  description:
    'Plans from proposal to a change that was kept or reverted, newest first, and whether Septet may act on this cluster at all.',
  input: z.strictObject({
    ...ClusterInput,
    state: z.enum(['open', 'all']).default('all').describe('open: not finished yet'),
    limit: z.coerce.number().int().min(1).max(500).default(100),
  }),
  output: named('ActionList', { ...told, acting: ActingSchema, actions: z.array(ActionView) }),
})

const WriteSchema = z.object({
  number: z.number().int().describe('writes and dry runs of an action are numbered together'),
  at: InstantText,
  step: z.number().int(),
  isUndo: z.boolean(),
  what: z.string().describe('verb and object: `patch nodes gpu-h100-08`'),
  says: z.string(),
  outcome: z
    .object({ kind: z.enum(['done', 'refused']), because: z.string() })
    .nullable()
    .describe('null: it was sent, and no response was recorded'),
  evidence: Evidence,
})

export const actionsGet = operation(ROUTES.actionsGet, {
  title: 'One action',
  description:
    'The exact steps with how each is undone, which pods an undo would stop, everything that happened, and every dry run and write that the cluster was sent.',
  input: z.strictObject(ActionInput),
  output: named('ActionDetail', {
    ...answered,
    action: ActionView,
    outlook: OutlookSchema,
    undo: z.object({
      stops: z
        .array(z.string())
        .nullable()
        .describe('pods that an undo would stop now, by the latest reading; null: unknown, or it cannot be undone'),
      unknown: z.string().nullable().describe('why it is unknown which pods an undo would stop; null: it is known'),
      stopped: z.array(z.string()).describe('pods that the undo has stopped so far'),
    }),
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
    rehearsals: z
      .array(WriteSchema)
      .describe('every dry run that was sent before the first step, in order: they change nothing'),
    writes: z.array(WriteSchema).describe('every write that was sent, in order'),
  }),
})

export const actionsFiles = operation(ROUTES.actionsFiles, {
  title: 'One action as files',
  description:
    'The action as a directory to apply by hand: commands, patches, the rollback, and under branch/ a kustomize component for objects that are managed in git or by a release.',
  input: z.strictObject(ActionInput),
  output: named('ActionFiles', {
    ...answered,
    files: z.array(z.object({ path: z.string().describe('relative path, with /'), text: z.string() })),
  }),
})

export const actionsPropose = operation(ROUTES.actionsPropose, {
  title: 'Propose an action',
  description: 'Takes a recommendation’s current plan and submits it for approval. Nothing changes yet.',
  input: z.strictObject({ ...ClusterInput, recommendation: z.string().min(1).max(200) }),
  output: ActionView,
})

/** Plans what `plans.make` plans, and that is put up for approval: Septet keeps the appointment once somebody approves it. */
export const appointmentsPropose = operation(ROUTES.appointmentsPropose, {
  title: 'Propose GPUs for a set time',
  description:
    'Plans the appointment on the latest snapshot and submits exactly that plan for approval as an action. Once approved, Septet closes the nodes, evicts pods, checks that the GPUs are free, and reopens the nodes, each at its time. Refused if not all GPUs are available; the refusal says how many are.',
  input: z.strictObject({
    ...ClusterInput,
    ...AppointmentFields,
    maxDisplaced: z.number().int().min(0).max(1000).default(10).describe('maximum number of pods that may be evicted'),
  }),
  output: ActionView,
})

export const actionsApprove = operation(ROUTES.actionsApprove, {
  title: 'Approve an action',
  description:
    'Approves exactly the plan with this digest. Septet checks it again on a fresh snapshot, does a server-side dry run, applies it step by step, verifies and watches it, and reverts what fails.',
  input: z.strictObject({
    ...ActionInput,
    digest: z
      .string()
      .regex(/^[0-9a-f]{64}$/u, 'must be all 64 hexadecimal digits of the digest, as the action shows them')
      .describe('digest of the plan, as shown on the action')
      .meta({ examples: ['3fa912cd'.repeat(8)] }),
  }),
  output: ActionView,
})

export const actionsReject = operation(ROUTES.actionsReject, {
  title: 'Reject or cancel an action',
  description: 'Ends an action that has not changed anything yet.',
  input: z.strictObject({ ...ActionInput, reason: Reason }),
  output: ActionView,
})

export const actionsUndo = operation(ROUTES.actionsUndo, {
  title: 'Undo an action',
  description:
    'Reverts an action that has started: last step first, within disruption budgets. It evicts pods that hold what it removes; actions.get names them under undo.stops.',
  input: z.strictObject({ ...ActionInput, reason: Reason }),
  output: ActionView,
})

const StoppedAnswer = named('ActingStopped', { stops: z.array(StopSchema) })

export const actingStop = operation(ROUTES.actingStop, {
  title: 'Stop acting',
  description:
    'The kill switch: nothing is written to this cluster, or to any cluster, until the stop is lifted. Runs stay where they are.',
  input: z.strictObject({ ...ClusterInput, everywhere: z.boolean().default(false), reason: Reason }),
  output: StoppedAnswer,
})

export const actingResume = operation(ROUTES.actingResume, {
  title: 'Lift a stop',
  description: 'Lets Septet continue with what was approved and has not expired.',
  input: z.strictObject({ ...ClusterInput, everywhere: z.enum(['true', 'false']).default('false') }),
  output: StoppedAnswer,
})
