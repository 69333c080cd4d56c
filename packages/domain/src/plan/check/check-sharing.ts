import type { GpuNode, Sharing } from '../../cluster/node.ts'
import type { Pod } from '../../cluster/workload.ts'
import { podsOn, type Fleet } from '../../fleet/fleet.ts'
import { sameSharing, resourceOf } from '../../fleet/gpu-state.ts'
import { isGpuResource } from '../../gpu/gpu-resource.ts'
import { WHOLE_GPU_RESOURCE } from '../../gpu/whole-gpu.ts'
import { firstFew } from '../../words.ts'
import { strategyMisfit } from '../guardrail/fits-board.ts'
import { cutNow, useFit, whyNodeUnknown } from './check-mig.ts'
import { nodeFit, type NodeFit, type PluginConfig, type SharedResources } from './config-check.ts'

/** How many of each resource a node would offer, and whether a pod may ask for one alone. */
export type Offer = ReadonlyMap<string, { readonly count: number; readonly oneOnly: boolean }>

/** What a node offers under a configuration of the device plugin. */
export function offerUnder(config: PluginConfig, node: GpuNode): Offer {
  const { resources, rename, oneOnly } = sharedUnder(config, node)
  const devices = Map.groupBy(devicesOf(under(config, node)), (name) => name)
  return new Map(
    [...devices].map(([name, all]) => {
      const row = resources.find((each) => each.name === name)
      const offered = row !== undefined && rename ? `${name}.shared` : name
      return [offered, { count: all.length * (row?.replicas ?? 1), oneOnly: row !== undefined && oneOnly }]
    }),
  )
}

/** The node with the strategy that it would have. */
const under = ({ strategy }: PluginConfig, node: GpuNode): GpuNode =>
  strategy === undefined ? node : { ...node, mig: { ...node.mig, strategy } }

/** What a configuration shares; as it is where that says nothing of it. */
const sharedUnder = ({ shared }: PluginConfig, { sharing, allocatable }: GpuNode): SharedResources =>
  shared ?? {
    kind: sharing.kind,
    resources: sharing.kind === 'none' ? [] : [{ name: WHOLE_GPU_RESOURCE, replicas: sharing.replicas }],
    rename: Object.keys(allocatable).some((name) => name.endsWith('.shared')),
    oneOnly: false,
  }

/** Physical devices of a node by the name that they have unshared. */
const devicesOf = (node: GpuNode): readonly string[] =>
  node.gpus.flatMap((gpu) => {
    const instances = gpu.partitions.filter(({ kind }) => kind === 'mig')
    if (node.mig.strategy === 'none' || !gpu.migEnabled) return WHOLE_GPU_RESOURCE
    return instances.map((partition) => resourceOf(node, partition))
  })

/** What a configuration of the device plugin, or another MIG strategy, would do on a node. */
export function sharingFit(config: PluginConfig, node: GpuNode, fleet: Fleet): NodeFit {
  const closed = whyNodeUnknown(node)
  if (closed !== undefined) return nodeFit('unknown', [closed])
  const [shared, then] = [sharedUnder(config, node), under(config, node)]
  const misfit = whyUnadvertised(config, node) ?? whyUnshareable(shared, then)
  if (misfit !== undefined) return nodeFit('misfit', [misfit])
  const [names, own] = [shared.resources.map(({ name }) => name), devicesOf(then)]
  return names.length === 0 || names.some((name) => own.includes(name))
    ? effectOf(config, node, fleet)
    : nodeFit('misfit', [`it has no ${names.join(', ')} to share`], { foreign: true })
}

/** On a node that can be as it says: who loses by it. */
function effectOf(config: PluginConfig, node: GpuNode, fleet: Fleet): NodeFit {
  const offer = offerUnder(config, node)
  const lost = losersOf(podsOn(fleet, node.name), offer, node)
  // Where the daemon of MPS starts or ends, processes on a GPU cannot go on.
  const isMpsChanged = config.shared !== undefined && (config.shared.kind === 'mps') !== (node.sharing.kind === 'mps')
  const used = isMpsChanged ? useFit(node.gpus, node, fleet) : nodeFit('fits')
  const because = [
    ...lost.map(({ words }) => words),
    ...(used.verdict === 'fits' ? [] : ['MPS starts or ends there, so whatever uses its GPUs has to stop first']),
  ]
  const verdict = isAlready(config, node, offer) ? 'already' : 'fits'
  const pods = [...lost.flatMap((each) => each.pods), ...used.pods]
  return nodeFit(because.length > 0 ? 'in-use' : verdict, because, { pods })
}

