import type { Mib, Neighbors } from '@septet/domain'

import type { RepelRule } from '../read/repel-rules.ts'

/** CPU in thousandths of a core and memory that pods without GPUs ask for on one node. */
export type HostUse = { readonly cpuMilli: number; readonly memory: Mib }

/** Pods that keep others away, with their nodes, and the labels of those without GPUs. */
export type Bystanders = {
  readonly repelling: readonly { readonly pod: string; readonly node: string; readonly rules: readonly RepelRule[] }[]
  readonly labels: Neighbors['labels']
}
