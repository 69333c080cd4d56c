import { compareText } from '../../units.ts'
import type { Gpu, GpuNode } from '../../cluster/node.ts'
import type { Pod } from '../../cluster/workload.ts'
import { geometryOf, type Layout, type PlacedInstance } from '../../gpu/layout.ts'
import { podsOf } from '../guardrail/displaced-by.ts'
import { refuse, type Verdict } from '../guardrail/guardrail.ts'
import type { Action, GpuChange, PlaceRules } from '../words/action.ts'
import { isChanged } from './apply-to-gpus.ts'
import { cutOf } from '../../fleet/gpu-state.ts'
import { instanceText } from '../../fleet/why-not.ts'
import { migConfigName } from '../words/mig-config.ts'
import { landingsOf } from './fence.ts'
import type { PlanUnit } from './plan-unit.ts'
import { holdersOf, podsOn, unplacedPods, type Fleet } from '../../fleet/fleet.ts'
import { unknownObject } from '../guardrail/guardrail.ts'
import { stepsByKind } from '../words/by-kind.ts'

export type UnitActions = { readonly kind: 'actions'; readonly actions: readonly Action[] } | Verdict

/** The actions of a unit in a legal order: cordon, evict what is in the way, change, uncordon. */
export const actionsOf = (unit: PlanUnit, state: Fleet): UnitActions =>
  stepsByKind<PlanUnit, UnitActions>(unit, {
    layout: (layout) => layoutActions(layout, state),
    share: ({ wish }) => shareActions(wish, state),
    'remove-node': (removed) => removeActions(removed, state),
    workload: ({ wish }) => workloadActions(wish, state),
  })

/** The pods that must leave before GPUs of the node are changed: their holders, and those whose GPU nobody knows. */
function podsInTheWay(state: Fleet, node: GpuNode, gpus: readonly Gpu[]): readonly Pod[] {
  const ids = new Set([
    ...gpus.flatMap((gpu) => holdersOf(state, gpu)),
    ...unplacedPods(state, node.name).map(({ id }) => id),
  ])
  return [...ids].toSorted(compareText).flatMap((id) => state.pods.get(id) ?? [])
}

type LayoutUnit = Extract<PlanUnit, { readonly kind: 'layout' }>

function layoutActions(unit: LayoutUnit, state: Fleet): UnitActions {
  const node = state.nodes.get(unit.node)
  if (node === undefined) return unknownObject('GPU', unit.targets[0]?.gpu ?? '')
  const twice = unit.targets.find(({ gpu }, index) => unit.targets[index - 1]?.gpu === gpu)
  if (twice !== undefined) return refuse('contradiction', `GPU ${twice.gpu} is wanted in two layouts at once.`)
  return unit.actuator === 'dra' ? draActions(unit, node, state) : migManagerActions(unit, node, state)
}

function migManagerActions({ targets }: LayoutUnit, node: GpuNode, state: Fleet): UnitActions {
  const gpus: GpuChange[] = []
  for (const gpu of node.gpus.toSorted((a, b) => a.index - b.index)) {
    const now = cutOf(gpu)
    if (now === undefined)
      return refuse('unknown-layout', `The current MIG layout of GPU ${gpu.id} of ${node.name} is unknown.`)
    const target = targets.find((candidate) => candidate.gpu === gpu.id)
    const kept = { migEnabled: now.migEnabled, geometry: geometryOf(now.layout) }
    const to = target === undefined ? kept : { migEnabled: target.migEnabled, geometry: geometryOf(target.layout) }
    gpus.push({ gpu: gpu.id, index: gpu.index, from: now, to })
  }
  if (new Set(gpus.map(({ index }) => index)).size < gpus.length) {
    return refuse(
      'unknown-layout',
      `Two GPUs of ${node.name} are said to have one index, so no configuration can name them.`,
    )
  }
  const half = gpus.find(({ to }) => !to.migEnabled && Object.keys(to.geometry).length > 0)
  if (half !== undefined)
    return refuse('contradiction', `GPU ${half.gpu} is wanted in instances and out of MIG mode at once.`)
  const changed = gpus.filter((change) => isChanged(node, change))
  if (changed.length === 0) return { kind: 'actions', actions: [] }
  const ids = new Set(changed.map(({ gpu }) => gpu))
  const inTheWay = podsInTheWay(
    state,
    node,
    node.gpus.filter(({ id }) => ids.has(id)),
  )
  const repartition: Action = {
    kind: 'repartition',
    node: node.name,
    config: migConfigName(gpus, node.mig.config),
    gpus,
  }
  return whileCordoned(state, node, [...evictions(inTheWay, `GPUs on ${node.name} are repartitioned`), repartition])
}

function draActions({ targets }: LayoutUnit, node: GpuNode, state: Fleet): UnitActions {
  const removals: Action[] = []
  const creations: Action[] = []
  const leaving = new Map<string, Pod>()
  for (const { gpu: id, layout } of targets) {
    const gpu = node.gpus.find((candidate) => candidate.id === id)
    const now = gpu === undefined ? undefined : cutOf(gpu)
    if (gpu === undefined || now === undefined)
      return refuse('unknown-layout', `The current MIG layout of GPU ${id} is unknown.`)
    const gone = without(now.layout, layout)
    removals.push(...gone.map((instance): Action => ({ kind: 'delete-instance', gpu: id, instance })))
    const made = without(layout, now.layout)
    if (gone.length + made.length === 0) continue
    creations.push(...made.map((instance): Action => ({ kind: 'create-instance', gpu: id, instance })))
    for (const pod of holdersOfInstances(state, gpu, gone)) leaving.set(pod.id, pod)
  }
  if (removals.length + creations.length === 0) return { kind: 'actions', actions: [] }
  const pods = [...leaving.values()].toSorted((a, b) => compareText(a.id, b.id))
  const before = [...evictions(pods, `its instance on ${node.name} makes room for others`), ...removals]
  // An instance comes into being when a pod's claim is prepared, so the node is open again before instances are made.
  const opening = before.length === 0 ? { kind: 'actions' as const, actions: [] } : whileCordoned(state, node, before)
  return { kind: 'actions', actions: [...opening.actions, ...creations] }
}

