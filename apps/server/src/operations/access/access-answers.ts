import type { AccessService } from './access-service.ts'
import type { Answering } from '../answering/answering.ts'
import { listAudit } from './audit-log.ts'
import { allowLogin, denyLogin, describeLogin } from './logins.ts'
import { listMails } from './mails.ts'
import { listMembers, putMember, removeMember } from './members.ts'
import { describeMe, listSessions, revokeSession } from './sessions.ts'
import { rotateSigningKeys } from './signing-keys.ts'
import { createToken, listTokens, revokeToken } from './tokens.ts'

/** What is told and decided of those who come in: sessions, members, tokens, the audit log and the outbox. */
export const accessAnswers = (
  answer: Answering,
  { service, now }: { readonly service: AccessService; readonly now: () => number },
) => ({
  sessionMe: answer.ofSeptet('sessionMe', (_input, { caller }) => describeMe(service, caller)),
  sessionsList: answer.ofSeptet('sessionsList', (_input, { caller }) => listSessions(service, caller)),
  sessionsRevoke: answer.ofSeptet('sessionsRevoke', (input, { caller }) => revokeSession(service, caller, input)),
  signingKeysRotate: answer.ofSeptet('signingKeysRotate', (input) => rotateSigningKeys(service, input)),
  membersList: answer.ofSeptet('membersList', () => listMembers(service, now())),
  membersPut: answer.ofSeptet('membersPut', (input) => putMember(service, input, now())),
  membersRemove: answer.ofSeptet('membersRemove', (input) => removeMember(service, input)),
  tokensList: answer.ofSeptet('tokensList', (_input, { caller }) => listTokens(service, caller, now())),
  tokensCreate: answer.ofSeptet('tokensCreate', (input, asked) =>
    createToken(service, asked, { ...input, now: now() }),
  ),
  tokensRevoke: answer.ofSeptet('tokensRevoke', (input, { caller }) =>
    revokeToken(service, caller, { ...input, now: now() }),
  ),
  loginsGet: answer.ofSeptet('loginsGet', (input, { caller }) => describeLogin(service, caller, input)),
  loginsAllow: answer.ofSeptet('loginsAllow', (input, { caller }) => allowLogin(service, caller, input)),
  loginsDeny: answer.ofSeptet('loginsDeny', (input, { caller }) => denyLogin(service, caller, input)),
  auditList: answer.ofSeptet('auditList', (input) => listAudit(service, input)),
  mailsList: answer.ofSeptet('mailsList', (input, { caller }) => listMails(service, caller, input)),
})
