import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import type { GpuNode } from '../../cluster/node.ts'
import { openFleet, type Fleet } from '../../fleet/fleet.ts'
import { isGpuResource } from '../../gpu/gpu-resource.ts'
import { compareText } from '../../units.ts'
import { impossibleAnywhere, repeatedDevices, type MigEntry } from '../documents/mig-entry.ts'
import { migFit } from './check-mig.ts'
import { offerUnder, sharingFit, waitersFor } from './check-sharing.ts'
import {
  FIT_VERDICTS,
  nodeFit,
  type CheckedConfig,
  type CheckedNodes,
  type ConfigCheck,
  type ConfigFile,
  type NodeFit,
  type PluginConfig,
} from './config-check.ts'

/** What files that configure GPUs would do to a cluster, before anybody applies them. */
export function checkConfigs(snapshot: ClusterSnapshot, files: readonly ConfigFile[]): readonly ConfigCheck[] {
  const fleet = openFleet(snapshot)
  return files.map((file) => {
    const { configs: all, ...told } = file.kind === 'mig-parted' ? checkMig(file, fleet) : checkPlugin(file, fleet)
    const here = all.filter((config) => !isElsewhere(config))
    // Where nothing of it is meant for this cluster, it is told why.
    const configs = here.length > 0 ? here : all
    const elsewhere = all.filter((config) => !configs.includes(config)).map(({ name }) => name)
    const fits = told.errors.length === 0 && configs.length > 0 && configs.every(isApplicable)
    return { kind: file.kind, title: file.title, fits, ...told, configs, elsewhere }
  })
}

/** Nobody uses it, and it speaks of no board that is here. */
const isElsewhere = ({ meantFor, nodes }: CheckedConfig): boolean =>
  meantFor.length === 0 && nodes.every(({ foreign }) => foreign)

function isApplicable({ meantFor, nodes, because }: CheckedConfig): boolean {
  if (because.length > 0) return false
  // Nobody asks for it yet, so what is in use now stands in nobody's way.
  if (meantFor.length === 0) return nodes.some((fit) => isGood(fit) || fit.verdict === 'in-use')
  const ready = new Set(nodes.filter(isGood).flatMap((group) => group.nodes))
  return meantFor.every((name) => ready.has(name))
}

type Checked = Pick<ConfigCheck, 'errors' | 'doubts' | 'configs'>

const checkMig = ({ errors, configs }: ConfigFile & { readonly kind: 'mig-parted' }, fleet: Fleet): Checked => ({
  errors: [
    ...errors,
    ...configs.flatMap(({ name, content }) => content.flatMap((entry) => impossibleAnywhere(name, entry) ?? [])),
  ],
  doubts: configs.flatMap(({ name, content }) => repeatedDevices(name, content)),
  configs: configs.map(({ name, content }) => ({
    name,
    meantFor: fleet.began.nodes.flatMap((node) => (node.mig.config === name ? node.name : [])),
    nodes: grouped(migFits(content, fleet)),
    because: [],
  })),
})

const migFits = (entries: readonly MigEntry[], fleet: Fleet): readonly Fit[] =>
  fleet.began.nodes.flatMap((node) => {
    const fit = migFit(entries, node, fleet)
    return fit === undefined ? [] : { node, fit }
  })

type PluginFile = Exclude<ConfigFile, { readonly kind: 'mig-parted' }>

function checkPlugin({ kind, errors, configs }: PluginFile, fleet: Fleet): Checked {
  const nodes = fleet.began.nodes.filter(hasPlugin)
  return { errors, doubts: [], configs: configs.map(checkOne) }

  function checkOne({ name, content }: PluginFile['configs'][number]): CheckedConfig {
    // A single configuration is for nodes that choose none by label too.
    const isForAll = kind === 'cluster-policy' || name === ''
    const meant = nodes.filter(
      (node) => isForAll || chosenBy(node) === name || (configs.length === 1 && chosenBy(node) === undefined),
    )
    const fits = (meant.length > 0 ? meant : nodes).map((node) => ({ node, fit: eitherFit(content, node, fleet) }))
    const taking = fits.filter(({ fit }) => meant.length > 0 && fit.verdict !== 'misfit' && fit.verdict !== 'unknown')
    return {
      name,
      // What has nothing to share keeps what it has, unless it was told to.
      meantFor: fits.flatMap(({ node, fit }) =>
        meant.length > 0 && (!fit.foreign || chosenBy(node) === name) ? node.name : [],
      ),
      nodes: grouped(fits),
      because: waitersFor(fleet, new Map(taking.map(({ node }) => [node.name, offerUnder(content, node)]))),
    }
  }
}

/** The key of a ConfigMap that the node's device plugin takes. */
const chosenBy = ({ room }: GpuNode): string | undefined => room.labels['nvidia.com/device-plugin.config']

/** NVIDIA's device plugin serves it, or may. */
function hasPlugin({ allocatable }: GpuNode): boolean {
  const names = Object.keys(allocatable).filter(isGpuResource)
  return names.length === 0 || names.some((name) => name.startsWith('nvidia.com/'))
}

const isGood = ({ verdict }: NodeFit): boolean => verdict === 'fits' || verdict === 'already'

/** The MIG strategy of a ClusterPolicy goes before the file's, so where only one of them allows it, it is not known. */
function eitherFit(config: PluginConfig, node: GpuNode, fleet: Fleet): NodeFit {
  const own = sharingFit(config, node, fleet)
  const { strategy, shared } = config
  if (strategy === undefined || shared === undefined) return own
  const kept = sharingFit({ shared }, node, fleet)
  if (own.verdict === kept.verdict && own.foreign === kept.foreign) return own
  if (isGood(own) && isGood(kept)) return { ...own, verdict: 'fits' }
  return nodeFit('unknown', [
    `the file sets MIG strategy ${strategy}, and one that a ClusterPolicy sets goes before it`,
    ...own.because.map((words) => `under ${strategy}, ${words}`),
    ...kept.because.map((words) => `under ${node.mig.strategy} as now, ${words}`),
  ])
}

type Fit = { readonly node: GpuNode; readonly fit: NodeFit }

/** Nodes to which it stands alike together, the best first. */
function grouped(fits: readonly Fit[]): readonly CheckedNodes[] {
  const alike = Map.groupBy(fits, ({ node, fit }) => JSON.stringify([fit.verdict, fit.because, modelOf(node)]))
  return [...alike.values()]
    .flatMap((all) =>
      all.slice(0, 1).map(({ node, fit }) => ({
        ...fit,
        model: modelOf(node),
        nodes: all.map(({ node: { name } }) => name).toSorted(compareText),
        pods: [...new Set(all.flatMap((each) => each.fit.pods))].toSorted(compareText),
      })),
    )
    .toSorted((a, b) => FIT_VERDICTS.indexOf(a.verdict) - FIT_VERDICTS.indexOf(b.verdict))
}

const modelOf = ({ model, product }: GpuNode): string => model ?? product
