import { type ActRule, refusing } from './act-context.ts'

/** An approval is of one exact plan. */
export const carriesOutWhatWasApproved: ActRule = ({ approval, run }) =>
  refusing(
    'other-plan-approved',
    approval === undefined || approval.digest === run.digest
      ? undefined
      : `${approval.name} approved a different plan. Review the current plan and approve it again.`,
  )
