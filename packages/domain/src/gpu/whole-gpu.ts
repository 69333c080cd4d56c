import type { ProfileName } from './geometry.ts'

/** The name that stands for a whole GPU that is not in MIG mode, where a profile is asked for. */
export const WHOLE_GPU: ProfileName = ''

/** The extended resource by which a pod asks for a whole GPU, or for what a node offers as one. */
export const WHOLE_GPU_RESOURCE = 'nvidia.com/gpu'
