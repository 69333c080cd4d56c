import { type ActRule, refusing } from './act-context.ts'

/** What an agent proposed with its token, that token does not approve. */
export const keepsAgentsFromApprovingThemselves: ActRule = ({ run, approval }) =>
  refusing(
    'own-proposal',
    run.proposer === 'token' && approval?.name === run.proposedBy
      ? `${run.proposedBy} proposed this and may not approve it too. A person has to approve it.`
      : undefined,
  )
