import { OPERATIONS } from '@septet/contract'

import type { AccessDesk } from './access-desk.ts'
import type { Answering } from '../answering/answering.ts'
import { listAudit } from './audit-log.ts'
import { listMails } from './mails.ts'
import { listMembers, putMember, removeMember } from './members.ts'
import { describeMe, listSessions, revokeSession } from './sessions.ts'
import { createToken, listTokens, revokeToken } from './tokens.ts'

/** What is told and decided of those who come in: sessions, members, tokens, the audit log and the outbox. */
export const accessAnswers = (
  answer: Answering,
  { desk, now }: { readonly desk: AccessDesk; readonly now: () => number },
) => ({
  sessionMe: answer(OPERATIONS.sessionMe, (_input, { caller }) => describeMe(desk, caller)),
  sessionsList: answer(OPERATIONS.sessionsList, (_input, { caller }) => listSessions(desk, caller)),
  sessionsRevoke: answer(OPERATIONS.sessionsRevoke, (input, { caller }) => revokeSession(desk, caller, input)),
  membersList: answer(OPERATIONS.membersList, () => listMembers(desk)),
  membersPut: answer(OPERATIONS.membersPut, (input) => putMember(desk, input, now())),
  membersRemove: answer(OPERATIONS.membersRemove, (input) => removeMember(desk, input)),
  tokensList: answer(OPERATIONS.tokensList, (_input, { caller }) => listTokens(desk, caller, now())),
  tokensCreate: answer(OPERATIONS.tokensCreate, (input, asked) => createToken(desk, asked, { ...input, now: now() })),
  tokensRevoke: answer(OPERATIONS.tokensRevoke, (input, { caller }) =>
    revokeToken(desk, caller, { ...input, now: now() }),
  ),
  auditList: answer(OPERATIONS.auditList, (input) => listAudit(desk, input)),
  mailsList: answer(OPERATIONS.mailsList, (input) => listMails(desk, input)),
})
