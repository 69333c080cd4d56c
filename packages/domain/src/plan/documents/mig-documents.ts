import type { ExportedCluster } from './kubernetes-name.ts'
import type { GpuNode } from '../../cluster/node.ts'
import { geometryOf } from '../../gpu/layout.ts'
import { compareText } from '../../units.ts'
import type { Action } from '../words/action.ts'
import { cutOf } from '../state/gpu-state.ts'
import { migConfigEntries, type MigPartedDocument, type MigPartedEntry } from '../state/mig-config.ts'

type Repartition = Extract<Action, { readonly kind: 'repartition' }>

/** The mig-parted file with the configurations of these repartitions. */
export const migPartedOf = (repartitions: readonly Repartition[]): MigPartedDocument =>
  documentOf(repartitions.map(({ config, gpus }) => [config, migConfigEntries(gpus)]))

/**
 * The mig-parted file that the GPU Operator is to read: the configurations of the plan and of its way back, and those that
 * other nodes wear now, because the file replaces the one that is there. `lost` are worn names of which the content is not
 * known: nodes that wear one name with different layouts.
 */
export function operatorFile(
  repartitions: readonly Repartition[],
  { nodes }: Pick<ExportedCluster, 'nodes'>,
): { readonly document: MigPartedDocument; readonly lost: readonly string[] } {
  const own = new Map(repartitions.map(({ config, gpus }) => [config, migConfigEntries(gpus)]))
  const worn = [...new Set(nodes.flatMap(({ mig }) => mig.config ?? []))].filter(
    (name) => name !== '' && !own.has(name),
  )
  const kept = worn.map((name) => ({ name, entries: BUILT_IN.get(name) ?? wornEntries(name, nodes) }))
  return {
    document: documentOf([
      ...BUILT_IN,
      ...own,
      ...kept.flatMap(({ name, entries }) => (entries === undefined ? [] : [[name, entries] as const])),
    ]),
    lost: kept.flatMap(({ name, entries }) => (entries === undefined ? name : [])).toSorted(compareText),
  }
}

/** What a configuration says, by the layouts of the nodes that wear it; undefined where these differ or are not known. */
function wornEntries(name: string, nodes: readonly GpuNode[]): readonly MigPartedEntry[] | undefined {
  const found = nodes.filter(({ mig }) => mig.config === name).map(entriesNow)
  const [first] = found
  return found.every((entries) => JSON.stringify(entries) === JSON.stringify(first)) ? first : undefined
}

/** Names that NVIDIA's own file always has, and that mig-manager falls back to. */
const BUILT_IN: ReadonlyMap<string, readonly MigPartedEntry[]> = new Map([
  ['all-disabled', [{ devices: 'all', 'mig-enabled': false }]],
  ['all-enabled', [{ devices: 'all', 'mig-enabled': true, 'mig-devices': {} }]],
])

function entriesNow(node: GpuNode): readonly MigPartedEntry[] | undefined {
  const gpus = node.gpus.flatMap((gpu) => {
    const cut = cutOf(gpu)
    const to = cut === undefined ? undefined : { migEnabled: cut.migEnabled, geometry: geometryOf(cut.layout) }
    return to === undefined ? [] : { index: gpu.index, to }
  })
  return gpus.length === node.gpus.length && node.mig.state === 'success' ? migConfigEntries(gpus) : undefined
}

const documentOf = (configs: ReadonlyArray<readonly [string, readonly MigPartedEntry[]]>): MigPartedDocument => ({
  version: 'v1',
  'mig-configs': Object.fromEntries(configs.toSorted(([a], [b]) => compareText(a, b))),
})
