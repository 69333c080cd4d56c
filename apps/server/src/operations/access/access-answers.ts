import { OPERATIONS } from '@septet/contract'

import type { AccessService } from './access-service.ts'
import type { Answering } from '../answering/answering.ts'
import { listAudit } from './audit-log.ts'
import { listMails } from './mails.ts'
import { listMembers, putMember, removeMember } from './members.ts'
import { describeMe, listSessions, revokeSession } from './sessions.ts'
import { createToken, listTokens, revokeToken } from './tokens.ts'

/** What is told and decided of those who come in: sessions, members, tokens, the audit log and the outbox. */
export const accessAnswers = (
  answer: Answering,
  { service, now }: { readonly service: AccessService; readonly now: () => number },
) => ({
  sessionMe: answer(OPERATIONS.sessionMe, (_input, { caller }) => describeMe(service, caller)),
  sessionsList: answer(OPERATIONS.sessionsList, (_input, { caller }) => listSessions(service, caller)),
  sessionsRevoke: answer(OPERATIONS.sessionsRevoke, (input, { caller }) => revokeSession(service, caller, input)),
  membersList: answer(OPERATIONS.membersList, () => listMembers(service)),
  membersPut: answer(OPERATIONS.membersPut, (input) => putMember(service, input, now())),
  membersRemove: answer(OPERATIONS.membersRemove, (input) => removeMember(service, input)),
  tokensList: answer(OPERATIONS.tokensList, (_input, { caller }) => listTokens(service, caller, now())),
  tokensCreate: answer(OPERATIONS.tokensCreate, (input, asked) =>
    createToken(service, asked, { ...input, now: now() }),
  ),
  tokensRevoke: answer(OPERATIONS.tokensRevoke, (input, { caller }) =>
    revokeToken(service, caller, { ...input, now: now() }),
  ),
  auditList: answer(OPERATIONS.auditList, (input) => listAudit(service, input)),
  mailsList: answer(OPERATIONS.mailsList, (input) => listMails(service, input)),
})
