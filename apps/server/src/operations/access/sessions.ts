import {
  Refusal,
  type InputOf,
  type OutputOf,
  type sessionMe,
  type sessionsList,
  type sessionsRevoke,
} from '@septet/contract'

import type { Caller } from '@septet/domain'
import type { AccessService } from './access-service.ts'
import { isoOf, isoOrNull } from '../answering/view.ts'

/** Who the caller is taken for. */
export const describeMe = ({ mode }: AccessService, caller: Caller): OutputOf<typeof sessionMe> => ({
  kind: caller.kind,
  name: caller.name,
  role: caller.role,
  namespaces: caller.namespaces === undefined ? null : [...caller.namespaces],
  clusters: caller.clusters === undefined ? null : [...caller.clusters],
  mode,
  session: caller.account?.sessionId ?? null,
  secondFactor: caller.account?.secondFactor ?? null,
  expiresAt: isoOrNull(caller.endsAt),
})

/** Where a person is signed in. */
export async function listSessions(
  service: AccessService,
  { account }: Caller,
): Promise<OutputOf<typeof sessionsList>> {
  needEmbedded(service)
  const sessions = account === undefined ? [] : await service.access.sessions.ofAccount(account.id)
  return {
    sessions: sessions.map((session) => ({
      id: session.id,
      current: session.id === account?.sessionId,
      createdAt: isoOf(session.createdAt),
      refreshedAt: isoOf(session.refreshedAt),
      userAgent: session.userAgent,
      ip: session.ip,
      secondFactor: session.aal === 'aal2',
      endsAt: isoOrNull(session.notAfter),
    })),
  }
}

/** Ends one of the caller's own sessions; another's is as unknown as one that is not there. */
export async function revokeSession(
  service: AccessService,
  { account }: Caller,
  { id }: InputOf<typeof sessionsRevoke>,
): Promise<OutputOf<typeof sessionsRevoke>> {
  needEmbedded(service)
  const own = account === undefined ? [] : await service.access.sessions.ofAccount(account.id)
  const found = own.some((session) => session.id === id) && (await service.access.sessions.remove(id))
  if (found) return { revoked: id }
  throw new Refusal(
    'not-found',
    `You have no session "${id}".`,
    'It may have ended by itself; list your sessions to see those that are open.',
  )
}

function needEmbedded({ mode }: AccessService): void {
  if (mode === 'embedded') return
  throw new Refusal(
    'not-found',
    'Sessions are kept by the hosted project that holds the accounts.',
    'Sign out everywhere through that project, or from the page.',
  )
}
