import type { GpuNode, Sharing } from '../../cluster/node.ts'
import type { GpuRequest, Pod } from '../../cluster/workload.ts'
import { podsOn, type Fleet } from '../../fleet/fleet.ts'
import { cutOf, sameSharing, resourceOf } from '../../fleet/gpu-state.ts'
import { isGpuResource } from '../../gpu/gpu-resource.ts'
import { geometryOf } from '../../gpu/layout.ts'
import { WHOLE_GPU_RESOURCE } from '../../gpu/whole-gpu.ts'
import { plural } from '../../words.ts'
import { strategyMisfit } from '../guardrail/fits-board.ts'
import { unknownFit, useFit, whyNodeUnknown } from './check-mig.ts'
import type { NodeFit } from './config-check.ts'
import type { PluginConfig, SharedResources } from './read-plugin-config.ts'

/** What a node would offer: how many of each resource, and of which a pod may ask for one alone. */
export type Offer = { readonly counts: ReadonlyMap<string, number>; readonly oneOnly: ReadonlySet<string> }

/** What a node offers under a configuration of the device plugin. */
export function offerUnder(config: PluginConfig, node: GpuNode): Offer {
  const { resources, rename, oneOnly } = sharedUnder(config, node)
  const devices = Map.groupBy(devicesOf(under(config, node)), (name) => name)
  const rows = [...devices].map(([name, all]) => {
    const row = resources.find((each) => each.name === name)
    const offered = row !== undefined && rename ? `${name}.shared` : name
    return { offered, count: all.length * (row?.replicas ?? 1), refuses: row !== undefined && oneOnly }
  })
  return {
    counts: new Map(rows.map(({ offered, count }) => [offered, count])),
    oneOnly: new Set(rows.flatMap(({ offered, refuses }) => (refuses ? offered : []))),
  }
}

/** The node with the strategy that it would have. */
const under = ({ strategy }: PluginConfig, node: GpuNode): GpuNode =>
  strategy === undefined ? node : { ...node, mig: { ...node.mig, strategy } }

/** What a configuration shares; as it is where that says nothing of it. */
const sharedUnder = ({ shared }: PluginConfig, { sharing, allocatable }: GpuNode): SharedResources =>
  shared ?? {
    kind: sharing.kind === 'mps' ? 'mps' : sharing.kind === 'none' ? 'none' : 'time-slicing',
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
  if (closed !== undefined) return unknownFit([closed])
  const misfit = whyUnadvertised(config, node) ?? whyUnshareable(sharedUnder(config, node), under(config, node))
  const empty = misfit ?? nothingToShare(sharedUnder(config, node), under(config, node))
  return empty === undefined
    ? effectOf(config, node, fleet)
    : { verdict: 'misfit', because: [empty], pods: [], foreign: misfit === undefined }
}

/** On a node that can be as it says: who loses by it. */
function effectOf(config: PluginConfig, node: GpuNode, fleet: Fleet): NodeFit {
  const offer = offerUnder(config, node)
  const lost = losersOf(podsOn(fleet, node.name), offer)
  const used = changesMps(config, node) ? useFit(node.gpus, node, fleet) : undefined
  const stops = used?.verdict === 'in-use' ? used.pods : undefined
  const because = [
    ...lost.because,
    ...(stops === undefined ? [] : ['MPS starts or ends there, so whatever uses its GPUs has to stop first']),
  ]
  const pods = [...new Set([...lost.pods, ...(stops ?? [])])].toSorted()
  const verdict = isAlready(config, node, offer) ? 'already' : 'fits'
  return { verdict: because.length > 0 ? 'in-use' : verdict, because, pods, foreign: false }
}

/** GPUs that are cut already, under the strategy. */
function whyUnadvertised({ strategy }: PluginConfig, node: GpuNode): string | undefined {
  const cuts = node.gpus.flatMap((gpu) => cutOf(gpu) ?? [])
  const to = cuts.map(({ migEnabled, layout }) => ({ to: { migEnabled, geometry: geometryOf(layout) } }))
  const isCut = cuts.some(({ migEnabled }) => migEnabled)
  const because = isCut ? strategyMisfit(under({ strategy }, node), to) : undefined
  if (because === undefined || strategy === undefined) return because && `it ${because}`
  return strategy === 'none'
    ? 'it would no longer offer its MIG devices'
    : 'its GPUs are cut differently, so under MIG strategy single it would offer none of them'
}

