import { Refusal, type ActionView, type appointmentsPropose, type InputOf } from '@septet/contract'
import {
  DAY_MS,
  instant,
  ratio,
  seconds,
  timeText,
  type ActionRun,
  type RunAdvice,
  type Appointment,
  type Caller,
  type Instant,
} from '@septet/domain'
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
  const run = newRun(adviceOf(appointment), {
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

/** What a person asked for, in the form of a recommendation: it saves nothing, and costs what stands idle behind the fence. */
function adviceOf({ plan, ask, nodes, moves, idle }: Appointment): RunAdvice {
  const { cluster, madeFrom, steps, title } = plan
  const wanted = gpusText(ask.gpus, ask.profile)
  const costs = `${idle.toFixed(1)} GPU-hours sit idle on the reserved nodes if no short work runs there`
  return {
    id: `appointment-${plan.id}`,
    cluster,
    kind: 'appointment',
    object: `appointment/${minute(ask.at)}`,
    title,
    message: `${wanted} on ${plural(nodes.length, 'node')} are kept free, which ${moves === 0 ? 'stops no pods' : `stops ${plural(moves, 'pod')}`}; ${costs}.`,
    rule: { name: 'appointment', version: 1 },
    madeAt: madeFrom,
    evidence: {
      query: '',
      window: { from: madeFrom, to: madeFrom },
      samples: 0,
      coverage: ratio(1),
      figures: {},
    },
    saving: {
      kind: 'none',
      brings: `${wanted} at ${timeText(ask.at)}`,
      because: `It costs something instead: ${costs}.`,
    },
    risk: {
      level: moves === 0 ? 'low' : 'medium',
      displaced: steps.flatMap(({ displaced }) => displaced),
      duration: durationOf(plan),
      overrun: undefined,
      confidence: ratio(1),
    },
    plan,
    rank: 0,
  }
}

function durationOf({ steps }: Appointment['plan']): RunAdvice['risk']['duration'] {
  const [first, last] = [steps[0]?.notBefore, steps.at(-1)?.notBefore]
  const length = first === undefined || last === undefined ? 0 : (last - first) / 1000
  return { low: seconds(length), high: seconds(length), source: 'from the closing of the nodes to their opening' }
}

const minute = (at: Instant): string => `${new Date(at).toISOString().slice(0, 16)}Z`