/** GPUs that are cut already, under another strategy. */
function whyUnadvertised({ strategy }: PluginConfig, node: GpuNode): string | undefined {
  const cuts = node.gpus.flatMap((gpu) => cutNow(gpu) ?? []).map((to) => ({ to }))
  const isMisfit = strategyMisfit(under({ strategy }, node), cuts) !== undefined
  if (strategy === undefined || !isMisfit || !cuts.some(({ to }) => to.migEnabled)) return undefined
  return strategy === 'none'
    ? 'it would no longer offer its MIG devices'
    : 'its GPUs are cut differently, so under MIG strategy single it would offer none of them'
}

function whyUnshareable({ kind, resources }: SharedResources, node: GpuNode): string | undefined {
  if (kind !== 'mps' || resources.length === 0) return undefined
  if (node.mig.strategy === 'mixed') return 'the plugin refuses MPS under MIG strategy mixed'
  return node.gpus.some(({ migEnabled }) => migEnabled)
    ? 'its GPUs are in MIG mode, and MPS shares no MIG devices'
    : undefined
}

type Loss = { readonly pods: readonly string[]; readonly words: string }

/** Pods that would not start again under what a node offers then, and why. What it does not offer now, it cannot take away. */
function losersOf(pods: readonly Pod[], offer: Offer, { allocatable }: GpuNode): readonly Loss[] {
  const asked = pods.flatMap(({ id, requests }) => requests.map((request) => ({ id, ...request })))
  const offered = asked.filter(({ resource }) => isGpuResource(resource) && (allocatable[resource] ?? 0) > 0)
  return [...Map.groupBy(offered, ({ resource }) => resource)].flatMap(([resource, all]) => {
    const { count, oneOnly } = offer.get(resource) ?? { count: 0, oneOnly: false }
    const several = all.filter((each) => oneOnly && each.count > 1)
    const held = all.reduce((sum, each) => sum + each.count, 0)
    if (several.length === 0 && held <= count) return []
    const words = !offer.has(resource)
      ? `pods ask for ${resource}, which it would no longer offer: they do not start again`
      : several.length > 0
        ? `pods ask for more than one ${resource}, which the plugin would refuse when they start again`
        : `pods hold ${held} ${resource}, and it would offer ${count}: not all start again`
    return { words, pods: (several.length > 0 ? several : all).map(({ id }) => id) }
  })
}

/** Whether requests for several are refused cannot be seen on a node. */
function isAlready(config: PluginConfig, node: GpuNode, offer: Offer): boolean {
  const { kind, resources } = sharedUnder(config, node)
  const [first] = resources
  const wanted: Sharing = kind === 'none' || first === undefined ? { kind: 'none' } : { kind, replicas: first.replicas }
  const offered = Object.entries(node.allocatable).filter(([name, count]) => isGpuResource(name) && count > 0)
  return (
    under(config, node).mig.strategy === node.mig.strategy &&
    (config.shared === undefined || sameSharing(wanted, node.sharing)) &&
    offered.every(([name]) => offer.has(name))
  )
}

/** Waiting pods that ask for what some node offers now and none would then, in sentences. */
export function waitersFor(fleet: Fleet, offers: ReadonlyMap<string, Offer>): readonly string[] {
  const nodes = [...fleet.nodes.values()]
  const now = new Set(nodes.flatMap(({ allocatable }) => Object.keys(allocatable)))
  const then = new Set(
    nodes.flatMap(({ name, allocatable }) => [...(offers.get(name)?.keys() ?? Object.keys(allocatable))]),
  )
  const waiting = [...fleet.pods.values()].filter(({ node }) => node === undefined)
  return [...now].flatMap((resource) => {
    if (!isGpuResource(resource) || then.has(resource)) return []
    const names = waiting.flatMap(({ id, requests }) => (requests.some((each) => each.resource === resource) ? id : []))
    return names.length === 0
      ? []
      : `Waiting pods ask for ${resource}, which no node would offer: ${firstFew(names, 3)}.`
  })
}