function holdersOfInstances(state: Fleet, gpu: Gpu, gone: Layout): readonly Pod[] {
  const starts = new Set(gone.map(({ placement }) => placement.start))
  const ids = gpu.partitions.flatMap((partition) => {
    // A GPU that is held whole has no instance to spare.
    const leaves = partition.kind !== 'mig' || starts.has(partition.placement?.start ?? -1)
    return leaves ? (state.holders.get(partition.id) ?? []) : []
  })
  return ids.flatMap((id) => state.pods.get(id) ?? [])
}

/** Instances of one layout that the other does not have. */
function without(layout: Layout, other: Layout): readonly PlacedInstance[] {
  const kept = new Set(other.map(instanceText))
  return layout
    .filter((instance) => !kept.has(instanceText(instance)))
    .toSorted((a, b) => a.placement.start - b.placement.start)
}

/** Who else divides GPUs. */
const SHARED_BY = { fractions: 'A scheduler shares', partitions: 'AMD’s compute partitions divide' } as const

function shareActions(wish: Extract<PlanUnit, { readonly kind: 'share' }>['wish'], state: Fleet): UnitActions {
  const node = state.nodes.get(wish.node)
  if (node === undefined) return unknownObject('node', wish.node)
  const { sharing: from } = node
  if (from.kind === 'fractions' || from.kind === 'partitions') {
    return refuse('shared', `${SHARED_BY[from.kind]} the GPUs of ${node.name}, not NVIDIA’s device plugin.`)
  }
  const others = podsOn(state, node.name).find(({ namespace }) => wish.to.kind !== 'none' && namespace !== wish.tenant)
  if (others !== undefined) {
    return refuse(
      'tenant-isolation',
      `${others.id} runs on ${node.name}, which would be shared inside ${wish.tenant === '' ? 'no namespace' : wish.tenant} only. Without hardware isolation a GPU is shared inside one namespace: choose another node, or use MIG.`,
    )
  }
  const because = `the device plugin of ${node.name} restarts with other replicas`
  const share: Action = { kind: 'share', node: node.name, from, to: wish.to, tenant: wish.tenant }
  return whileCordoned(state, node, [...evictions(podsOn(state, node.name), because), share])
}

function removeActions(
  { node: name, moves }: Extract<PlanUnit, { readonly kind: 'remove-node' }>,
  state: Fleet,
): UnitActions {
  const node = state.nodes.get(name)
  if (node === undefined) return unknownObject('node', name)
  const cordon: Action[] = node.schedulable ? [{ kind: 'cordon', node: name }] : []
  const pods = podsOn(state, name)
  // Who has no room kept may wait afterwards, so is not waited for.
  const placed = pods.flatMap(({ id, workload }) => (moves.get(id)?.to === undefined ? [] : workload))
  const landed = landingsOf(new Set(placed), state)
  const remove: Action = { kind: 'remove-node', node: name, ...(landed.length === 0 ? {} : { landed }) }
  return { kind: 'actions', actions: [...cordon, ...evictions(pods, `${name} is removed`), remove] }
}

function workloadActions(wish: Extract<PlanUnit, { readonly kind: 'workload' }>['wish'], state: Fleet): UnitActions {
  const pods = podsOf(state, wish.workload)
  const from = pods[0]?.requests
  if (from === undefined) return unknownObject('workload', wish.workload)
  if (wish.kind === 'scale') {
    const actions: readonly Action[] = pods.length === wish.to ? [] : [{ ...wish, from: pods.length }]
    return { kind: 'actions', actions }
  }
  const text = JSON.stringify(from)
  if (pods.some(({ requests }) => JSON.stringify(requests) !== text)) {
    return refuse(
      'unequal-pods',
      `The pods of ${wish.workload} have different requests, so one change cannot fit them all.`,
    )
  }
  return wish.kind === 'resize'
    ? { kind: 'actions', actions: [{ ...wish, from }] }
    : { kind: 'actions', actions: [{ ...wish, rules: rulesOf(pods), from: { pool: '', model: '', requests: from } }] }
}

function rulesOf(pods: readonly Pod[]): PlaceRules {
  const scheduling = pods[0]?.scheduling
  return { nodeSelector: scheduling?.nodeSelector ?? {}, hasAffinity: (scheduling?.nodeTerms ?? []).length > 0 }
}

const evictions = (pods: readonly Pod[], because: string): Action[] =>
  pods.map(({ id, uid, workload }) => ({ kind: 'evict', pod: id, uid, workload, because }))

/** A node that was cordoned before the plan stays so afterwards: somebody had a reason. */
function whileCordoned(
  state: Fleet,
  { name, schedulable }: GpuNode,
  actions: readonly Action[],
): { readonly kind: 'actions'; readonly actions: readonly Action[] } {
  const cordon: Action[] = schedulable ? [{ kind: 'cordon', node: name }] : []
  const uncordon: Action[] = state.cordonedBefore.has(name) ? [] : [{ kind: 'uncordon', node: name }]
  return { kind: 'actions', actions: [...cordon, ...actions, ...uncordon] }
}
