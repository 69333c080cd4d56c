import { type ActRule, refusing } from './act-context.ts'

/** An approval is of one exact plan. */
export const carriesOutWhatWasApproved: ActRule = ({ approval, run }) =>
  refusing(
    'other-plan-approved',
    approval === undefined || approval.digest === run.digest
      ? undefined
      : `${approval.name} approved another plan than this one. Look at the plan as it is now and approve it again.`,
  )
