import {
  instant,
  stateOf,
  textAt,
  unverified,
  type Action,
  type ActionRun,
  type ClusterSnapshot,
  type Plan,
  type Store,
} from '@septet/domain'

import type { ActedOn, ActingDemo } from './acting-demo.ts'
import { mortal, type Moment } from './mortal.ts'
import { proposed } from './runs.ts'

export type KillCase = {
  readonly diedAt: string
  readonly outcome: string
  /** What is not as it must be; empty where all is well. */
  readonly flaws: readonly string[]
}

/**
 * Carries out a plan with an actor that dies at a moment, and another that takes over. Undefined where the plan was
 * over before that moment came.
 */
export async function killCase(
  { acting, store, plan }: { readonly acting: ActingDemo<ActedOn>; readonly store: Store; readonly plan: Plan },
  killAt: Moment,
): Promise<KillCase | undefined> {
  const before = await acting.read()
  const leaving = await podsToLeave(acting, plan)
  const run = await proposed(store.actions, plan, { now: acting.now() })
  const doomed = mortal({ store: store.actions, writer: acting.writer }, killAt)
  const first = acting.actor({ ...doomed, watchMs: 2000 })
  await acting.pass(120, [first], async () => {
    return doomed.diedAt() !== undefined || ENDED.includes((await acting.stateOf(run.id)) ?? '')
  })
  const diedAt = doomed.diedAt()
  // Nobody hears of the first any more; after its time is over the second takes over.
  const over = await acting.until(run.id, ENDED, [acting.actor({ watchMs: 2000 })])
  const flaws = await flawsOf(acting, { run: over, before, leaving })
  return diedAt === undefined ? undefined : { diedAt, outcome: stateOf(over).state, flaws }
}

export const ENDED = ['kept', 'reverted', 'failed', 'expired', 'cancelled']

/** Cluster and store must agree, and nobody outside the plan may have been touched. */
export async function flawsOf(
  acting: ActingDemo<ActedOn>,
  over: { readonly run: ActionRun; readonly before: ClusterSnapshot; readonly leaving?: readonly string[] },
): Promise<readonly string[]> {
  await acting.pass(4, [])
  return flawsIn(acting, { ...over, now: await acting.read() })
}

type Over = {
  readonly run: ActionRun
  readonly before: ClusterSnapshot
  readonly now: ClusterSnapshot
  readonly leaving?: readonly string[]
}

/** The same of a reading that is there. */
function flawsIn(acting: ActingDemo<ActedOn>, { run, before, now, leaving = [] }: Over): readonly string[] {
  const { state } = stateOf(run)
  return [
    ...layoutFlaws(run, { state, before, now }),
    ...cordonFlaws(run, { before, now }),
    ...sizeFlaws(run, { state, now }),
    ...evictionFlaws(acting, run, leaving),
    ...(state === 'kept' || state === 'reverted' ? [] : [`it ended ${state}: ${stateOf(run).because}`]),
  ]
}

function layoutFlaws(
  run: ActionRun,
  { state, before, now }: { readonly state: string; readonly before: ClusterSnapshot; readonly now: ClusterSnapshot },
): readonly string[] {
  if (state === 'kept') {
    const because = unverified(run.plan, now, instant(0))
    return because === undefined ? [] : [because]
  }
  const [was, is] = [layoutText(before, run), layoutText(now, run)]
  return was === is ? [] : [`its nodes are not partitioned as before: ${was} → ${is}`]
}

/** How the nodes of a run are cut, to be compared. */
export function layoutText({ nodes }: ClusterSnapshot, run: Pick<ActionRun, 'plan'>): string {
  const touched = new Set(nodesOf(run))
  return JSON.stringify(
    nodes
      .filter(({ name }) => touched.has(name))
      .map(({ name, gpus }) => [
        name,
        gpus.map(({ index, migEnabled, partitions }) => [
          index,
          migEnabled,
          partitions.map((partition) => (partition.kind === 'mig' ? partition.profile : partition.kind)).toSorted(),
        ]),
      ]),
  )
}

const nodesOf = (run: Pick<ActionRun, 'plan'>): readonly string[] =>
  run.plan.steps.flatMap(({ action }) => ('node' in action ? [action.node] : []))

function cordonFlaws(
  run: ActionRun,
  { before, now }: { readonly before: ClusterSnapshot; readonly now: ClusterSnapshot },
): readonly string[] {
  const open = new Map(before.nodes.map(({ name, schedulable }) => [name, schedulable]))
  return nodesOf(run).flatMap((name) => {
    const node = now.nodes.find((each) => each.name === name)
    const isAsBefore = isGone(run, name) ? node === undefined : node?.schedulable === open.get(name)
    return isAsBefore ? [] : [`${name} takes pods: ${node?.schedulable}`]
  })
}

/** Pods of a workload that was made smaller run, all with the new size or all with the former. */
function sizeFlaws(
  run: ActionRun,
  { state, now }: { readonly state: string; readonly now: ClusterSnapshot },
): readonly string[] {
  return run.plan.steps.flatMap(({ action }) => {
    if (action.kind !== 'resize') return []
    const wanted = JSON.stringify(state === 'kept' ? action.to : action.from)
    return now.pods
      .filter((pod) => pod.workload === action.workload)
      .filter(({ node, requests }) => node === undefined || JSON.stringify(requests) !== wanted)
      .map(({ id, requests }) => `${id} asks for ${JSON.stringify(requests)} and not for ${wanted}, or does not run`)
  })
}

/** What has ended the way it was wanted is without its node. */
const isGone = (run: ActionRun, name: string): boolean =>
  stateOf(run).state === 'kept' && run.plan.steps.some(({ action }) => isRemoval(action) && action.node === name)

const isRemoval = (action: Action): action is Extract<Action, { readonly kind: 'remove-node' }> =>
  action.kind === 'remove-node'

/** Pods without a GPU leave a node that goes, too. */
export async function podsToLeave({ writer }: ActingDemo<ActedOn>, plan: Plan): Promise<readonly string[]> {
  const kind = { group: '', version: 'v1', resource: 'pods', namespace: undefined }
  const removed = plan.steps.flatMap(({ action }) => (isRemoval(action) ? action.node : []))
  const pods = await Promise.all(removed.map((name) => writer.list(kind, { fieldSelector: `spec.nodeName=${name}` })))
  return pods.flat().map((pod) => `${textAt(pod, 'metadata', 'namespace')}/${textAt(pod, 'metadata', 'name')}`)
}

function evictionFlaws({ demo }: ActingDemo<ActedOn>, run: ActionRun, leaving: readonly string[]): readonly string[] {
  const planned = new Set([
    ...leaving,
    ...run.plan.steps.flatMap(({ action }) => (action.kind === 'evict' ? [action.pod] : [])),
  ])
  // By uid: a StatefulSet makes another pod of the same name, and what was refused evicted nobody.
  const evicted = Map.groupBy(
    demo.journal().filter(({ kind }) => kind === 'evicted'),
    ({ uid }) => uid,
  )
  return [...evicted.values()].flatMap((entries) => {
    const pod = entries[0]?.pod ?? ''
    return [
      ...(entries.length > 1 ? [`${pod} was evicted ${entries.length} times`] : []),
      // On the way back whoever has taken the new instances may have to leave, which the run then says.
      ...(planned.has(pod) || stateOf(run).state === 'reverted' ? [] : [`${pod} is not in the plan and was evicted`]),
    ]
  })
}
