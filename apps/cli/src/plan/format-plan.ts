import { plural } from '@septet/domain/words'
import {
  compareText,
  describeAction,
  geometryOf,
  geometryWords,
  type Action,
  type ClusterSnapshot,
  type FleetPlan,
  type PlanStep,
} from '@septet/domain'

import { textTable } from '../report/table.ts'
import type { Written } from './plan-folder.ts'

export type ShownPlan = {
  readonly found: FleetPlan
  readonly snapshot: ClusterSnapshot
  readonly written: Written | undefined
}

/** The plan for people: steps, then what it brings and how good it is, then what it leaves and why. */
export function formatPlan(shown: ShownPlan): string {
  const { found, snapshot } = shown
  const { plan } = found
  return [
    `${plan.title} · ${plan.cluster}, as of ${new Date(plan.madeFrom).toISOString()} · ${plan.id}`,
    '',
    ...(plan.steps.length === 0 ? [found.because ?? 'Nothing to do.'] : stepTable(plan.steps)),
    '',
    ...summaryLines(found),
    ...section('Room kept for displaced pods', moveLines(found, snapshot)),
    ...section(
      'Starts',
      found.starts.map(({ workload, by }) => `${workload}: ${STARTS_BY[by]}`),
    ),
    ...section(
      'Still waits',
      found.waits.map(({ workload, because }) => `${workload}: ${because}`),
    ),
    ...section(
      'Refused',
      plan.refused.map(({ object, message }) => `${object}: ${message}`),
    ),
    ...section('Left as it is', leftOutLines(found)),
    ...section('Good to know', notesOf(shown)),
    ...writtenLines(shown),
    '',
  ].join('\n')
}

/** The same for programs. */
export const planDocument = (shown: ShownPlan): unknown => {
  const { policy, ...rest } = shown.found
  const { maxDisplaced } = policy
  return { ...rest, gpus: undefined, notes: notesOf(shown), maxDisplaced, written: shown.written }
}

const notesOf = ({ found, snapshot }: ShownPlan): readonly string[] => [...found.notes, ...inferredNote(snapshot)]

const STARTS_BY = {
  room: 'there is room already',
  recut: 'after repartitioning unallocated GPUs',
  moves: 'where others move away',
} as const

type Line = {
  readonly number: string
  readonly due: string
  readonly what: string
  readonly who: string
  readonly long: string
  readonly back: string
}

/** The steps of a plan, with when each is due where they have times of their own. */
export function stepTable(steps: readonly PlanStep[]): readonly string[] {
  const lines = steps.flatMap((step): readonly Line[] => {
    const [what = '', ...details] = stepWords(step.action)
    const [who = '–', ...others] = step.displaced
    const due = step.notBefore === undefined ? '' : new Date(step.notBefore).toISOString().replace(/\.000Z$/u, 'Z')
    const first: Line = {
      number: String(step.number),
      due,
      what,
      who,
      long: durationWords(step),
      back: backWords(step),
    }
    const more = Array.from({ length: Math.max(details.length, others.length) }, (_, index): Line => ({
      number: '',
      due: '',
      what: details[index] === undefined ? '' : `  ${details[index]}`,
      who: others[index] ?? '',
      long: '',
      back: '',
    }))
    return [first, ...more]
  })
  const assumed = steps.some(({ duration }) => duration.source.startsWith('assumed'))
  return [
    ...textTable<Line>(lines, [
      { title: '#', text: ({ number }) => number, right: true },
      ...(lines.some(({ due }) => due !== '') ? [{ title: 'Due', text: ({ due }: Line) => due }] : []),
      { title: 'Step', text: ({ what }) => what },
      { title: 'Displaced', text: ({ who }) => who },
      { title: 'How long', text: ({ long }) => long, right: true },
      { title: 'Rollback', text: ({ back }) => back },
    ]),
    ...(assumed ? ['', '* assumed, not measured on this cluster'] : []),
  ]
}

/** The step in a few words, and a line for each GPU that it changes. */
function stepWords(action: Action): readonly string[] {
  if (action.kind !== 'repartition') return [describeAction(action)]
  const changed = action.gpus.filter(
    ({ from, to }) => cutWords(from.migEnabled, geometryOf(from.layout)) !== cutWords(to.migEnabled, to.geometry),
  )
  return [
    `Repartition ${changed.length} of ${action.gpus.length} GPUs on ${action.node}`,
    ...changed.map(
      ({ index, from, to }) =>
        `GPU ${index}: ${cutWords(from.migEnabled, geometryOf(from.layout))} → ${cutWords(to.migEnabled, to.geometry)}`,
    ),
  ]
}

