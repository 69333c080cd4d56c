import { Refusal, type InputOf, type OutputOf, type plansDraft } from '@septet/contract'
import { planFiles, type PlanFiles } from '@septet/plan-files'
import {
  boardFor,
  describeAction,
  isFeasible,
  profileOf,
  wayBack,
  type Board,
  shippedPrices,
  type FleetGoal,
  type Gpu,
  type GpuTarget,
  type Layout,
  type Plan,
  type PriceBook,
  type PriceStore,
} from '@septet/domain'

import type { ClusterFacts, ClusterPicture } from '../../facts.ts'
import { answeredFrom } from '../answering/source.ts'
import { plannedGpuViews } from '../fleet/planned-gpu-view.ts'
import { isoOf } from '../answering/view.ts'

type Input = InputOf<typeof plansDraft>
type Made = OutputOf<typeof plansDraft>

/** What a plan is made with beside the cluster. */
export type PlanNeeds = {
  readonly prices: Pick<PriceStore, 'list'>
  /** Says that nobody waits for the plan any more. */
  readonly signal?: AbortSignal | undefined
}

/** The plan that would reach the goal; nothing is carried out or kept. */
export async function makeLivePlan(facts: ClusterFacts, { prices, signal }: PlanNeeds, input: Input): Promise<Made> {
  const picture = facts.picture()
  if (picture === undefined) throw notRead(facts)
  const { mayWait, maxDisplaced } = input
  const question = { goal: goalOf(input, picture), prices: await pricesNow(prices), mayWait, maxDisplaced }
  const made = await facts.plan(question, signal)
  if (made === undefined) throw notRead(facts)
  const { plan, because } = made
  const head = answeredFrom(facts, undefined)
  if (because !== undefined) {
    const refused = plan.refused.map((problem) => ({ ...problem }))
    return { ...head, ...NO_PLAN, refused, gpus: [], kind: 'none', title: plan.title, because }
  }
  return {
    ...head,
    ...planView(plan, picture),
    ...(plan.steps.length === 0 && plan.refused.length === 0 && { because: made.notes[0] ?? AS_IT_IS }),
    ...filesOf(plan, picture),
    gpus: plannedGpuViews(facts, made.gpus),
  }
}

const AS_IT_IS = 'The GPUs already have this layout.'

/** Prices as everything else is told with: those that were set, then those of the catalog. */
export const pricesNow = async (prices: Pick<PriceStore, 'list'>): Promise<PriceBook> => [
  ...(await prices.list()),
  ...shippedPrices,
]

/** There is no state to plan on. */
export const notRead = ({ record }: ClusterFacts): Refusal =>
  new Refusal(
    'not-ready',
    `${record.name} has not been read since Septet started, so it cannot be planned for yet.`,
    'Try again in a few seconds.',
  )

/** No plan. */
export const NO_PLAN = {
  madeFrom: null,
  because: null,
  id: null,
  steps: [],
  displaced: [],
  moves: [],
  seconds: null,
  bound: null,
  refused: [],
  wayBack: { steps: [], lost: [] },
  files: [],
  noFiles: [],
} satisfies Omit<PlanPart & Filed, 'title' | 'kind'>

function goalOf({ targets, room }: Input, { nodes }: ClusterPicture): FleetGoal {
  if ((room === undefined) === (targets.length === 0)) {
    throw new Refusal(
      'invalid-input',
      'A draft takes either layouts or a profile to make room for.',
      'Name targets with at least one GPU, or a profile to make room for.',
    )
  }
  if (room !== undefined) {
    const { profile, model, node } = room
    return { kind: 'room-for', profile, ...(model !== undefined && { model }), ...(node !== undefined && { node }) }
  }
  const gpus = new Map(nodes.flatMap((node) => node.gpus.map((gpu) => [gpu.id, gpu])))
  return { kind: 'layout', targets: targets.map((target) => targetOf(target, gpus.get(target.gpu))) }
}

