import { WHOLE_GPU_RESOURCE } from '../../gpu/whole-gpu.ts'
import { dateOfDay, dateText } from '../../analyze/civil-date.ts'
import { agree, firstFew, gpusText, grouped, listed, plural } from '../../words.ts'
import type { Instant } from '../../units.ts'
import { CORDON_TAINT, type Toleration } from '../../cluster/scheduling.ts'
import type { PodMove } from '../words/action.ts'
import { resourceOfProfile } from '../../gpu/profile-name.ts'
import type { AppointedNode, AppointmentQuestion } from './appointment.ts'

/** `2026-11-30 09:00 UTC`; with seconds where there are any. */
export function timeText(at: Instant): string {
  const total = Math.floor(at / 1000)
  const [minutes, rest] = [Math.floor(total / 60), total % 60]
  const minute = minutes % 1440
  const clock = [Math.floor(minute / 60), minute % 60, ...(rest === 0 ? [] : [rest])]
  return `${dateText(dateOfDay(Math.floor(minutes / 1440)))} ${clock.map(two).join(':')} UTC`
}

const two = (value: number): string => String(value).padStart(2, '0')

type Noted = {
  readonly question: AppointmentQuestion
  readonly nodes: readonly AppointedNode[]
  readonly moves: readonly PodMove[]
  readonly closesAt: Instant
}

/** What must be known beside the steps. */
export function notesFor({ question, nodes, moves, closesAt }: Noted): readonly string[] {
  const { ask, snapshot } = question
  return [
    `From ${timeText(closesAt)} until ${timeText(ask.at)} only work may start there that is surely gone before: it tolerates ${CORDON_TAINT}, and its activeDeadlineSeconds and grace period end a minute before ${timeText(ask.at)}.`,
    ...(closesAt > snapshot.takenAt ? [] : idleNote(nodes, ask)),
    ...endingNote(nodes),
    ...waitingNote(moves),
    ...modelNote(question, nodes),
    ...budgetNote(question, nodes),
    ...intruderNote(question),
    ...(nodes.some(({ evictsAt }) => evictsAt !== undefined && evictsAt <= snapshot.takenAt)
      ? ['There is little time left: what is evicted may take longer to stop than until the appointment.']
      : []),
    ...(ask.profile === undefined
      ? []
      : ['A cordon closes whole nodes: what else these offer takes no new pods meanwhile either.']),
    'An autoscaler may remove an empty node: exempt these nodes from scale-down until the appointment is over.',
  ]
}

function idleNote(nodes: readonly AppointedNode[], { profile }: AppointmentQuestion['ask']): readonly string[] {
  const idle = nodes.reduce((sum, { idleNow }) => sum + idleNow, 0)
  return idle === 0
    ? []
    : [`${gpusText(idle, profile)} among the reserved GPUs ${agree(idle, 'is', 'are')} free for such work now.`]
}

function endingNote(nodes: readonly AppointedNode[]): readonly string[] {
  const ending = nodes.flatMap((node) => node.ending)
  if (ending.length === 0) return []
  return [
    `${plural(ending.length, 'pod')} there ${agree(ending.length, 'is', 'are')} gone in time by a limit of their own.`,
  ]
}

function waitingNote(moves: readonly PodMove[]): readonly string[] {
  const waiting = [...new Set(moves.flatMap(({ pod, to }) => (to === undefined ? pod : [])))]
  return waiting.length === 0
    ? []
    : [
        `By what is free now there is no room for ${firstFew(waiting, 5)}: once evicted, ${agree(waiting.length, 'it waits', 'they wait')}.`,
      ]
}

function modelNote({ snapshot }: AppointmentQuestion, nodes: readonly AppointedNode[]): readonly string[] {
  const chosen = new Set(nodes.map(({ node }) => node))
  const models = new Set(
    snapshot.nodes.flatMap(({ name, model, product }) => (chosen.has(name) ? (model ?? product) : [])),
  )
  return models.size > 1
    ? [
        `The nodes have ${grouped(models.size)} models of GPU (${listed([...models].toSorted())}): name one if the work needs equal ones.`,
      ]
    : []
}

/** What a budget allows is known for today only. */
function budgetNote({ snapshot }: AppointmentQuestion, nodes: readonly AppointedNode[]): readonly string[] {
  const covered = new Set(snapshot.budgets.flatMap(({ pods }) => pods))
  const evicted = nodes.flatMap((node) => node.evicted).filter((pod) => covered.has(pod))
  return evicted.length === 0
    ? []
    : [
        `${plural(evicted.length, 'eviction')} ${agree(evicted.length, 'takes', 'take')} from a disruption budget, counted as it is today. If it allows none when the time comes, the pod stays: ${firstFew(evicted, 5)}.`,
      ]
}

/** Waiting and running work that a cordon does not keep out. */
function intruderNote({ snapshot: { pods }, ask: { profile } }: AppointmentQuestion): readonly string[] {
  const wanted = profile === undefined ? WHOLE_GPU_RESOURCE : resourceOfProfile(profile)
  const intruders = new Set(
    pods.flatMap(({ requests, scheduling, workload }) =>
      requests.some(({ resource }) => resource === wanted) && scheduling.tolerations.some(ignoresCordon)
        ? workload
        : [],
    ),
  )
  return intruders.size === 0
    ? []
    : [
        `${firstFew([...intruders].toSorted(), 5)} ${agree(intruders.size, 'tolerates', 'tolerate')} every cordon, so reserving the GPUs does not keep ${agree(intruders.size, 'it', 'them')} out: remove that toleration.`,
      ]
}

const ignoresCordon = ({ key, operator, effect }: Toleration): boolean =>
  operator === 'Exists' && (key === '' || key === CORDON_TAINT) && (effect === '' || effect === 'NoSchedule')
