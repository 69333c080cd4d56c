import { keepsUnmanagedPods } from '../../plan/guardrail/keeps-unmanaged-pods.ts'
import { alongSteps } from './along-steps.ts'

/** A pod that nothing makes again stays, unless a person named that very pod. */
export const keepsBarePods = alongSteps(keepsUnmanagedPods)
