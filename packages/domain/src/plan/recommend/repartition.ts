import type { Gpu, GpuId, GpuNode } from '../../cluster/node.ts'
import type { Pod, WorkloadId } from '../../cluster/workload.ts'
import { profileOf, sliceShare } from '../../gpu/board.ts'
import type { ProfileName } from '../../gpu/geometry.ts'
import { boardFor } from '../../gpu/known-boards.ts'
import { profileOfResource } from '../../gpu/profile-name.ts'
import { compareText, ratio } from '../../units.ts'
import type { GpuTarget, PodMove } from '../action/action.ts'
import { geometryWords } from '../action/words.ts'
import { geometryOf } from '../../gpu/layout.ts'
import { WHOLE_GPU } from '../layout/layout-problem.ts'
import { unblock, type StartedWorkload } from '../repack/unblock.ts'
import { confidenceOf, type Proposal } from './proposal.ts'
import type { RecommendContext } from './recommend-context.ts'

/** Running pods that may be displaced, in all, to start waiting ones. */
const MOST_MOVES = 3
/** Waiting this long, hours, is half a proof that it goes on waiting. */
const WAIT_HOURS = 1

/**
 * Layout changes that start waiting work: GPUs that nobody holds are cut anew first, then few pods are moved. One
 * proposal for each node, unless moves tie nodes together.
 */
export function repartition(context: RecommendContext): readonly Proposal[] {
  const { targets, moves, starts } = unblock(context.snapshot, MOST_MOVES)
  const started = starts.filter(({ by }) => by !== 'room')
  if (targets.length === 0 || started.length === 0) return []
  const changes = changesOf(targets, context)
  const left = new Map(started.map((start) => [start.workload, wantedBy(start, context)]))
  return groupsOf(changes, moves).flatMap((group) => {
    const own = started.filter((start) => takeFrom(group, left.get(start.workload) ?? new Map()))
    return own.length === 0 ? [] : (proposalOf(group, own, { context, moves }) ?? [])
  })
}

type Change = {
  readonly node: GpuNode
  readonly gpu: Gpu
  readonly target: GpuTarget
  /** Instances by profile that the change adds; the whole GPU under its own name. */
  readonly added: Map<ProfileName, number>
}

function changesOf(targets: readonly GpuTarget[], { nodes }: RecommendContext): readonly Change[] {
  const gpus = new Map([...nodes.values()].flatMap((node) => node.gpus.map((gpu) => [gpu.id, { node, gpu }])))
  return targets.flatMap((target): Change[] => {
    const found = gpus.get(target.gpu)
    if (found === undefined) return []
    const added = new Map<ProfileName, number>()
    if (!target.migEnabled) added.set(WHOLE_GPU, 1)
    for (const { profile } of target.layout) add(added, profile, 1)
    for (const partition of found.gpu.partitions) if (partition.kind === 'mig') add(added, partition.profile, -1)
    return [{ ...found, target, added }]
  })
}

const add = (counts: Map<ProfileName, number>, profile: ProfileName, by: number): void => {
  counts.set(profile, (counts.get(profile) ?? 0) + by)
}

/** What the pods of a waiting workload ask for, by profile. */
function wantedBy({ pods }: StartedWorkload, { snapshot }: RecommendContext): Map<ProfileName, number> {
  const wanted = new Map<ProfileName, number>()
  const ids = new Set(pods)
  for (const { resource, count } of snapshot.pods.filter(({ id }) => ids.has(id)).flatMap(({ requests }) => requests)) {
    add(wanted, profileOfResource(resource) ?? WHOLE_GPU, count)
  }
  return wanted
}

/** By node; all together where a displaced pod moves to another GPU that changes. */
function groupsOf(changes: readonly Change[], moves: readonly PodMove[]): readonly (readonly Change[])[] {
  const byGpu = new Map<GpuId, string>(changes.map(({ gpu, node }) => [gpu.id, node.name]))
  const tied = moves.some(({ to }) => to !== undefined && byGpu.has(to.gpu))
  if (tied) return [changes]
  return [...Map.groupBy(changes, ({ node }) => node.name)]
    .toSorted(([a], [b]) => compareText(a, b))
    .map(([, group]) => group)
}

