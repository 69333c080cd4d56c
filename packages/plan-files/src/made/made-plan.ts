import type { MadePlan } from '@septet/contract'
import {
  compareText,
  describeAction,
  geometryOf,
  geometryWords,
  pricesOf,
  stepsDigest,
  tolerationsFor,
  wayBack,
  type Action,
  type AppointmentAnswer,
  type ClusterSnapshot,
  type ExportedCluster,
  type FleetPlan,
  type Geometry,
  type Plan,
  type PlanStep,
  type PriceBook,
} from '@septet/domain'

import { appointmentFiles } from '../appointment-files.ts'
import { planFiles, type PlanFiles } from '../plan-files.ts'
import { planSays } from './plan-says.ts'

/** Where a plan was made: its state, and what its GPUs cost. */
export type MadeOn = {
  readonly snapshot: ExportedCluster & Pick<ClusterSnapshot, 'allocations'>
  readonly prices: PriceBook
  readonly operatorNamespace?: string | undefined
}

/** What a plan says that is the same in whichever face it is shown: without its source and the bars of its GPUs. */
export type MadeParts = Omit<MadePlan, 'source' | 'asOf' | 'window' | 'gpus'>

/** A plan as every face answers it: steps, the way back, how good it is, files, its digest, and sentences. */
export function madePlan(found: FleetPlan, on: MadeOn): MadeParts {
  const { plan, appointment, because } = found
  const isNone = because !== undefined
  const figures = {
    ...planParts(plan, on.snapshot),
    ...(isNone ? { ...NO_FILES, kind: 'none' as const, because } : filesOf(found, on)),
    ...(!isNone && plan.steps.length === 0 && plan.refused.length === 0 && { because: found.notes[0] ?? AS_IT_IS }),
    goal: found.goal,
    proof: found.isBest === undefined ? null : found.isBest ? ('best' as const) : ('open' as const),
    ...figuresOf(found),
    notes: [...found.notes, ...inferredNote(on.snapshot)],
    appointment: appointment === undefined ? null : appointmentView(appointment, on),
  }
  return { ...figures, says: planSays(figures) }
}

const AS_IT_IS = 'The GPUs already have this layout.'
const NO_FILES = { files: [], noFiles: [] }

function figuresOf({ use, saving, starts, waits, leftOut }: FleetPlan) {
  return {
    use: use === undefined ? null : { ...use, freed: [...use.freed], bound: use.bound ?? null },
    saving:
      saving === undefined ? null : { ...saving, usdPerMonth: saving.usdPerMonth ?? null, prices: [...saving.prices] },
    starts: starts.map(({ workload, by }) => ({ workload, by })),
    waits: waits.map(({ workload, because }) => ({ workload, because })),
    leftOut: leftOut.map((problem) => ({ ...problem })),
  }
}

function filesOf({ plan, appointment }: FleetPlan, on: MadeOn): Pick<MadePlan, 'files' | 'noFiles'> {
  const { snapshot, operatorNamespace } = on
  if (plan.steps.length === 0) return NO_FILES
  if (appointment?.kind === 'found') return filedView(appointmentFiles({ appointment, snapshot }))
  return filedView(planFiles({ plan, snapshot, ...(operatorNamespace !== undefined && { operatorNamespace }) }))
}

/** Files as they are answered, or why there are none. */
const filedView = (exported: PlanFiles): Pick<MadePlan, 'files' | 'noFiles'> =>
  exported.kind === 'refused'
    ? { files: [], noFiles: [...exported.because] }
    : { files: exported.files.map((file) => ({ ...file })), noFiles: [] }

function planParts(plan: Plan, { nodes }: Pick<ExportedCluster, 'nodes'>) {
  const { steps } = plan
  const places = new Map(nodes.flatMap(({ name, gpus }) => gpus.map(({ id, index }) => [id, { node: name, index }])))
  const back = wayBack(steps)
  return {
    madeFrom: isoOf(plan.madeFrom),
    kind:
      steps.length > 0 ? ('plan' as const) : plan.refused.length > 0 ? ('refused' as const) : ('no-change' as const),
    because: steps.length > 0 ? null : (plan.refused[0]?.message ?? null),
    id: plan.id,
    digest: steps.length > 0 ? stepsDigest(plan) : null,
    title: plan.title,
    steps: steps.map(stepView),
    displaced: [...new Set(steps.flatMap(({ displaced }) => displaced))],
    moves: plan.moves.map(({ pod, to }) => ({
      pod,
      to: to === undefined ? null : { gpu: to.gpu, ...(places.get(to.gpu) ?? NOWHERE), profile: to.profile },
    })),
    seconds: secondsOf(plan),
    bound: plan.bound ?? null,
    refused: plan.refused.map((problem) => ({ ...problem })),
    wayBack: { steps: back.actions.map(describeAction), lost: [...back.lost] },
  }
}

