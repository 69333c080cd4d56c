import { planSparesGpusInUse as spares } from '../../plan/guardrail/spares-gpus-in-use.ts'
import { alongSteps } from './along-steps.ts'

/** What no pod is known to hold may have come into use since the plan was made. */
export const sparesGpusInUse = alongSteps(spares)