function whyUnshareable({ kind, resources }: SharedResources, node: GpuNode): string | undefined {
  if (kind === 'none' || resources.length === 0) return undefined
  if (kind === 'mps' && node.mig.strategy === 'mixed') return 'the plugin refuses MPS under MIG strategy mixed'
  if (kind === 'mps' && node.gpus.some(({ migEnabled }) => migEnabled))
    return 'its GPUs are in MIG mode, and MPS shares no MIG devices'
  return undefined
}

function nothingToShare({ resources }: SharedResources, node: GpuNode): string | undefined {
  const own = new Set(devicesOf(node))
  const names = resources.map(({ name }) => name)
  return names.length === 0 || names.some((name) => own.has(name))
    ? undefined
    : `it has no ${names.join(', ')} to share`
}

/** Where the daemon of MPS starts or ends, processes on a GPU cannot go on. */
const changesMps = ({ shared }: PluginConfig, { sharing }: GpuNode): boolean =>
  shared !== undefined && (shared.kind === 'mps') !== (sharing.kind === 'mps')

/** Pods that would not start again under what a node offers then, and why. */
function losersOf(pods: readonly Pod[], { counts, oneOnly }: Offer) {
  const asked = pods.flatMap(({ id, requests }) =>
    requests.filter(({ resource }) => isGpuResource(resource)).map((request) => ({ id, ...request })),
  )
  const gone = asked.filter(({ resource }) => !counts.has(resource))
  const several = asked.filter(({ resource, count }) => oneOnly.has(resource) && count > 1)
  const short = [...Map.groupBy(asked, ({ resource }) => resource)].filter(
    ([resource, all]) => counts.has(resource) && sumOf(all) > (counts.get(resource) ?? 0),
  )
  return {
    pods: [...gone, ...several, ...short.flatMap(([, all]) => all)].map(({ id }) => id),
    because: [
      ...[...new Set(gone.map(({ resource }) => resource))].map(
        (resource) => `pods ask for ${resource}, which it would no longer offer: they do not start again`,
      ),
      ...[...new Set(several.map(({ resource }) => resource))].map(
        (resource) => `pods ask for more than one ${resource}, which the plugin would refuse when they start again`,
      ),
      ...short.map(
        ([resource, all]) =>
          `pods hold ${sumOf(all)} ${resource}, and it would offer ${counts.get(resource) ?? 0}: not all start again`,
      ),
    ],
  }
}

const sumOf = (requests: readonly GpuRequest[]): number => requests.reduce((sum, { count }) => sum + count, 0)

/** Whether requests for several are refused cannot be seen on a node. */
function isAlready(config: PluginConfig, node: GpuNode, { counts }: Offer): boolean {
  const { kind, resources } = sharedUnder(config, node)
  const [first] = resources
  const wanted: Sharing = kind === 'none' || first === undefined ? { kind: 'none' } : { kind, replicas: first.replicas }
  const offered = Object.entries(node.allocatable).filter(([name, count]) => isGpuResource(name) && count > 0)
  return (
    under(config, node).mig.strategy === node.mig.strategy &&
    (config.shared === undefined || sameSharing(wanted, node.sharing)) &&
    offered.every(([name]) => counts.has(name))
  )
}

/** Waiting pods that ask for what some node offers now and none would then, in sentences. */
export function waitersFor(fleet: Fleet, offers: ReadonlyMap<string, Offer>): readonly string[] {
  const now = new Set([...fleet.nodes.values()].flatMap(({ allocatable }) => Object.keys(allocatable)))
  const then = new Set(
    [...fleet.nodes.values()].flatMap(({ name, allocatable }) => [
      ...(offers.get(name)?.counts.keys() ?? Object.keys(allocatable)),
    ]),
  )
  const waiting = [...fleet.pods.values()].filter(({ node }) => node === undefined)
  const lost = [...now].filter((resource) => isGpuResource(resource) && !then.has(resource))
  return lost.flatMap((resource) => {
    const pods = waiting.filter(({ requests }) => requests.some((each) => each.resource === resource))
    return pods.length === 0
      ? []
      : `${plural(pods.length, 'waiting pod')} (${pods[0]?.id}${pods.length > 1 ? ', …' : ''}) asks for ${resource}, which no node would offer.`
  })
}
