import { plural } from '@septet/domain/words'
import { Refusal, type InputOf, type OutputOf, type plansDraft } from '@septet/contract'
import { planFiles, type PlanFiles } from '@septet/plan-files'
import {
  boardFor,
  describeAction,
  isFeasible,
  profileOf,
  wayBack,
  type Board,
  type DraftQuestion,
  type Gpu,
  type GpuTarget,
  type Layout,
  type Plan,
} from '@septet/domain'

import type { ClusterFacts, ClusterPicture } from '../../facts.ts'
import { answeredFrom } from '../answering/source.ts'
import { plannedGpuViews } from '../fleet/planned-gpu-view.ts'
import { isoOf } from '../answering/view.ts'

type Input = InputOf<typeof plansDraft>
type Drafted = OutputOf<typeof plansDraft>

/** The plan that would bring the wished layouts about, or the room; nothing is carried out or kept. */
export async function draftLivePlan(facts: ClusterFacts, input: Input, signal?: AbortSignal): Promise<Drafted> {
  const picture = facts.picture()
  const question = { wanted: wantedOf(input, picture), title: titleOf(input, picture), ...limits(input) }
  const draft = picture === undefined ? undefined : await facts.draft(question, signal)
  if (draft === undefined || picture === undefined) throw draftNotRead(facts)
  const head = answeredFrom(facts, undefined)
  const { title } = question
  if (draft.kind === 'none') return { ...head, ...NO_PLAN, gpus: [], kind: 'none', title, because: draft.because }
  const gpus = plannedGpuViews(facts, draft.gpus)
  return { ...head, ...planView(draft.plan, picture), ...filesOf(draft.plan, picture), gpus }
}

/** There is no state to plan on. */
export const draftNotRead = ({ record }: ClusterFacts): Refusal =>
  new Refusal(
    'not-ready',
    `${record.name} has not been read since Septet started, so it cannot be planned for yet.`,
    'Try again in a few seconds.',
  )

const limits = ({ mayWait, maxDisplaced }: Input): Pick<DraftQuestion, 'mayWait' | 'maxDisplaced'> => ({
  mayWait,
  maxDisplaced,
})

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

function wantedOf({ targets, room }: Input, picture: ClusterPicture | undefined): DraftQuestion['wanted'] {
  if ((room === undefined) === (targets.length === 0)) {
    throw new Refusal(
      'invalid-input',
      'A draft takes either layouts or a profile to make room for.',
      'Name targets with at least one GPU, or a profile to make room for.',
    )
  }
  if (room !== undefined) {
    const { profile, model, node } = room
    return {
      kind: 'room',
      goal: { kind: 'room-for', profile, ...(model !== undefined && { model }), ...(node !== undefined && { node }) },
    }
  }
  const gpus = new Map(picture?.nodes.flatMap((node) => node.gpus.map((gpu) => [gpu.id, gpu])))
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

function titleOf({ targets, room }: Input, picture: ClusterPicture | undefined): string {
  if (room !== undefined) return `Make room for one ${room.profile}${room.node === undefined ? '' : ` on ${room.node}`}`
  const wanted = new Set(targets.map(({ gpu }) => gpu))
  const nodes = picture?.nodes.filter(({ gpus }) => gpus.some(({ id }) => wanted.has(id))).map(({ name }) => name) ?? []
  return `Repartition ${plural(wanted.size, 'GPU')} on ${nodes.join(', ')}`
}

type Filed = Pick<Drafted, 'files' | 'noFiles'>
type PlanPart = Omit<Drafted, 'source' | 'asOf' | 'window' | 'gpus' | keyof Filed>

/** A plan as it is answered. */
export function planView(plan: Plan, { nodes }: ClusterPicture): PlanPart {
  const { steps } = plan
  const nodeOf = new Map(nodes.flatMap(({ name, gpus }) => gpus.map(({ id }) => [id, name])))
  const back = wayBack(steps)
  return {
    madeFrom: isoOf(plan.madeFrom),
    kind: steps.length > 0 ? 'plan' : plan.refused.length > 0 ? 'refused' : 'no-change',
    because: steps.length > 0 ? null : (plan.refused[0]?.message ?? 'The GPUs already have this layout.'),
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
function secondsOf({ steps }: Plan): Drafted['seconds'] {
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
