import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import type { GpuNode } from '../../cluster/node.ts'
import { openFleet, type Fleet } from '../../fleet/fleet.ts'
import { isGpuResource } from '../../gpu/gpu-resource.ts'
import { compareText } from '../../units.ts'
import { isLabelValue } from '../documents/kubernetes-name.ts'
import { impossibleAnywhere, isRecord, readMigEntries, show, strangeKeys } from '../documents/read-mig-entries.ts'
import { migFit, unknownFit } from './check-mig.ts'
import { offerUnder, sharingFit, waitersFor } from './check-sharing.ts'
import {
  FIT_VERDICTS,
  type CheckedConfig,
  type CheckedNodes,
  type ConfigCheck,
  type ConfigFile,
  type NodeFit,
} from './config-check.ts'
import { readPluginConfig, readStrategy, type PluginConfig } from './read-plugin-config.ts'

/** What files that configure GPUs would do to a cluster, before anybody applies them. */
export function checkConfigs(snapshot: ClusterSnapshot, files: readonly ConfigFile[]): readonly ConfigCheck[] {
  const fleet = openFleet(snapshot)
  return files.map((file) => {
    const { errors: own, doubts, configs: all } = READERS[file.kind](file, fleet)
    const errors = [...file.errors, ...own]
    const here = all.filter((config) => !isElsewhere(config))
    // Where nothing of it is meant for this cluster, it is told why.
    const configs = here.length > 0 ? here : all
    const elsewhere = all.filter((config) => !configs.includes(config)).map(({ name }) => name)
    const fits = errors.length === 0 && configs.length > 0 && configs.every(isApplicable)
    return { kind: file.kind, title: file.title, fits, errors, doubts, configs, elsewhere }
  })
}

/** Nobody uses it, and it speaks of no board that is here. */
const isElsewhere = ({ meantFor, nodes }: CheckedConfig): boolean =>
  meantFor.length === 0 && nodes.every(({ foreign }) => foreign)

function isApplicable({ meantFor, nodes, because }: CheckedConfig): boolean {
  const ready = nodes.filter(isGood)
  if (because.length > 0) return false
  // Nobody asks for it yet, so what is in use now stands in nobody's way.
  if (meantFor.length === 0) return ready.length > 0 || nodes.some(({ verdict }) => verdict === 'in-use')
  const names = new Set(ready.flatMap((group) => group.nodes))
  return meantFor.every((name) => names.has(name))
}

type Read = Pick<ConfigCheck, 'errors' | 'doubts' | 'configs'>

const READERS: Readonly<Record<ConfigFile['kind'], (file: ConfigFile, fleet: Fleet) => Read>> = {
  'mig-parted': ({ entries }, fleet) => {
    const read = entries.map(({ content }) => readMigEntries(content))
    const configs = read.flatMap(({ configs: named }) => [...named])
    return {
      errors: [
        ...read.flatMap(({ errors }) => errors),
        ...configs.flatMap(([name, rows]) => rows.flatMap((row) => impossibleAnywhere(name, row) ?? [])),
      ],
      doubts: read.flatMap(({ doubts }) => doubts),
      configs: configs.map(([name, rows]) => ({
        name,
        meantFor: nodesOf(fleet).flatMap((node) => (node.mig.config === name ? node.name : [])),
        nodes: grouped(nodesOf(fleet).map((node) => [node, migFit(rows, node, fleet)])),
        because: [],
      })),
    }
  },
  'device-plugin': ({ entries }, fleet) => {
    const read = entries.map(({ key, content }) => ({ key, ...readPluginConfig(content) }))
    const usable = read.filter(({ errors }) => errors.length === 0)
    return {
      errors: read.flatMap(({ key, errors, ignores }) => [
        ...(isLabelValue(key)
          ? []
          : [`${show(key)} cannot be the value of the label nvidia.com/device-plugin.config.`]),
        ...[...errors, ...ignores].map((words) => (key === '' ? words : `${key}: ${words}`)),
      ]),
      doubts: [],
      configs: usable.map(({ key, value }) => {
        const nodes = nodesOf(fleet).filter(hasPlugin)
        // A single configuration is for nodes that choose none by label too.
        const others = entries.length === 1 ? nodes.filter((node) => key === '' || chosenBy(node) === undefined) : []
        const meant = nodes.filter((node) => chosenBy(node) === key || others.includes(node))
        return sharingCheck(key, value, { fleet, nodes: meant.length > 0 ? meant : nodes, isMeant: meant.length > 0 })
      }),
    }
  },
  'cluster-policy': ({ entries }, fleet) => {
    const read = entries.map(({ key, content }) => ({ key, ...readPolicy(content) }))
    return {
      errors: read.flatMap(({ errors }) => errors),
      doubts: [],
      configs: read.map(({ key, value }) =>
        sharingCheck(key, value, { fleet, nodes: nodesOf(fleet).filter(hasPlugin), isMeant: true }),
      ),
    }
  },
}