/** A wished layout at real sizes, or a refusal that says which of its wishes the board does not allow. */
function targetOf({ gpu: id, mig, instances }: Input['targets'][number], gpu: Gpu | undefined): GpuTarget {
  if (gpu === undefined) {
    throw new Refusal(
      'not-found',
      `There is no GPU "${id}" in this cluster now.`,
      'List the partitions to see its GPUs.',
    )
  }
  const board = gpu.model === undefined ? undefined : boardFor(gpu.model)
  const layout = board === undefined ? [] : layoutOn(board, instances)
  const flaw = flawOf({ mig, instances, board, layout })
  if (flaw === undefined) return { gpu: id, migEnabled: mig, layout }
  throw new Refusal('invalid-input', `GPU ${id}: ${flaw}.`, 'Change that layout; the others can stay.')
}

const layoutOn = (board: Board, instances: Input['targets'][number]['instances']): Layout =>
  instances.map(({ profile, start }) => ({
    profile,
    placement: { start, size: profileOf(board, profile)?.size ?? 0 },
  }))

type Wished = Pick<Input['targets'][number], 'mig' | 'instances'> & {
  readonly board: Board | undefined
  readonly layout: Layout
}

function flawOf({ mig, instances, board, layout }: Wished): string | undefined {
  if (!mig) return instances.length > 0 ? 'instances need MIG mode' : undefined
  if (board === undefined) return 'which MIG layouts its GPU model supports is unknown'
  const verdict = isFeasible(board, layout)
  return verdict.kind === 'feasible' ? undefined : verdict.because
}

type Filed = Pick<Made, 'files' | 'noFiles'>
type PlanPart = Omit<Made, 'source' | 'asOf' | 'window' | 'gpus' | keyof Filed>

/** A plan as it is answered. */
export function planView(plan: Plan, { nodes }: ClusterPicture): PlanPart {
  const { steps } = plan
  const nodeOf = new Map(nodes.flatMap(({ name, gpus }) => gpus.map(({ id }) => [id, name])))
  const back = wayBack(steps)
  return {
    madeFrom: isoOf(plan.madeFrom),
    kind: steps.length > 0 ? 'plan' : plan.refused.length > 0 ? 'refused' : 'no-change',
    because: steps.length > 0 ? null : (plan.refused[0]?.message ?? null),
    id: plan.id,
    title: plan.title,
    steps: steps.map(({ number, title, notBefore, effect, displaced, duration, inverse }) => ({
      number,
      title,
      ...(notBefore === undefined ? {} : { notBefore: isoOf(notBefore) }),
      effect,
      displaced: [...displaced],
      seconds: { ...duration },
      undo: inverse.map(describeAction),
    })),
    displaced: [...new Set(steps.flatMap(({ displaced }) => displaced))],
    moves: plan.moves.map(({ pod, to }) => ({
      pod,
      to: to === undefined ? null : { gpu: to.gpu, node: nodeOf.get(to.gpu) ?? null, profile: to.profile },
    })),
    seconds: secondsOf(plan),
    bound: plan.bound ?? null,
    refused: plan.refused.map((problem) => ({ ...problem })),
    wayBack: { steps: back.actions.map(describeAction), lost: [...back.lost] },
  }
}

/** All steps one after the other, and where their times come from, each source once. */
function secondsOf({ steps }: Plan): Made['seconds'] {
  if (steps.length === 0) return null
  return {
    low: steps.reduce((sum, { duration }) => sum + duration.low, 0),
    high: steps.reduce((sum, { duration }) => sum + duration.high, 0),
    source: [...new Set(steps.map(({ duration }) => duration.source))].join('; '),
  }
}

function filesOf(plan: Plan, snapshot: ClusterPicture): Filed {
  if (plan.steps.length === 0) return { files: [], noFiles: [] }
  return filedView(planFiles({ plan, snapshot }))
}

/** Files as they are answered, or why there are none. */
export const filedView = (exported: PlanFiles): Filed =>
  exported.kind === 'refused'
    ? { files: [], noFiles: [...exported.because] }
    : { files: exported.files.map((file) => ({ ...file })), noFiles: [] }
