import type { Mib } from '@septet/domain'

/** CPU in thousandths of a core and memory that pods without GPUs ask for on one node. */
export type HostUse = { readonly cpuMilli: number; readonly memory: Mib }
