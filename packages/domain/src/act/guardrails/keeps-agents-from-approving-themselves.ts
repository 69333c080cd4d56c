import { areApart } from '../../access/caller.ts'
import type { ActionRun } from '../action-run.ts'
import { type ActRule, type Approval, refusing } from './act-context.ts'

/** What an agent proposed, no program approves that may act for the same person or service. */
export const keepsAgentsFromApprovingThemselves: ActRule = ({ run, approval }) =>
  refusing(
    'own-proposal',
    approval !== undefined && isOwnProposal(run, approval)
      ? `${run.proposedBy} proposed this, and ${approval.name} is not known to act for anyone else. A person has to approve it.`
      : undefined,
  )

/** Whether a program would approve what it, or another one that may act for the same party, proposed. */
export const isOwnProposal = (
  { proposer, transitions: [proposed] }: Pick<ActionRun, 'proposer' | 'transitions'>,
  { kind, party }: Pick<Approval, 'kind' | 'party'>,
): boolean => proposer === 'token' && kind === 'token' && !areApart(proposed.party, party)