/** Gives a workload what the group adds and it still wants; whether it got anything. */
function takeFrom(group: readonly Change[], wanted: Map<ProfileName, number>): boolean {
  let took = false
  for (const { added } of group) {
    for (const [profile, want] of wanted) {
      const given = Math.min(want, Math.max(0, added.get(profile) ?? 0))
      if (given === 0) continue
      add(added, profile, -given)
      add(wanted, profile, -given)
      took = true
    }
  }
  return took
}

function proposalOf(
  group: readonly Change[],
  starts: readonly StartedWorkload[],
  { context, moves }: { readonly context: RecommendContext; readonly moves: readonly PodMove[] },
): Proposal | undefined {
  const [first] = group
  if (first === undefined) return undefined
  const nodes = [...new Set(group.map(({ node }) => node.name))].toSorted()
  const own = moves.filter(({ from }) => group.some(({ gpu }) => from === gpu.id || from.startsWith(`${gpu.id}/`)))
  const ids = new Set(starts.flatMap(({ pods }) => pods))
  const waiting = context.snapshot.pods.filter(({ id }) => ids.has(id))
  const hours = waitedHours(waiting, context)
  const names = starts.map(({ workload }) => nameOf(workload))
  const displaced =
    own.length === 0
      ? 'It displaces nobody'
      : `It displaces ${own.length} ${own.length === 1 ? 'pod' : 'pods'}, with room kept for each`
  return {
    kind: 'repartition',
    object: `node/${nodes.join('+')}`,
    title: `Cut ${group.length} ${group.length === 1 ? 'GPU' : 'GPUs'} of ${nodes.join(', ')} anew: ${cutsOf(group)}`,
    message: `${names.slice(0, 3).join(', ')}${names.length > 3 ? ` and ${names.length - 3} more` : ''} would start: ${ids.size} ${ids.size === 1 ? 'pod that waits' : 'pods that wait'} for what no node offers now. ${displaced}.`,
    rule: { name: 'repartition', version: 1 },
    evidence: {
      query: `kubectl get pods -A --field-selector=status.phase=Pending`,
      window: { from: context.window.from, to: context.snapshot.takenAt },
      samples: waiting.length,
      coverage: ratio(1),
      figures: {
        'pods that start': ids.size,
        'longest wait, h': Math.round(hours * 10) / 10,
        asks: asksOf(waiting),
        'GPUs cut anew': group.length,
        'pods displaced': own.length,
      },
    },
    wishes: [{ kind: 'layout', targets: group.map(({ target }) => target), moves: own }],
    bound:
      own.length === 0
        ? 'Nobody is displaced: no plan can displace fewer.'
        : 'The change that displaces nobody does not exist; that fewer would do is not ruled out.',
    gain: {
      gpus: waiting.reduce((sum, pod) => sum + shareOf(pod, first.gpu), 0),
      pool: first.node.pool,
      model: first.gpu.model ?? first.node.product,
      shown: { kind: 'none', because: 'It starts waiting work on capacity that is paid for already: time, not money.' },
    },
    confidence: confidenceOf(hours, WAIT_HOURS, 1),
  }
}

const cutsOf = (group: readonly Change[]): string =>
  [...new Set(group.map(({ target }) => geometryWords({ ...target, geometry: geometryOf(target.layout) })))]
    .slice(0, 2)
    .join('; ')

const asksOf = (pods: readonly Pod[]): string =>
  [...new Set(pods.flatMap(({ requests }) => requests.map(({ resource }) => resource)))].toSorted().join(', ')

function waitedHours(pods: readonly Pod[], { snapshot }: RecommendContext): number {
  return pods.reduce((most, { createdAt }) => Math.max(most, (snapshot.takenAt - createdAt) / 3_600_000), 0)
}

/** What a waiting pod asks for, in GPUs of this board. */
function shareOf({ requests }: Pod, { model }: Gpu): number {
  const board = boardFor(model ?? '')
  return requests.reduce((sum, { resource, count }) => {
    const name = profileOfResource(resource)
    const profile = board === undefined || name === undefined ? undefined : profileOf(board, name)
    return sum + count * (board === undefined || profile === undefined ? 1 : sliceShare(board, profile))
  }, 0)
}

function nameOf(workload: WorkloadId): string {
  const [namespace = '', , name = ''] = workload.split('/')
  return `${namespace}/${name}`
}
