import { Refusal, type ActionView, type appointmentsPropose, type InputOf } from '@septet/contract'
import { DAY_MS, instant, timeText, type ActionRun, type Appointment, type Caller, type Instant } from '@septet/domain'
import { gpusText, plural } from '@septet/domain/words'

import { newRun } from '../../new-run.ts'
import { oneAfterTheOther } from '../../one-after-the-other.ts'
import type { ClusterFacts } from '../../facts.ts'
import { appointmentNow } from '../plans/live-plan.ts'
import { decidedBy, type ActionNeeds } from './actions.ts'
import { actionView, refuseFailing } from './action-view.ts'

type Asked = InputOf<typeof appointmentsPropose> & { readonly caller: Caller }
type Needs = Pick<ActionNeeds, 'actions' | 'now'>

/** Of two that are asked for at once the second is planned once the first is kept, so that it leaves out the nodes of that one. */
const inTurn = oneAfterTheOther()

/** Plans the appointment on the newest reading and puts exactly that up for approval. */
export const proposeAppointment = (facts: ClusterFacts, needs: Needs, asked: Asked): Promise<ActionView> =>
  inTurn(() => proposed(facts, needs, asked))

async function proposed(
  facts: ClusterFacts,
  { actions, now }: Needs,
  { caller, ...input }: Asked,
): Promise<ActionView> {
  const same = await askedBefore(facts, actions, { ...input, by: caller.id })
  if (same !== undefined) return actionView(same)
  const { appointment } = (await appointmentNow(facts, { actions }, input)).found
  if (appointment.kind === 'none') {
    throw new Refusal(
      'invalid-input',
      `Nothing was proposed. ${appointment.because}`,
      appointment.cutFirst.length === 0
        ? 'Ask for fewer GPUs or a later time, or allow more evictions.'
        : 'Approve the Repartition it names, wait until it is kept, and try again.',
    )
  }
  const begins = instant(now())
  const run = newRun(wishOf(appointment), {
    by: decidedBy(caller),
    proposer: caller.kind === 'token' ? 'token' : 'person',
    now: begins,
    // Once the instant has come there is nothing to decide on any more.
    holdsMs: Math.min(DAY_MS, Math.max(0, appointment.ask.at - begins)),
  })
  await refuseFailing(facts, run, 'proposed')
  await actions.propose(run)
  return actionView(run)
}

/** Who presses twice means one appointment; the nodes of the first would be spoken for. */
async function askedBefore(
  facts: ClusterFacts,
  actions: ActionNeeds['actions'],
  { by, gpus, profile, at, hours, namespace }: InputOf<typeof appointmentsPropose> & { readonly by: string },
): Promise<ActionRun | undefined> {
  const runs = await actions.list({ cluster: facts.record.id, states: ['proposed'], limit: 1000 })
  const wanted = { from: Date.parse(at), until: Date.parse(at) + Math.round(hours * 3600) * 1000 }
  return runs.find(({ transitions: [proposal], plan }) =>
    plan.steps.some(
      ({ action }) =>
        action.kind === 'keep-free' &&
        proposal.caller === by &&
        action.at === wanted.from &&
        action.until === wanted.until &&
        action.namespace === namespace &&
        action.profile === profile &&
        action.nodes.reduce((sum, node) => sum + node.gpus, 0) === gpus,
    ),
  )
}

/** What a person asked for, and what it costs: GPUs stand idle behind the fence. */
function wishOf({ plan, ask, endsAt, nodes, moves, idle }: Appointment) {
  const { gpus, profile, perNode, model, pool, namespace } = ask
  const wanted = gpusText(gpus, profile)
  const costs = `${idle.toFixed(1)} GPU-hours sit idle on the reserved nodes if no short work runs there`
  const where = [
    ...(model === undefined ? [] : [`model ${model}`]),
    ...(pool === undefined ? [] : [`pool ${pool}`]),
    ...(perNode === 1 ? [] : [`${perNode} per node`]),
    ...(namespace === undefined ? [] : [`for ${namespace}`]),
  ]
  return {
    class: 'appointment',
    object: `appointment/${minute(ask.at)}`,
    title: plan.title,
    plan,
    message: `${wanted} on ${plural(nodes.length, 'node')} are kept free, which ${moves === 0 ? 'stops no pods' : `stops ${plural(moves, 'pod')}`}; ${costs}.`,
    cause: {
      kind: 'wish',
      wants: [wanted, ...where, `from ${timeText(ask.at)} to ${timeText(endsAt)}`].join(', '),
      costs: `${costs}.`,
    },
  } as const
}

const minute = (at: Instant): string => `${new Date(at).toISOString().slice(0, 16)}Z`