/** The key of a ConfigMap that the node's device plugin takes. */
const chosenBy = ({ room }: GpuNode): string | undefined => room.labels['nvidia.com/device-plugin.config']

const nodesOf = (fleet: Fleet): readonly GpuNode[] => fleet.began.nodes

/** NVIDIA's device plugin serves it, or may. */
function hasPlugin({ allocatable }: GpuNode): boolean {
  const names = Object.keys(allocatable).filter(isGpuResource)
  return names.length === 0 || names.some((name) => name.startsWith('nvidia.com/'))
}

type Where = { readonly fleet: Fleet; readonly nodes: readonly GpuNode[]; readonly isMeant: boolean }

function sharingCheck(name: string, config: PluginConfig, { fleet, nodes, isMeant }: Where): CheckedConfig {
  const fits = nodes.map((node) => [node, eitherFit(config, node, fleet)] as const)
  const offers = new Map(
    fits.flatMap(([node, { verdict }]) =>
      isMeant && verdict !== 'misfit' && verdict !== 'unknown' ? [[node.name, offerUnder(config, node)]] : [],
    ),
  )
  return {
    name,
    // What has nothing to share keeps what it has, unless it was told to.
    meantFor: fits.flatMap(([node, { foreign }]) =>
      isMeant && (!foreign || chosenBy(node) === name) ? node.name : [],
    ),
    nodes: grouped(fits),
    because: waitersFor(fleet, offers),
  }
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
  return unknownFit([
    `the file sets MIG strategy ${strategy}, and one that a ClusterPolicy sets goes before it`,
    ...own.because.map((words) => `under ${strategy}, ${words}`),
    ...kept.because.map((words) => `under ${node.mig.strategy} as now, ${words}`),
  ])
}

/** Nodes to which it stands alike together, the best first. */
function grouped(fits: readonly (readonly [GpuNode, NodeFit | undefined])[]): readonly CheckedNodes[] {
  const known = fits.flatMap(([node, fit]) =>
    fit === undefined ? [] : [{ ...fit, model: node.model ?? node.product, node: node.name }],
  )
  const alike = Map.groupBy(known, ({ verdict, because, model }) => JSON.stringify([verdict, because, model]))
  return [...alike.values()]
    .flatMap((all) => {
      const [first] = all
      if (first === undefined) return []
      const { node: _, ...fit } = first
      const names = all.map(({ node }) => node).toSorted(compareText)
      return { ...fit, nodes: names, pods: [...new Set(all.flatMap(({ pods }) => pods))].toSorted(compareText) }
    })
    .toSorted((a, b) => FIT_VERDICTS.indexOf(a.verdict) - FIT_VERDICTS.indexOf(b.verdict))
}

/** Fields that a ClusterPolicy of the GPU Operator has, as of 26.7 and its years before. */
const POLICY_FIELDS =
  'ccManager cdi daemonsets dcgm dcgmExporter devicePlugin driver fabricManager gdrcopy gds gfd hostPaths kataManager kataSandboxDevicePlugin mig migManager nodeStatusExporter operator psa psp sandboxDevicePlugin sandboxWorkloads toolkit validator vfioManager vgpuDeviceManager vgpuManager'.split(
    ' ',
  )

/** What a ClusterPolicy says of MIG, and what of it the API refuses; the content of ConfigMaps that it names is not in it. */
function readPolicy(document: unknown): { readonly value: PluginConfig; readonly errors: readonly string[] } {
  const spec = inside(document, 'spec')
  const strategy = readStrategy(inside(spec, 'mig')['strategy'], 'spec.mig.strategy')
  const config = inside(inside(spec, 'migManager'), 'config')
  const plugin = inside(inside(spec, 'devicePlugin'), 'config')
  const usual = config['default'] ?? ''
  const version = inside(document)['apiVersion']
  const errors = [
    ...(version === 'nvidia.com/v1' ? [] : [`apiVersion must be nvidia.com/v1, not ${show(version)}.`]),
    ...strangeKeys(spec, POLICY_FIELDS, 'spec'),
    ...strangeKeys(inside(spec, 'mig'), ['strategy'], 'spec.mig'),
    ...strangeKeys(config, ['name', 'default'], 'spec.migManager.config'),
    ...strangeKeys(plugin, ['name', 'default'], 'spec.devicePlugin.config'),
    ...(usual === '' || usual === 'all-disabled'
      ? []
      : [`spec.migManager.config.default must be all-disabled or empty, not ${show(usual)}.`]),
  ]
  return { value: strategy.value, errors: [...errors, ...strategy.errors] }
}

const inside = (value: unknown, field?: string): Readonly<Record<string, unknown>> => {
  const found: unknown = field === undefined ? value : isRecord(value) ? value[field] : undefined
  return isRecord(found) ? found : {}
}
