import { respectsQuota } from '../../plan/guardrail/respects-quota.ts'
import { alongSteps } from './along-steps.ts'

/** What the plan asks for stays inside the quotas of namespaces and queues as they are used now. */
export const respectsQuotas = alongSteps(respectsQuota)
