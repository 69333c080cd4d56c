import { respectsTenants } from '../../plan/guardrail/respects-tenants.ts'
import { alongSteps } from './along-steps.ts'

/** GPUs without hardware isolation are shared inside one namespace, by who runs there now. */
export const isolatesTenants = alongSteps(respectsTenants)
