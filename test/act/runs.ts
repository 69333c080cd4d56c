import { randomUUID } from 'node:crypto'

import {
  boardFor,
  instant,
  makePlan,
  planAppointment,
  ratio,
  seconds,
  SHOWN_POLICY,
  type ActionRun,
  type Recommendation,
  type ActionStore,
  type AppointmentAsk,
  type ClusterSnapshot,
  type Instant,
  type Plan,
  type Transition,
  type Wish,
} from '@septet/domain'
import type { RecommendationKind } from '@septet/domain/action-classes'
import { planDigest } from '@septet/server/testing/act'

/** A plan that the snapshot allows; throws with what refuses it. */
export function planFor(snapshot: ClusterSnapshot, wish: Wish): Plan {
  const plan = makePlan({ snapshot, wishes: [wish], title: 'A change', policy: SHOWN_POLICY })
  const [refused] = plan.refused
  if (refused !== undefined || plan.steps.length === 0) throw new Error(refused?.message ?? 'nothing would change')
  return plan
}

/** GPUs of a node become so many instances of one profile each. */
function layoutWish(
  snapshot: ClusterSnapshot,
  name: string,
  { gpus, profile }: { gpus: readonly number[]; profile: string },
): Wish {
  const node = snapshot.nodes.find((each) => each.name === name)
  const board = boardFor(node?.model ?? '')
  const known = board?.profiles.find((each) => each.name === profile)
  if (node === undefined || known === undefined) throw new Error(`no ${profile} on ${name}`)
  const layout = known.starts.map((start) => ({ profile, placement: { start, size: known.size } })).slice(0, known.max)
  return {
    kind: 'layout',
    moves: [],
    targets: node.gpus
      .filter(({ index }) => gpus.includes(index))
      .map(({ id }) => ({ gpu: id, migEnabled: true, layout })),
  }
}

type Proposing = {
  readonly now: Instant
  readonly kind?: RecommendationKind | 'appointment'
  readonly saving?: Recommendation['saving']
  readonly digestOf?: Plan
  /** What it is about, where it matters. */
  readonly object?: string
}

/** A run as if somebody had proposed the plan. */
export const runOf = (
  plan: Plan,
  { now, kind = 'repartition', saving, digestOf = plan, object = 'node/x' }: Proposing,
): ActionRun => ({
  id: `action-${randomUUID().slice(0, 8)}`,
  cluster: plan.cluster,
  class: kind,
  object,
  title: plan.title,
  cause:
    kind === 'appointment'
      ? { kind: 'wish', wants: 'GPUs for a test', costs: 'It costs nothing.' }
      : {
          kind: 'advice',
          recommendation: { ...adviceOf(plan, kind), object, ...(saving === undefined ? {} : { saving }) },
        },
  plan,
  digest: planDigest(digestOf),
  proposedAt: now,
  proposedBy: 'ann@septet.local',
  proposer: 'person',
  transitions: [transition(1, { state: 'proposed', at: now })],
})

/** Puts a plan into the store as if somebody had proposed and approved it. */
export async function proposed(store: ActionStore, plan: Plan, how: Proposing): Promise<ActionRun> {
  const run = runOf(plan, how)
  await store.propose(run)
  await store.advance(run.id, transition(2, { state: 'approved', at: how.now }))
  return run
}

export const transition = (
  number: number,
  rest: Pick<Transition, 'state' | 'at'> & Partial<Transition>,
): Transition => ({
  number,
  by: 'ann@septet.local',
  because: 'A test says so.',
  until: instant(rest.at + 3_600_000),
  ...rest,
})

export const adviceOf = (plan: Plan, kind: RecommendationKind): Recommendation => ({
  id: `${kind}-${plan.id}`,
  cluster: plan.cluster,
  kind,
  object: 'node/x',
  title: plan.title,
  message: 'It is wanted by a test.',
  rule: { name: kind, version: 1 },
  madeAt: plan.madeFrom,
  evidence: {
    query: '',
    window: { from: plan.madeFrom, to: plan.madeFrom },
    samples: 0,
    coverage: ratio(1),
    figures: {},
  },
  saving: { kind: 'none', brings: 'nothing', because: 'It is a test.' },
  risk: {
    level: 'low',
    displaced: plan.steps.flatMap(({ displaced }) => displaced),
    duration: { low: seconds(0), high: seconds(0), source: 'assumed: a test' },
    overrun: undefined,
    confidence: ratio(1),
  },
  plan,
  rank: 0,
})

type Acting = {
  read(): Promise<ClusterSnapshot>
  isAllowed(plan: Plan, snapshot?: ClusterSnapshot): Promise<boolean>
}

/** The first cut of a GPU of any node that the rules allow and that displaces so many pods. */
export async function someCut(acting: Acting, displaced: number): Promise<Plan> {
  const snapshot = await acting.read()
  for (const node of snapshot.nodes) {
    const plan = await cutOf(node, { acting, snapshot, displaced })
    if (plan !== undefined) return plan
  }
  throw new Error(`no cut displaces ${displaced} pods`)
}

