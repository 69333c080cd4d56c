import type { PodId } from '../../cluster/workload.ts'

/** A file that configures GPUs, as it was given; `entries` are its configurations by key where a ConfigMap holds several. */
export type ConfigFile = {
  readonly kind: 'mig-parted' | 'device-plugin' | 'cluster-policy'
  /** For people: `ConfigMap gpu-operator/sharing`, `mig-parted file`. */
  readonly title: string
  readonly entries: ReadonlyArray<{ readonly key: string; readonly content: unknown }>
  /** What is wrong with the object around it, in sentences. */
  readonly errors: readonly string[]
}

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

export type ConfigCheck = Pick<ConfigFile, 'kind' | 'title'> & {
  /** It can be applied as it is. */
  readonly fits: boolean
  /** What the tool or the API refuses or ignores, in sentences. */
  readonly errors: readonly string[]
  /** What it takes, but hardly does as it is meant. */
  readonly doubts: readonly string[]
  readonly configs: readonly CheckedConfig[]
  /** Configurations that speak of boards which are not in this cluster. */
  readonly elsewhere: readonly string[]
}
