import type { KeepFree } from './action.ts'

/** GPUs, or instances where a profile is named, that an appointment keeps, of all its nodes. */
export const keptGpus = (nodes: KeepFree['nodes']): number => nodes.reduce((sum, { gpus }) => sum + gpus, 0)
