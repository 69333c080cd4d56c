import type { Mib, Neighbors } from '@septet/domain'

import type { RepelRule } from '../read/repel-rules.ts'

/** What pods without GPUs do on one node. */
export type HostUse = {
  /** What they ask for: CPU in thousandths of a core, and memory. */
  readonly cpuMilli: number
  readonly memory: Mib
  /** Of each that exports readings of GPUs its id and, once it has one, its address. */
  readonly exporters: readonly string[]
}

export const isSameUse = (a: HostUse | undefined, b: HostUse | undefined): boolean =>
  a?.cpuMilli === b?.cpuMilli && a?.memory === b?.memory && a?.exporters === b?.exporters

/** Pods that keep others away, with their nodes, and the labels of those without GPUs. */
export type Bystanders = {
  readonly repelling: readonly { readonly pod: string; readonly node: string; readonly rules: readonly RepelRule[] }[]
  readonly labels: Neighbors['labels']
}
