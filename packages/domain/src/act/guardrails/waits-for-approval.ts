import { type ActRule, refusing } from './act-context.ts'
import { neededRole } from './needed-role.ts'

/** Nothing is changed that nobody has approved. */
export const waitsForApproval: ActRule = (context) =>
  refusing(
    'not-approved',
    context.approval === undefined
      ? `This is not approved yet. An ${neededRole(context)} has to approve it.`
      : undefined,
  )
