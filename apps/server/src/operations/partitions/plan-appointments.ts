import type { appointmentsPlan, InputOf, OutputOf } from '@septet/contract'
import { appointmentFiles } from '@septet/plan-files'
import {
  geometryOf,
  instant,
  OPEN_STATES,
  pricesOf,
  seconds,
  SECONDS_PER_HOUR,
  spokenFor,
  tolerationsFor,
  type ActionStore,
  type Appointment,
  type AppointmentAnswer,
  type AppointmentAsk,
  type Recommendation,
  type RecommendationStore,
} from '@septet/domain'

import type { ClusterFacts, ClusterPicture } from '../../facts.ts'
import { answeredFrom } from '../answering/source.ts'
import { isoOf } from '../answering/view.ts'
import { filedView, NO_PLAN, notRead, planView, pricesNow, type PlanNeeds } from './live-plan.ts'

type Input = InputOf<typeof appointmentsPlan>
type AppointmentNeeds = PlanNeeds & {
  readonly actions: Pick<ActionStore, 'list'>
  readonly recommendations: Pick<RecommendationStore, 'current'>
}
type Planned = OutputOf<typeof appointmentsPlan>

/** The plan that would keep GPUs free for a later moment, or how many can be had; nothing is carried out or kept. */
export async function planLiveAppointment(
  facts: ClusterFacts,
  { actions, prices, recommendations, signal }: AppointmentNeeds,
  input: Input,
): Promise<Planned> {
  const { appointment, picture } = await appointmentNow(facts, { actions, signal }, input)
  const head = { ...answeredFrom(facts, undefined), leftOut: appointment.leftOut.map((problem) => ({ ...problem })) }
  if (appointment.kind === 'found') {
    const book = await pricesNow(prices)
    const priceOf = pricesOf(book, { cluster: facts.record.id, nodes: picture.nodes, at: appointment.plan.madeFrom })
    return { ...head, ...foundView(appointment, picture), idleUsd: idleCost(appointment, picture, priceOf) }
  }
  const { possible, from, cutFirst, ask } = appointment
  const advised = cutFirst.length === 0 ? undefined : await recommendations.current(facts.record.id)
  const cuts = cutFirst.map((cut) => ({
    ...cut,
    gpus: [...cut.gpus],
    recommendation: recommendedCut(cut.node, ask.profile, advised?.recommendations ?? []),
  }))
  return {
    ...head,
    ...NO_PLAN,
    kind: 'none',
    title: '',
    because: `${appointment.because}${advisedWords(cuts)}`,
    possible,
    cutFirst: cuts,
    from: from === undefined ? null : isoOf(from),
    nodes: [],
    evictions: null,
    atLeast: null,
    idleHours: null,
    idleUsd: null,
    tolerations: [],
    notes: [],
  }
}

type Cut = Planned['cutFirst'][number]

/** The Repartition of a node that is recommended now and makes more instances of a profile. */
function recommendedCut(
  node: string,
  profile: string | undefined,
  recommendations: readonly Recommendation[],
): Cut['recommendation'] {
  const found = recommendations.find(({ plan: { steps } }) =>
    steps.some(
      ({ action }) =>
        action.kind === 'repartition' &&
        action.node === node &&
        profile !== undefined &&
        action.gpus.some(({ from, to }) => (to.geometry[profile] ?? 0) > (geometryOf(from.layout)[profile] ?? 0)),
    ),
  )
  return found === undefined ? null : { id: found.id, title: found.title }
}

function advisedWords(cuts: readonly Cut[]): string {
  if (cuts.length === 0) return ''
  const named = cuts.flatMap(({ recommendation }) => (recommendation === null ? [] : `“${recommendation.title}”`))
  return named.length === 0
    ? ' Septet recommends none of these now: repartition them with the files from Partitions → Plan a layout.'
    : ` Propose and approve ${named.join(', ')} under Actions.`
}

/** What it takes by the newest reading, without the nodes that other appointments have spoken for. */
export async function appointmentNow(
  facts: ClusterFacts,
  { actions, signal }: Pick<AppointmentNeeds, 'actions' | 'signal'>,
  input: Input,
): Promise<{ readonly appointment: AppointmentAnswer; readonly picture: ClusterPicture }> {
  const picture = facts.picture()
  if (picture === undefined) throw notRead(facts)
  const open = await actions.list({ cluster: facts.record.id, states: OPEN_STATES, limit: 1000 })
  const ask = askOf({ ...input, except: [...new Set([...input.except, ...spokenFor(open)])] })
  const { maxDisplaced } = input
  const goal = { kind: 'appointment', ask } as const
  // No price has a part in it.
  const made = await facts.plan({ goal, prices: [], mayWait: true, maxDisplaced }, signal)
  if (made?.appointment === undefined) throw notRead(facts)
  return { appointment: made.appointment, picture }
}

const askOf = ({
  gpus,
  profile,
  perNode,
  model,
  pool,
  namespace,
  except,
  at,
  hours,
  longestHours,
}: Input): AppointmentAsk => ({
  gpus,
  perNode,
  except,
  at: instant(Date.parse(at)),
  length: seconds(Math.round(hours * SECONDS_PER_HOUR)),
  ...(profile !== undefined && { profile }),
  ...(model !== undefined && { model }),
  ...(pool !== undefined && { pool }),
  ...(namespace !== undefined && { namespace }),
  ...(longestHours !== undefined && { longest: seconds(Math.round(longestHours * SECONDS_PER_HOUR)) }),
})

/** Dollars for what stands idle behind the fence; null where one of its nodes has no price. */
function idleCost(
  { nodes }: Appointment,
  picture: ClusterPicture,
  priceOf: ReturnType<typeof pricesOf>,
): number | null {
  let sum = 0
  for (const { node: name, idle } of nodes) {
    const node = picture.nodes.find((each) => each.name === name)
    const price = node && priceOf({ pool: node.pool, model: node.model ?? node.product, node: name })
    if (price?.kind !== 'known') return null
    sum += price.price * idle
  }
  return sum
}

type Found = Omit<Planned, 'source' | 'asOf' | 'window' | 'leftOut' | 'idleUsd'>

function foundView(appointment: Appointment, snapshot: ClusterPicture): Found {
  const { ask, plan, nodes, endsAt } = appointment
  return {
    ...planView(plan, snapshot),
    ...filedView(appointmentFiles({ appointment, snapshot })),
    kind: 'plan',
    possible: ask.gpus,
    cutFirst: [],
    from: null,
    nodes: nodes.map(({ node, gpus, closesAt, evictsAt, evicted, ending, idle, idleNow }) => ({
      node,
      gpus,
      closesAt: isoOf(closesAt),
      evictsAt: evictsAt === undefined ? null : isoOf(evictsAt),
      opensAt: isoOf(endsAt),
      evicted: [...evicted],
      ending: ending.map(({ pod, by }) => ({ pod, by: isoOf(by) })),
      idleHours: idle,
      idleNow,
    })),
    evictions: appointment.moves,
    atLeast: appointment.bound,
    idleHours: appointment.idle,
    tolerations: tolerationsFor(nodes).map((toleration) => ({ ...toleration })),
    notes: [...appointment.notes],
  }
}
