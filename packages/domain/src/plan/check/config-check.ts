import type { Sharing } from '../../cluster/node.ts'
import type { PodId } from '../../cluster/workload.ts'
import type { MIG_STRATEGIES } from '../documents/gpu-documents.ts'
import type { MigEntry } from '../documents/mig-entry.ts'

/** Which resources are shared; of none where `kind` is. */
export type SharedResources = {
  readonly kind: Sharing['kind']
  readonly rename: boolean
  /** Whether a pod that asks for more than one is refused. */
  readonly oneOnly: boolean
  readonly resources: readonly { readonly name: string; readonly replicas: number }[]
}

/** What a configuration says to the device plugin; absent is what stays as the node has it. */
export type PluginConfig = {
  readonly strategy?: (typeof MIG_STRATEGIES)[number] | undefined
  readonly shared?: SharedResources
}

type FileOf<Kind, Content> = {
  readonly kind: Kind
  /** For people: `ConfigMap sharing`, `nvidia-mig-parted file`. */
  readonly title: string
  /** Those that are right; the only one of a plain file of the device plugin is named ''. */
  readonly configs: readonly { readonly name: string; readonly content: Content }[]
  /** What its tool or the API refuses or ignores, in sentences. */
  readonly errors: readonly string[]
}

/** A file that configures GPUs. */
export type ConfigFile =
  | FileOf<'mig-parted', readonly MigEntry[]>
  | FileOf<'device-plugin' | 'cluster-policy', PluginConfig>

/** Reads files that configure GPUs out of a text; those of other kinds are left out. Throws where it is no YAML. */
export type ReadConfigs = (text: string) => readonly ConfigFile[]

/**
 * How a configuration stands to nodes. `in-use`: it fits, but pods or processes stand in the way or lose what they ask for.
 * `misfit`: it cannot be so there. `unknown`: what decides it is not known.
 */
export const FIT_VERDICTS = ['already', 'fits', 'in-use', 'misfit', 'unknown'] as const

/** What a configuration would do on one node. */
export type NodeFit = {
  readonly verdict: (typeof FIT_VERDICTS)[number]
  /** Why, in words that name no node, so that nodes alike are told together. */
  readonly because: readonly string[]
  /** Pods that stand in the way, stop, or would not start again. */
  readonly pods: readonly PodId[]
  /** It speaks of other boards than this node has, or nothing can be told of the node whatever it says. */
  readonly foreign: boolean
}

export const nodeFit = (
  verdict: NodeFit['verdict'],
  because: readonly string[] = [],
  more?: Partial<NodeFit>,
): NodeFit => ({
  pods: [],
  foreign: false,
  ...more,
  verdict,
  because,
})

/** Nodes to which a configuration stands alike, by model. */
export type CheckedNodes = NodeFit & { readonly model: string; readonly nodes: readonly string[] }

export type CheckedConfig = {
  readonly name: string
  /** Nodes that use it, or would: all of these must take it. Empty: nobody uses it yet, and one that takes it is enough. */
  readonly meantFor: readonly string[]
  readonly nodes: readonly CheckedNodes[]
  /** What is true of the whole cluster, such as pods that wait for what no node would offer. */
  readonly because: readonly string[]
}

export type ConfigCheck = Pick<ConfigFile, 'kind' | 'title' | 'errors'> & {
  /** It can be applied as it is. */
  readonly fits: boolean
  /** What its tool takes, but hardly does as it is meant. */
  readonly doubts: readonly string[]
  readonly configs: readonly CheckedConfig[]
  /** Configurations that speak of boards which are not in this cluster. */
  readonly elsewhere: readonly string[]
}
