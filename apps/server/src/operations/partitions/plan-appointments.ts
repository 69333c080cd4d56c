import type { appointmentsPlan, InputOf, OutputOf } from '@septet/contract'
import { appointmentFiles } from '@septet/plan-files'
import {
  instant,
  seconds,
  SECONDS_PER_HOUR,
  tolerationsFor,
  type Appointment,
  type AppointmentAsk,
} from '@septet/domain'

import type { ClusterFacts, ClusterPicture } from '../../facts.ts'
import { answeredFrom } from '../answering/source.ts'
import { isoOf } from '../answering/view.ts'
import { filedView, NO_PLAN, notRead, planView } from './plan-drafts.ts'

type Input = InputOf<typeof appointmentsPlan>
type Planned = OutputOf<typeof appointmentsPlan>

/** The plan that would keep GPUs free for a later moment, or how many can be had; nothing is carried out or kept. */
export async function planLiveAppointment(facts: ClusterFacts, input: Input): Promise<Planned> {
  const picture = facts.picture()
  const wanted = { kind: 'appointment' as const, ask: askOf(input) }
  const question = { wanted, title: '', mayWait: true, maxDisplaced: input.maxDisplaced }
  const draft = picture === undefined ? undefined : await facts.draft(question)
  if (picture === undefined || draft?.appointment === undefined) throw notRead(facts)
  const { appointment } = draft
  const head = { ...answeredFrom(facts, undefined), leftOut: appointment.leftOut.map((problem) => ({ ...problem })) }
  if (appointment.kind === 'found') return { ...head, ...foundView(appointment, picture) }
  const { because, possible, from } = appointment
  return {
    ...head,
    ...NO_PLAN,
    kind: 'none',
    title: '',
    because,
    possible,
    from: from === undefined ? null : isoOf(from),
    nodes: [],
    evictions: null,
    atLeast: null,
    provenBy: null,
    prices: null,
    idleHours: null,
    tolerations: [],
    notes: [],
  }
}

const askOf = ({ gpus, perNode, model, pool, except, at, hours, longestHours }: Input): AppointmentAsk => ({
  gpus,
  perNode,
  except,
  at: instant(Date.parse(at)),
  length: seconds(Math.round(hours * SECONDS_PER_HOUR)),
  ...(model !== undefined && { model }),
  ...(pool !== undefined && { pool }),
  ...(longestHours !== undefined && { longest: seconds(Math.round(longestHours * SECONDS_PER_HOUR)) }),
})

type Found = Omit<Planned, 'source' | 'asOf' | 'window' | 'leftOut'>

function foundView(appointment: Appointment, snapshot: ClusterPicture): Found {
  const { ask, plan, nodes, endsAt, prices } = appointment
  return {
    ...planView(plan, snapshot),
    ...filedView(appointmentFiles({ appointment, snapshot })),
    kind: 'plan',
    possible: ask.gpus,
    from: null,
    nodes: nodes.map(({ node, gpus, closesAt, evictsAt, evicted, ending, idleNow }) => ({
      node,
      gpus,
      closesAt: isoOf(closesAt),
      evictsAt: evictsAt === undefined ? null : isoOf(evictsAt),
      opensAt: isoOf(endsAt),
      evicted: [...evicted],
      ending: ending.map(({ pod, by }) => ({ pod, by: isoOf(by) })),
      idleNow,
    })),
    evictions: appointment.moves,
    atLeast: appointment.bound,
    provenBy: appointment.boundBy,
    prices: { place: prices.place, budgets: { ...prices.budgets } },
    idleHours: appointment.idle,
    tolerations: tolerationsFor(nodes).map((toleration) => ({ ...toleration })),
    notes: [...appointment.notes],
  }
}
