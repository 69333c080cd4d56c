import { WHOLE_GPU_RESOURCE } from '../../gpu/whole-gpu.ts'
import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import { unsoundGpu } from '../../cluster/soundness.ts'
import { askableOn } from '../../fleet/askable-gpus.ts'
import { CORDON_TAINT } from '../../cluster/scheduling.ts'
import { resourceOffered } from '../../gpu/profile-name.ts'
import type { KeepFree } from '../../plan/words/action.ts'
import { compareText } from '../../units.ts'
import { agree, firstFew, gpusText, grouped } from '../../words.ts'
import type { LiveObject } from '../cluster-writer.ts'
import { listAt, textAt, textsAt, valueAt } from '../live-object.ts'
import { podName, hasEnded } from '../nodes/pods-that-leave.ts'
import { seeing, type Ruled, type StepAsk } from './decision.ts'
import { isReady, nodeRef, podsBoundTo } from './node-steps.ts'

/** What an appointment has not got now, and why. */
export type FenceGap = {
  /** GPUs, or instances, that it would need more; 0 where a node is only open to others. */
  readonly missing: number
  /** One sentence for each node. */
  readonly because: string
}

/**
 * Looks at the nodes of an appointment that are closed: whether they are there and ready, still closed, and offer what is
 * kept; with `isFree` also whether nobody else holds that. Undefined: nothing is missing.
 */
export function* lookAtFence(
  action: KeepFree,
  { isFree }: { readonly isFree: boolean },
): Generator<StepAsk, FenceGap | undefined, Ruled> {
  const gaps: FenceGap[] = []
  for (const kept of action.nodes) {
    const gap = yield* gapOf(kept, action, isFree)
    if (gap !== undefined) gaps.push(gap)
  }
  return allOf(gaps)
}

/** The same by the newest reading, which knows of faults that the API server does not: which GPUs are broken. */
export function gapInSnapshot(action: KeepFree, { nodes }: Pick<ClusterSnapshot, 'nodes'>): FenceGap | undefined {
  const gaps = action.nodes.flatMap(({ node: name, gpus }): readonly FenceGap[] => {
    const node = nodes.find((each) => each.name === name)
    if (node === undefined) return []
    const { count } = askableOn(node, action)
    if (count >= gpus) return []
    const fault =
      node.gpus.map(unsoundGpu).find((because) => because !== undefined) ??
      'The others are partitioned or shared differently.'
    const have = `${name} has ${grouped(count)} of ${gpusText(gpus, action.profile)} healthy and partitioned as needed.`
    return [{ missing: gpus - count, because: `${have} ${fault}` }]
  })
  return allOf(gaps)
}

function allOf(gaps: readonly FenceGap[]): FenceGap | undefined {
  if (gaps.length === 0) return undefined
  return {
    missing: gaps.reduce((sum, { missing }) => sum + missing, 0),
    because: gaps.map(({ because }) => because).join(' '),
  }
}

function* gapOf(
  { node: name, gpus }: KeepFree['nodes'][number],
  action: KeepFree,
  isFree: boolean,
): Generator<StepAsk, FenceGap | undefined, Ruled> {
  const node = yield* seeing(nodeRef(name))
  if (node === undefined) return { missing: gpus, because: `${name} is no longer in the cluster.` }
  if (!isReady(node)) return { missing: gpus, because: `${name} is not ready.` }
  const resource = resourceOf(node, action)
  const offered = Number(valueAt(node, 'status', 'allocatable', resource) ?? 0)
  const holders = isFree ? holdersAmong(yield* podsBoundTo(name), resource, action) : []
  const free = Math.max(0, offered - holders.reduce((sum, { held }) => sum + held, 0))
  if (free < gpus) {
    const who = latestOf(holders, gpus - free)
    const why =
      who.length === 0
        ? `it offers ${gpusText(offered, action.profile)}`
        : `${firstFew(who, 5)} ${agree(who.length, 'holds', 'hold')} GPUs there`
    return { missing: gpus - free, because: `${name} has ${grouped(free)} of ${grouped(gpus)} free: ${why}.` }
  }
  return valueAt(node, 'spec', 'unschedulable') === true
    ? undefined
    : { missing: 0, because: `${name} accepts any pod: someone uncordoned it.` }
}

const resourceOf = (node: LiveObject, { profile }: KeepFree): string =>
  profile === undefined
    ? WHOLE_GPU_RESOURCE
    : resourceOffered(profile, textsAt(node, 'metadata', 'labels')['nvidia.com/mig.strategy'])

function holdersAmong(pods: Ruled, resource: string, action: KeepFree) {
  return pods.flatMap((pod) => {
    const held = hasEnded(pod) || isTheirs(pod, action) ? 0 : heldBy(pod, resource)
    return held === 0 ? [] : [{ pod: podName(pod), held, since: textAt(pod, 'metadata', 'creationTimestamp') }]
  })
}

/** Who came last, as far as they hold what is missing: those before them were counted on. */
export function latestOf(
  holders: ReadonlyArray<{ readonly pod: string; readonly held: number; readonly since: number | string }>,
  missing: number,
): readonly string[] {
  const names: string[] = []
  let counted = 0
  for (const { pod, held } of holders.toSorted((a, b) => compareSince(b.since, a.since) || compareText(a.pod, b.pod))) {
    if (counted >= missing) break
    names.push(pod)
    counted += held
  }
  return names
}

const compareSince = (a: number | string, b: number | string): number => (a < b ? -1 : Number(a > b))

/** Work that the GPUs are kept for may be there already: it carries what lets it in. */
function isTheirs(pod: LiveObject, { namespace }: KeepFree): boolean {
  if (namespace !== undefined && textAt(pod, 'metadata', 'namespace') !== namespace) return false
  return listAt(pod, 'spec', 'tolerations').some((toleration) => textAt(toleration, 'key') === CORDON_TAINT)
}

const heldBy = (pod: LiveObject, resource: string): number =>
  listAt(pod, 'spec', 'containers').reduce<number>(
    (sum, container) => sum + Number(valueAt(container, 'resources', 'limits', resource) ?? 0),
    0,
  )