async function cutOf(
  { name, model, gpus }: ClusterSnapshot['nodes'][number],
  { acting, snapshot, displaced }: { acting: Acting; snapshot: ClusterSnapshot; displaced: number },
): Promise<Plan | undefined> {
  for (const { index, partitions } of gpus) {
    // To plan on a large fleet takes a while, and most GPUs are held by more.
    const own = new Set(partitions.map(({ id }) => id))
    if (snapshot.allocations.filter(({ partition }) => own.has(partition)).length !== displaced) continue
    const plan = attempt(() =>
      planFor(snapshot, layoutWish(snapshot, name, { gpus: [index], profile: smallest(model) })),
    )
    const evicts = plan?.steps.filter(({ action }) => action.kind === 'evict').length
    if (plan !== undefined && evicts === displaced && (await acting.isAllowed(plan, snapshot))) return plan
  }
  return undefined
}

/** Removing some node that Karpenter made, and whose pods may leave it. */
export async function someRemoval(acting: Acting, displaced: number): Promise<Plan> {
  const snapshot = await acting.read()
  for (const { name } of snapshot.nodes.filter((each) => /-(?:l40s|a30|t4)-/u.test(each.name))) {
    const plan = attempt(() => planFor(snapshot, { kind: 'remove-node', node: name, moves: [] }))
    const evicts = plan?.steps.filter(({ action }) => action.kind === 'evict').length
    if (plan !== undefined && evicts === displaced && (await acting.isAllowed(plan))) return plan
  }
  throw new Error(`no node may go with ${displaced} pods`)
}

/** Sharing the GPUs of the one node that is kept for a team, among the pods that hold one each. */
export const someShare = async (acting: Acting): Promise<Plan> =>
  planFor(await acting.read(), {
    kind: 'share',
    node: 'gpu-l40s-05',
    to: { kind: 'time-slicing', replicas: 4 },
    tenant: 'data-science',
    moves: [],
  })

/** Whole nodes for an appointment, a quarter of a minute from now and for as long, from which somebody has to leave. */
export async function someAppointment(
  acting: Acting & { now(): Instant },
  how: Partial<AppointmentAsk> = {},
): Promise<Plan> {
  const snapshot = await acting.read()
  const at = instant(acting.now() + 15_000)
  const perNode = how.profile === undefined ? 8 : 1
  for (const nodes of [1, 2, 3]) {
    const ask = { gpus: nodes * perNode, perNode, at, length: seconds(15), ...how }
    const answer = planAppointment({ snapshot, ask, maxDisplaced: 10 })
    const plan = answer.kind === 'found' ? answer.plan : undefined
    const evicts = how.longest !== undefined || plan?.steps.some(({ action }) => action.kind === 'evict') === true
    if (plan !== undefined && evicts && (await acting.isAllowed(plan))) return plan
  }
  throw new Error('nobody is ever in the way of an appointment')
}

/** Stopping some workload that holds a GPU. */
export async function someStop(
  acting: Acting,
  kind: string,
  isMeant: (workload: string) => boolean = () => true,
): Promise<Plan> {
  const snapshot = await acting.read()
  for (const plan of stopsIn(snapshot, (each) => each.kind === kind && isMeant(each.id))) {
    if (await acting.isAllowed(plan)) return plan
  }
  throw new Error(`no ${kind} may be stopped`)
}

/** Stopping each workload that holds a GPU and is meant. */
export function* stopsIn(
  snapshot: ClusterSnapshot,
  isMeant: (workload: ClusterSnapshot['workloads'][number]) => boolean = () => true,
): Generator<Plan> {
  const holders = new Set(snapshot.allocations.map(({ workload }) => workload))
  for (const workload of snapshot.workloads.filter((each) => holders.has(each.id) && isMeant(each))) {
    const plan = attempt(() => planFor(snapshot, { kind: 'scale', workload: workload.id, to: 0 }))
    if (plan !== undefined) yield plan
  }
}

/** Giving each pod of some workload of a kind this one device instead of what it has. */
export async function someResize(acting: Acting, kind: string, resource = SMALL): Promise<Plan> {
  const snapshot = await acting.read()
  const models = new Map(snapshot.nodes.map(({ name, model }) => [name, model]))
  // The demo's pods insist on the model that they were made for.
  const room = new Set(snapshot.nodes.filter((node) => offers(node, resource)).map(({ model }) => model))
  const others = snapshot.pods.filter(
    ({ node, requests: [held] }) => node !== undefined && room.has(models.get(node)) && held?.resource !== resource,
  )
  for (const workload of snapshot.workloads.filter((each) => each.kind === kind)) {
    if (!others.some((pod) => pod.workload === workload.id)) continue
    const to = [{ resource, count: 1 }]
    const plan = attempt(() => planFor(snapshot, { kind: 'resize', workload: workload.id, to }))
    if (plan !== undefined && (await acting.isAllowed(plan))) return plan
  }
  throw new Error(`no ${kind} may be given ${resource}`)
}

const offers = ({ gpus }: ClusterSnapshot['nodes'][number], resource: string): boolean =>
  gpus.some(({ partitions }) =>
    partitions.some((partition) => partition.kind === 'mig' && resource.endsWith(`/mig-${partition.profile}`)),
  )

/** Of these some are free on the demo's stage, and of those none ever is. */
const SMALL = 'nvidia.com/mig-1g.10gb'
export const SCARCE = 'nvidia.com/mig-3g.40gb'

const smallest = (model: string | undefined): string => boardFor(model ?? '')?.profiles[0]?.name ?? ''

function attempt(make: () => Plan): Plan | undefined {
  try {
    return make()
  } catch {
    return undefined
  }
}
