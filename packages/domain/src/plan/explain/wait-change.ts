import type { GpuPart } from '../../analyze/gpu-parts.ts'
import type { WaitChange } from '../../analyze/waits.ts'
import { nodeRefusal } from '../../cluster/node-rules.ts'
import type { GpuNode, PartitionId } from '../../cluster/node.ts'
import { quotaName } from '../../cluster/quota-limits.ts'
import type { Quota } from '../../cluster/scheduling.ts'
import type { ToldQuota } from '../../cluster/wait-cause.ts'
import type { Pod } from '../../cluster/workload.ts'
import { compareText } from '../../units.ts'
import { agree, listed, nameOfWorkload, plural } from '../../words.ts'
import type { CountedFleet } from '../../fleet/counted-fleet.ts'
import { couldGive, freeOn, type DeviceWish, type Nearest } from '../../fleet/nearest.ts'
import { isClosed, type OpenNode } from '../../fleet/open-nodes.ts'
import { recutPlaces, recutWords } from '../../fleet/recut-places.ts'
import { elsewhereText, firstOn, isOn, type Elsewhere, type ElsewhereOf } from './place-elsewhere.ts'

/** What changes are looked for in. */
export type ChangedFleet = {
  readonly fleet: CountedFleet
  readonly idle: ReadonlySet<PartitionId>
  /** By node. */
  readonly parts: ReadonlyMap<string, readonly GpuPart[]>
  readonly elsewhere: ElsewhereOf
}

/** What would have to be of the quota that holds work back: of the one that Kueue names, `short`, where it names one. */
export function quotaChange(
  found: readonly { readonly quota: Quota; readonly asked: number }[],
  short?: ToldQuota,
): WaitChange {
  const tight = found.find(({ quota }) => short === undefined || quota.resource === short.resource)
  if (tight === undefined) {
    const what = short === undefined ? '' : ` of ${short.resource} by ${short.missing}`
    return { kind: 'queue', sentence: `Raise its quota${what}, or end other work of it.` }
  }
  const { quota, asked } = tight
  const sentence = `Raise ${quotaName(quota)} from ${quota.hard} to ${quota.used + asked} ${quota.resource}.`
  return { kind: quota.queue === undefined ? 'quota' : 'queue', sentence }
}

/** A GPU that nobody holds, cut again: for a MIG device the one that a start names first. */
export function recut(fleet: ChangedFleet, able: readonly Nearest[], wish: DeviceWish): WaitChange | undefined {
  const [first] = able
  if (first === undefined) return undefined
  if (wish.kind === 'mig') {
    const nodes = new Set(able.map(({ node }) => node))
    const places = recutPlaces(
      fleet.fleet.nodes.filter((on) => nodes.has(on.node.name)),
      wish.profile,
    ).slice(0, 1)
    return { kind: 'recut', sentence: recutWords(places, wish.profile) }
  }
  const name = gpuName(fleet, { id: first.gpu, node: first.node })
  const sentence = `Change the MIG mode of ${name}, which is unallocated: then it can provide ${wishText(wish)}.`
  return { kind: 'switch', sentence }
}

/** A node that only the pod's own rules keep it off: the one that a recommendation would name first. */
export function looseRules(gpus: readonly Nearest[], elsewhere: Elsewhere | undefined): WaitChange | undefined {
  const barred = firstOn(
    gpus.filter(({ found }) => found === 'rules'),
    elsewhere,
  )
  if (barred === undefined) return undefined
  const sentence = `Let it run on ${barred.node}${isOn(elsewhere, barred) ? ` (${elsewhereText(elsewhere)})` : ''} too: only its node selector, affinity or a missing toleration keeps it off.`
  return { kind: 'rules', sentence }
}

/** A change that keeps the rules of the work comes first; that another place would do as well is said beside it. */
export const besides = (change: WaitChange, elsewhere: Elsewhere | undefined): WaitChange =>
  elsewhere === undefined || change.kind === 'rules'
    ? change
    : {
        ...change,
        sentence: `${change.sentence} Or let it run on ${elsewhereText(elsewhere)}, where only its node selector or affinity keeps it off.`,
      }