const NOWHERE = { node: null, index: null }

/** One step as every face tells it. */
export const stepView = ({ number, action, title, notBefore, effect, displaced, duration, inverse }: PlanStep) => ({
  number,
  title,
  ...(notBefore === undefined ? {} : { notBefore: isoOf(notBefore) }),
  effect,
  ...(action.kind === 'repartition' && { changes: changesOf(action.gpus) }),
  displaced: [...displaced],
  seconds: { ...duration },
  undo: inverse.map(describeAction),
})

/** `GPU 3: a whole GPU → 7 × 1g.10gb`, for each that changes. */
const changesOf = (gpus: Extract<Action, { kind: 'repartition' }>['gpus']): string[] =>
  gpus.flatMap(({ index, from, to }) => {
    const [was, becomes] = [
      geometryText(from.migEnabled, geometryOf(from.layout)),
      geometryText(to.migEnabled, to.geometry),
    ]
    return was === becomes ? [] : `GPU ${index}: ${was} → ${becomes}`
  })

const geometryText = (migEnabled: boolean, geometry: Geometry): string =>
  geometryWords({
    migEnabled,
    geometry: Object.fromEntries(Object.entries(geometry).toSorted(([a], [b]) => compareText(a, b))),
  })

/** All steps one after the other, and where their times come from, each source once. */
function secondsOf({ steps }: Plan): MadePlan['seconds'] {
  if (steps.length === 0) return null
  return {
    low: steps.reduce((sum, { duration }) => sum + duration.low, 0),
    high: steps.reduce((sum, { duration }) => sum + duration.high, 0),
    source: [...new Set(steps.map(({ duration }) => duration.source))].join('; '),
  }
}

function inferredNote({ allocations }: MadeOn['snapshot']): readonly string[] {
  const inferred = allocations.filter(({ evidence }) => evidence === 'guess').length
  if (inferred === 0) return []
  return [
    `Which device a pod holds is inferred from requests for ${inferred} of ${allocations.length} partitions, because no exporter reported it: check with nvidia-smi before you evict.`,
  ]
}

function appointmentView(answer: AppointmentAnswer, on: MadeOn): MadePlan['appointment'] {
  if (answer.kind === 'none') {
    const { possible, from, cutFirst } = answer
    return {
      possible,
      cutFirst: cutFirst.map((cut) => ({ ...cut, gpus: [...cut.gpus], recommendation: null })),
      from: from === undefined ? null : isoOf(from),
      ...NOTHING_SET_ASIDE,
    }
  }
  const { ask, nodes, endsAt } = answer
  return {
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
    evictions: answer.moves,
    atLeast: answer.bound,
    idleHours: answer.idle,
    idleUsd: idleCost(answer, on),
    tolerations: tolerationsFor(nodes).map((toleration) => ({ ...toleration })),
  }
}

const NOTHING_SET_ASIDE = { nodes: [], evictions: null, atLeast: null, idleHours: null, idleUsd: null, tolerations: [] }

/** Dollars for what stands idle behind the fence; null where one of its nodes has no price. */
function idleCost(
  { nodes, plan }: Extract<AppointmentAnswer, { kind: 'found' }>,
  { snapshot, prices }: MadeOn,
): number | null {
  const priceOf = pricesOf(prices, { cluster: plan.cluster, nodes: snapshot.nodes, at: plan.madeFrom })
  let sum = 0
  for (const { node: name, idle } of nodes) {
    const node = snapshot.nodes.find((each) => each.name === name)
    const price = node && priceOf({ pool: node.pool, model: node.model ?? node.product, node: name })
    if (price?.kind !== 'known') return null
    sum += price.price * idle
  }
  return sum
}

const isoOf = (at: number): string => new Date(at).toISOString()
