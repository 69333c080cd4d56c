import { agree, firstFew, listed, nameOfWorkload, plural } from '../../words.ts'
import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import type { Gpu, GpuId, GpuNode } from '../../cluster/node.ts'
import type { GpuRequest, Pod } from '../../cluster/workload.ts'
import { geometryOf } from '../../gpu/layout.ts'
import { compareText, ratio, type Instant, HOUR_MS } from '../../units.ts'
import type { GpuTarget, PodMove } from '../words/action.ts'
import { unblock, type StartedWorkload, type UnblockAnswer } from '../repack/unblock.ts'
import { changedBy, confidenceOf, requestedShare, type Proposal } from './proposal.ts'
import type { RecommendContext } from './recommend-context.ts'
import { LEAST_WAIT_HOURS } from './reschedule.ts'
import { WHOLE_GPU_RESOURCE } from '../../gpu/whole-gpu.ts'
import { geometryWords } from '../steps/step-words.ts'

/** Running pods that may be displaced, in all, to start waiting ones. */
const MOST_MOVES = 3
/** Waiting this long, hours, is half a proof that it goes on waiting. */
const WAIT_HOURS = 1
/** Waiting pods that are looked at, the most urgent and longest waiting first. */
const MOST_WAITING = 200

/**
 * Layout changes that start waiting work: GPUs that nobody holds are cut again first, then few pods are moved. One
 * proposal for each node, unless a workload or a displaced pod ties nodes together.
 */
export function repartition(context: RecommendContext): readonly Proposal[] {
  const { targets, moves, starts } = steadyUnblock(patient(context), context)
  const started = starts.filter(({ by }) => by !== 'room')
  if (targets.length === 0 || started.length === 0) return []
  const changes = changesOf(targets, context)
  return groupsOf(changes, { moves, started }, context).flatMap((group) => {
    const gpus = new Set(group.map(({ gpu }) => gpu.id))
    const own = started.filter(({ on }) => on.some((gpu) => gpus.has(gpu)))
    return own.length === 0 ? [] : proposalOf({ group, moves }, own, context)
  })
}

/**
 * The snapshot without work that has waited for minutes only, which may be the scheduler's next turn, and without the
 * least urgent of more waiting pods than can be looked at.
 */
function patient({ snapshot }: RecommendContext): ClusterSnapshot {
  const waiting = snapshot.pods.filter(({ node, phase }) => node === undefined && phase === 'Pending')
  const byUrgency = waiting
    .filter(({ createdAt }) => snapshot.takenAt - createdAt >= LEAST_WAIT_HOURS * HOUR_MS)
    .toSorted(
      (a, b) => b.scheduling.priority - a.scheduling.priority || a.createdAt - b.createdAt || compareText(a.id, b.id),
    )
  const looked = new Set(byUrgency.slice(0, MOST_WAITING).map(({ id }) => id))
  // A workload starts whole or not at all, so it is looked at whole or not at all.
  const cut = new Set(waiting.filter(({ id }) => !looked.has(id)).map(({ workload }) => workload))
  const pods = snapshot.pods.filter(({ node, phase, workload }) => {
    return node !== undefined || phase !== 'Pending' || !cut.has(workload)
  })
  return { ...snapshot, pods }
}

type Unblocked = Pick<UnblockAnswer, 'targets' | 'moves' | 'starts'>

/**
 * On the nodes that were to change before, and what is left to do on the others; unless another change starts more pods,
 * or as many and displaces fewer. Where short work comes and goes there is always another GPU to begin with.
 */
function steadyUnblock(snapshot: ClusterSnapshot, context: RecommendContext): Unblocked {
  const free = unblock(snapshot, MOST_MOVES, context.wantedWhole)
  const before = (context.previous ?? []).filter(({ kind }) => kind === 'repartition')
  if (before.length === 0) return free
  const changed = new Set(before.flatMap((each) => [...changedBy(each, context)]))
  const [old, others] = [true, false].map((isOld) =>
    snapshot.nodes.flatMap(({ name, gpus }) => (changed.has(`node/${name}`) === isOld ? gpus.map(({ id }) => id) : [])),
  )
  const uncut = (gpus: readonly GpuId[] = []): ReadonlySet<GpuId> => new Set([...context.wantedWhole, ...gpus])
  const found = unblock(snapshot, MOST_MOVES, uncut(others))
  const first = { ...found, starts: found.starts.filter(({ by }) => by !== 'room') }
  const done = new Set(first.starts.flatMap(({ pods }) => pods))
  const pods = snapshot.pods.filter(({ id }) => !done.has(id))
  const rest = unblock({ ...snapshot, pods }, MOST_MOVES - first.moves.length, uncut(old))
  const both = {
    targets: [...first.targets, ...rest.targets],
    moves: [...first.moves, ...rest.moves],
    starts: [...first.starts, ...rest.starts],
  }
  return startedBy(free) > startedBy(both) || free.moves.length < both.moves.length ? free : both
}