/** Who would have to give idle GPUs back, the fewest first; undefined where that would not be enough. */
export function leaveIdle(fleet: ChangedFleet, nodes: readonly OpenNode[], wish: DeviceWish): WaitChange | undefined {
  const count = wish.kind === 'mig' ? 1 : wish.count
  const [best] = nodes
    .map((on) => {
      const missing = count - (wish.kind === 'mig' ? 0 : freeOn(on))
      const held = (fleet.parts.get(on.node.name) ?? []).filter(
        (part) => part.kind === 'held' && isWished(part, wish) && fleet.idle.has(part.partition),
      )
      return { missing, parts: held.slice(0, Math.max(0, missing)) }
    })
    .filter(({ missing, parts }) => missing > 0 && parts.length === missing)
    .toSorted((a, b) => a.missing - b.missing)
  const [part] = best?.parts ?? []
  if (best === undefined || part === undefined) return undefined
  const who = [...new Set(best.parts.map(({ workload }) => nameOfWorkload(workload)))]
  const what = best.parts.length > 1 ? `${best.parts.length} GPUs of ${part.node}` : nameOfPart(fleet, part)
  return { kind: 'evict', sentence: `Stop ${listed(who)}, which ${agree(who.length, 'holds', 'hold')} ${what} idle.` }
}

const isWished = ({ profile, share }: GpuPart, wish: DeviceWish): boolean =>
  wish.kind === 'mig' ? profile === wish.profile : profile === '' && share === 1

/** A broken or cordoned GPU that could take it. */
export function mend(fleet: ChangedFleet, { scheduling }: Pod, wish: DeviceWish | undefined): WaitChange | undefined {
  if (wish === undefined) return undefined
  return fleet.fleet.nodes.flatMap((on) => {
    const { node } = on
    const closed = isClosed(on)
    const taints = node.room.taints.filter(({ key }) => !key.startsWith('node.kubernetes.io/'))
    if (nodeRefusal(scheduling, { ...node.room, taints }) !== undefined) return []
    const parts = (fleet.parts.get(node.name) ?? []).filter(
      // Of a node that is left out as a whole what is free comes back with it.
      (part) => (part.kind === 'down' || (part.kind === 'free' && closed)) && isWished(part, wish),
    )
    const broken = parts.find(({ kind }) => kind === 'down' || !node.schedulable)
    const enough = wish.kind === 'mig' ? 1 : wish.count - (closed ? 0 : freeOn(on))
    return broken !== undefined && parts.length >= enough ? [mendNode(fleet, node, broken)] : []
  })[0]
}

function mendNode(fleet: ChangedFleet, node: GpuNode, part: GpuPart): WaitChange {
  const fault = node.gpus.find(({ id }) => id === part.gpu)?.fault
  if (!node.ready) return { kind: 'mend', sentence: `Bring ${node.name} back: it is not ready.` }
  if (!node.schedulable) return { kind: 'mend', sentence: `Uncordon ${node.name}: what it needs is free there.` }
  return fault === undefined
    ? { kind: 'mend', sentence: `Fix ${node.name}: its device plugin does not offer all of its GPUs.` }
    : { kind: 'mend', sentence: `Fix ${nameOfPart(fleet, part)}: it has a fault.` }
}

/** One node more of the smallest kind that could take it. */
export function addNode(nodes: readonly OpenNode[], wish: DeviceWish): WaitChange {
  const [like] = nodes
    .filter((on) => couldGive(on, wish))
    .map(({ node }) => node)
    .toSorted((a, b) => a.gpus.length - b.gpus.length || compareText(a.name, b.name))
  const sentence =
    like === undefined
      ? `Add a node that can give ${wish.kind === 'whole' ? plural(wish.count, 'GPU') : wishText(wish)}: none that it may use can.`
      : `Add one node like ${like.name} (${like.gpus.length} × ${like.model ?? like.product}).`
  return { kind: 'add-node', sentence }
}

const wishText = (wish: DeviceWish): string =>
  wish.kind === 'mig' ? `a ${wish.profile}` : wish.count === 1 ? 'a whole GPU' : `${wish.count} GPUs of one node`

/** "GPU 3 of node-a". */
export function gpuName({ fleet }: ChangedFleet, { id, node }: { readonly id: string; readonly node: string }): string {
  const index = fleet.snapshot.nodes.find(({ name }) => name === node)?.gpus.find((gpu) => gpu.id === id)?.index
  return index === undefined ? `a GPU of ${node}` : `GPU ${index} of ${node}`
}

const nameOfPart = (fleet: ChangedFleet, { gpu, node, profile }: GpuPart): string =>
  `${profile === '' ? '' : `a ${profile} on `}${gpuName(fleet, { id: gpu, node })}`
