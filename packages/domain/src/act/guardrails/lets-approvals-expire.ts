import { duration } from '../../words.ts'
import { stateOf, type RunState } from '../action-run.ts'
import { firstDue } from '../policy/run-times.ts'
import { type ActRule, refusing } from './act-context.ts'

/** An approval holds for a limited time, until the change begins or its owner is warned of it. */
export const letsApprovalsExpire: ActRule = ({ approval, run, policy, now }) => {
  if (approval === undefined || !EXPIRES.has(stateOf(run).state)) return undefined
  // What has a time of its own is approved before that, however long.
  const age = (now - Math.max(approval.at, firstDue(run.plan) ?? 0)) / 1000
  return refusing(
    'approval-expired',
    age <= policy.approvalHolds
      ? undefined
      : `${approval.name} approved this ${duration(age)} ago, and an approval holds for ${duration(policy.approvalHolds)}. Approve it again.`,
  )
}

const EXPIRES: ReadonlySet<RunState> = new Set(['proposed', 'approved', 'checked', 'rehearsed'])
