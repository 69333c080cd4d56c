import type { ProfileName } from './geometry.ts'

/** The name that stands for a whole GPU that is not in MIG mode, where a profile is asked for. */
export const WHOLE_GPU: ProfileName = ''
