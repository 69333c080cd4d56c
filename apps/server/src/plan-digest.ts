import type { Plan } from '@septet/domain'

import { contentDigest } from './content-digest.ts'

/** What an approval is of: SHA-256 over the plan. */
export const planDigest = (plan: Plan): string => contentDigest(plan)