const startedBy = ({ starts }: Unblocked): number => starts.reduce((sum, { pods }) => sum + pods.length, 0)

type Change = { readonly node: GpuNode; readonly gpu: Gpu; readonly target: GpuTarget }

function changesOf(targets: readonly GpuTarget[], { nodes }: RecommendContext): readonly Change[] {
  const gpus = new Map([...nodes.values()].flatMap((node) => node.gpus.map((gpu) => [gpu.id, { node, gpu }])))
  return targets.flatMap((target): Change[] => {
    const found = gpus.get(target.gpu)
    return found === undefined ? [] : [{ ...found, target }]
  })
}

type Ties = { readonly moves: readonly PodMove[]; readonly started: readonly StartedWorkload[] }

/** Changes that are of use only together: of one node, for one workload, or where a pod leaves one for another. */
function groupsOf(
  changes: readonly Change[],
  { moves, started }: Ties,
  { nodeOfGpu, heldBy }: RecommendContext,
): readonly (readonly Change[])[] {
  const changed = new Set(changes.map(({ node }) => node.name))
  const leader = new Map<string, string>()
  const leaderOf = (name: string): string => {
    const next = leader.get(name)
    return next === undefined || next === name ? name : leaderOf(next)
  }
  const tie = (names: readonly (string | undefined)[]): void => {
    const own = names.flatMap((name) => (name !== undefined && changed.has(name) ? leaderOf(name) : []))
    for (const name of own) leader.set(leaderOf(name), leaderOf(own[0] ?? name))
  }
  for (const { on } of started) tie(on.map((gpu) => nodeOfGpu.get(gpu)))
  for (const { pod, to } of moves) tie([heldBy.get(pod)?.[0]?.node, nodeOfGpu.get(to?.gpu ?? '')])
  return [...Map.groupBy(changes, ({ node }) => leaderOf(node.name)).values()]
}

const objectOf = (group: readonly Change[]): string => `node/${nodesOf(group).join('+')}`

const nodesOf = (group: readonly Change[]): readonly string[] =>
  [...new Set(group.map(({ node }) => node.name))].toSorted(compareText)

