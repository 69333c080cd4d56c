import type { Allocation, ClusterSnapshot } from '../../cluster/inventory.ts'
import { CORDON_TAINT } from '../../cluster/scheduling.ts'
import type { Pod } from '../../cluster/workload.ts'
import { timeText } from '../../plan/appointment/appointment-words.ts'
import { askableOn, heldOf } from '../../fleet/askable-gpus.ts'
import { knownEnd } from '../../fleet/known-ends.ts'
import type { KeepFree, Plan } from '../../plan/words/action.ts'
import { agree, firstFew, grouped } from '../../words.ts'
import { latestOf, type FenceGap } from './fence-look.ts'

/**
 * Whether somebody holds GPUs of an appointment whom its plan does not know: who came in spite of the fence, or right before
 * it was closed. Anyone who is to be evicted, surely ends before the instant, or belongs to the appointment is not in
 * the way.
 */
export function takenGpus(
  action: KeepFree,
  { steps }: Pick<Plan, 'steps'>,
  snapshot: Pick<ClusterSnapshot, 'nodes' | 'pods' | 'allocations'>,
): FenceGap | undefined {
  const leaving = new Set(steps.flatMap((step) => (step.action.kind === 'evict' ? [step.action.uid] : [])))
  const gaps = action.nodes.flatMap(({ node: name, gpus }): readonly FenceGap[] => {
    const node = snapshot.nodes.find((each) => each.name === name)
    if (node === undefined) return []
    const askable = askableOn(node, action)
    const staying = snapshot.pods.filter(
      (pod) => pod.node === name && !leaving.has(pod.uid) && !isTheirs(pod, action) && !isGone(pod, action),
    )
    const allocations = allocationsOf(staying, snapshot.allocations)
    const holders = staying
      .map((pod) => ({ pod: pod.id, held: heldOf(pod, { allocations }, askable), since: pod.createdAt }))
      .filter(({ held }) => held > 0)
    const free = Math.max(0, askable.count - sumOf(holders, ({ held }) => held))
    if (free >= gpus || holders.length === 0) return []
    return [{ missing: gpus - free, because: wordsOf({ name, gpus, free, at: action.at }, holders) }]
  })
  const [first] = gaps
  return (
    first && { missing: sumOf(gaps, ({ missing }) => missing), because: gaps.map(({ because }) => because).join(' ') }
  )
}

const sumOf = <Each>(all: readonly Each[], of: (each: Each) => number): number =>
  all.reduce((sum, each) => sum + of(each), 0)

type Lack = { readonly name: string; readonly gpus: number; readonly free: number; readonly at: KeepFree['at'] }

function wordsOf({ name, gpus, free, at }: Lack, holders: Parameters<typeof latestOf>[0]): string {
  const who = latestOf(holders, gpus - free)
  const [them, end] = [agree(who.length, 'it', 'them'), agree(who.length, 'it ends', 'they end')]
  return `${name} has ${grouped(free)} of ${grouped(gpus)} free for ${timeText(at)}: ${firstFew(who, 5)} came last, and the plan does not evict ${them}. Nothing says that ${end} before then: evict ${them} by hand.`
}

const isTheirs = ({ namespace, scheduling }: Pod, action: KeepFree): boolean =>
  (action.namespace === undefined || namespace === action.namespace) &&
  scheduling.tolerations.some(({ key }) => key === CORDON_TAINT)

/** Whether it has ended, or surely will have by the instant. */
function isGone(pod: Pod, { at, longest }: KeepFree): boolean {
  if (pod.phase === 'Succeeded' || pod.phase === 'Failed') return true
  const end = knownEnd(pod, longest)
  return end !== undefined && end <= at
}

function allocationsOf(
  pods: readonly Pod[],
  allocations: readonly Allocation[],
): ReadonlyMap<string, readonly Allocation[]> {
  const held = new Map(pods.map(({ id }): [string, Allocation[]] => [id, []]))
  for (const allocation of allocations) held.get(allocation.pod)?.push(allocation)
  return held
}