const cutWords = (migEnabled: boolean, geometry: Readonly<Record<string, number>>): string =>
  geometryWords({
    migEnabled,
    geometry: Object.fromEntries(Object.entries(geometry).toSorted(([a], [b]) => compareText(a, b))),
  })

const durationWords = ({ duration: { low, high, source } }: PlanStep): string =>
  `${low}–${high} s${source.startsWith('assumed') ? '*' : ' '}`

const BACK = {
  cordon: 'cordon',
  uncordon: 'uncordon',
  evict: 'evict',
  repartition: 'partitioned as before',
  'create-instance': 'make the instance again',
  'delete-instance': 'remove the instance',
  resize: 'requests as before',
  scale: 'pods as before',
  share: 'sharing as before',
  'remove-node': 'remove',
  reschedule: 'rules as before',
  'keep-free': 'not needed',
} satisfies Record<Action['kind'], string>

function backWords({ action, inverse }: PlanStep): string {
  if (inverse.length > 0) return [...new Set(inverse.map(({ kind }) => BACK[kind]))].join(', ')
  if (action.kind === 'evict') return 'none: a new pod starts'
  return action.kind === 'remove-node' ? 'none: add a new node' : 'not needed'
}

function summaryLines({ plan, use, saving }: FleetPlan): readonly string[] {
  const displaced = new Set(plan.steps.flatMap((step) => step.displaced)).size
  return [
    ...(plan.bound === undefined ? [] : [`How good    ${plan.bound}.`]),
    `Displaced   ${displaced === 0 ? 'no pods' : plural(displaced, 'pod')}.`,
    ...(use === undefined ? [] : [useLine(use)]),
    ...(saving === undefined ? [] : savingLines(saving)),
  ]
}

const useLine = ({ before, after, gpus, heldWhole }: NonNullable<FleetPlan['use']>): string =>
  `GPUs        ${before} in use before, ${after} after, of ${gpus} that a layout can change; ${heldWhole} more are held whole.`

function savingLines({ gpus, usdPerMonth, prices }: NonNullable<FleetPlan['saving']>): readonly string[] {
  const what = plural(gpus, 'GPU')
  const amount =
    usdPerMonth === undefined
      ? `${what}; in money unknown, because a price is missing`
      : `$${usdPerMonth.toLocaleString('en-US', { minimumFractionDigits: 2 })} per month for ${what}, once the node is gone or other work runs there`
  return [`Worth       ${amount}.`, ...prices.map((price) => `            ${price}`)]
}

export function moveLines(
  { plan }: Pick<FleetPlan, 'plan'>,
  { nodes }: Pick<ClusterSnapshot, 'nodes'>,
): readonly string[] {
  const places = new Map(
    nodes.flatMap(({ name, gpus }) => gpus.map(({ id, index }) => [id, `GPU ${index} of ${name}`] as const)),
  )
  return plan.moves.map(({ pod, to }) => {
    if (to === undefined) return `${pod}: any free partition of its kind`
    const place = places.get(to.gpu) ?? to.gpu
    return `${pod}: ${to.profile === '' ? `all of ${place}` : `${to.profile} on ${place}`}`
  })
}

/** By reason, because whole nodes share one. */
export function leftOutLines({ leftOut }: Pick<FleetPlan, 'leftOut'>): readonly string[] {
  const byReason = Map.groupBy(leftOut, ({ message }) => message)
  return [...byReason].map(([message, gpus]) => `${plural(gpus.length, 'GPU')}: ${message}`)
}

export function inferredNote({ allocations }: ClusterSnapshot): readonly string[] {
  const inferred = allocations.filter(({ evidence }) => evidence === 'inferred').length
  if (inferred === 0) return []
  return [
    `Which device a pod holds is inferred from requests for ${inferred} of ${allocations.length} partitions, because no exporter reported it: check with nvidia-smi before you evict.`,
  ]
}

export const section = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : ['', `${title}:`, ...lines.map((line) => `  ${line}`)]

function writtenLines({ written, found }: ShownPlan): readonly string[] {
  if (written === undefined) return found.plan.steps.length === 0 ? [] : ['', 'Add --out DIR to write it as files.']
  return [
    '',
    `Written to ${written.folder}: ${written.files.length} files. Begin with PLAN.md; commands.sh does it step by step.`,
  ]
}