function proposalOf(
  { group, moves }: Pick<Unblocked, 'moves'> & { readonly group: readonly Change[] },
  starts: readonly StartedWorkload[],
  context: RecommendContext,
): Proposal {
  const gpus = new Set(group.map(({ gpu }) => gpu.id))
  const own = moves.filter(({ pod }) => (context.heldBy.get(pod) ?? []).some(({ gpu }) => gpus.has(gpu)))
  const displaced = new Set(own.map(({ pod }) => pod)).size
  const ids = new Set(starts.flatMap(({ pods }) => pods))
  const waiting = starts
    .flatMap(({ workload }) => context.podsOf.get(workload) ?? [])
    .filter(({ id }) => ids.has(id))
    .toSorted((a, b) => compareText(a.id, b.id))
  const hours = waitedHours(waiting, context)
  const names = starts.map(({ workload }) => nameOfWorkload(workload))
  const who = firstFew(names, 3)
  const effect =
    displaced === 0 ? 'It displaces no pod' : `It displaces ${plural(displaced, 'pod')}, with room kept for each`
  return {
    kind: 'repartition',
    object: objectOf(group),
    title: repartitionTitle(group),
    message: `${who} would start: ${plural(ids.size, 'pod waits', 'pods wait')} for ${missingWords(waiting.flatMap(({ requests }) => requests))}, and the current layout has no room for ${agree(ids.size, 'it', 'all of them')}. ${effect}.`,
    rule: { name: 'repartition', version: 1 },
    evidence: {
      query: `kubectl get pods -A --field-selector=status.phase=Pending`,
      window: { from: oldestOf(waiting, context), to: context.snapshot.takenAt },
      samples: waiting.length,
      coverage: ratio(1),
      figures: {
        'pods that start': ids.size,
        'longest wait, h': Math.round(hours * 10) / 10,
        asks: asksOf(waiting),
        'GPUs repartitioned': group.length,
        'pods displaced': displaced,
      },
    },
    wishes: [{ kind: 'layout', targets: group.map(({ target }) => target), moves: own }],
    starts: [...ids],
    displaces: displaced,
    bound:
      displaced === 0
        ? 'No pod is displaced: no plan can do better.'
        : `Every plan found displaces pods; displacing fewer than ${plural(displaced, 'pod')} is not ruled out.`,
    gain: {
      freed: group.slice(0, 1).map(({ node, gpu }) => ({
        gpus: waiting.reduce((sum, { requests }) => sum + requestedShare(requests, gpu.model ?? node.product), 0),
        pool: node.pool,
        model: gpu.model ?? node.product,
      })),
      shown: {
        kind: 'none',
        brings: `starts ${plural(ids.size, 'pod')}`,
        because: 'It starts waiting work on capacity that is paid for already: time, not money.',
      },
    },
    confidence: confidenceOf(hours, WAIT_HOURS, 1),
  }
}

const asksOf = (pods: readonly Pod[]): string =>
  [...new Set(pods.flatMap(({ requests }) => requests.map(({ resource }) => resource)))].toSorted().join(', ')

const oldestOf = (pods: readonly Pod[], { snapshot }: RecommendContext): Instant =>
  pods.reduce((oldest, { createdAt }) => (createdAt < oldest ? createdAt : oldest), snapshot.takenAt)

const waitedHours = (pods: readonly Pod[], context: RecommendContext): number =>
  (context.snapshot.takenAt - oldestOf(pods, context)) / HOUR_MS

/** So many kinds of change are told in a title; of more, how many GPUs they are of. */
const MOST_CHANGES = 3

/** "Repartition gpu-a: GPU 6 to 1 × 7g.80gb, GPUs 1 and 7 to 2 × 3g.40gb": which GPU gets what. */
export function repartitionTitle(changes: readonly Change[]): string {
  const sorted = changes.toSorted((a, b) => compareText(a.node.name, b.node.name) || a.gpu.index - b.gpu.index)
  const [first] = sorted
  const isOneNode = sorted.every(({ node }) => node.name === first?.node.name)
  const alike = [...Map.groupBy(sorted, (change) => `${isOneNode ? '' : change.node.name} ${becomes(change)}`).values()]
  const told = alike.slice(0, MOST_CHANGES).map((group) => {
    const [one] = group
    const on = isOneNode || one === undefined ? '' : ` on ${one.node.name}`
    const indexes = listed(group.map(({ gpu }) => gpu.index))
    return `${agree(group.length, 'GPU')} ${indexes}${on} to ${one === undefined ? '' : becomes(one)}`
  })
  const more = alike.slice(MOST_CHANGES).flat().length
  const list = `${told.join(', ')}${more === 0 ? '' : ` and ${plural(more, 'more GPU')}`}`
  return isOneNode ? `Repartition ${first?.node.name ?? ''}: ${list}` : `Repartition ${list}`
}

const becomes = ({ target }: Change): string =>
  geometryWords({ migEnabled: target.migEnabled, geometry: geometryOf(target.layout) })

/** What pods wait for: "a slice", "slices", "a GPU", "slices and GPUs". */
export function missingWords(asks: readonly GpuRequest[]): string {
  const whole = asks.filter(({ resource }) => resource === WHOLE_GPU_RESOURCE)
  const slices = asks.filter(({ resource }) => resource !== WHOLE_GPU_RESOURCE)
  return listed([...some(slices, 'slice'), ...some(whole, 'GPU')])
}

function some(asks: readonly GpuRequest[], one: string): readonly string[] {
  const count = asks.reduce((sum, ask) => sum + ask.count, 0)
  return count === 0 ? [] : [count === 1 ? `a ${one}` : `${one}s`]
}
