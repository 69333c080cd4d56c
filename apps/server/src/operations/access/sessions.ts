import { notFound } from '@septet/contract'

import type { AccessService } from './access-service.ts'
import { isoOf, isoOrNull } from '../answering/view.ts'
import type { AnswersOf } from '../answering/answering.ts'

/** Who somebody is taken for, where they are signed in, and the keys that their tokens are signed with. */
export const sessionAnswers = ({
  service,
}: {
  readonly service: AccessService
}): AnswersOf<'session' | 'signingKeys'> => ({
  /** Who the caller is taken for. */
  sessionMe: (_input, { caller }) => ({
    kind: caller.kind,
    name: caller.name,
    role: caller.role,
    namespaces: caller.namespaces === undefined ? null : [...caller.namespaces],
    clusters: caller.clusters === undefined ? null : [...caller.clusters],
    mode: service.mode,
    session: caller.account?.sessionId ?? null,
    secondFactor: caller.account?.secondFactor ?? null,
    expiresAt: isoOrNull(caller.endsAt),
  }),
  /** Where a person is signed in. */
  async sessionsList(_input, { caller: { account } }) {
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
  },
  /** Ends one of the caller's own sessions; another's is as unknown as one that is not there. */
  async sessionsRevoke({ id }, { caller: { account } }) {
    needEmbedded(service)
    const own = account === undefined ? [] : await service.access.sessions.ofAccount(account.id)
    const found = own.some((session) => session.id === id) && (await service.access.sessions.remove(id))
    if (found) return { revoked: id }
    throw notFound(
      `You have no session "${id}".`,
      'It may have ended by itself; list your sessions to see those that are open.',
    )
  },
  /** Signs with a new key from now on. */
  async signingKeysRotate(input) {
    if (service.mode === 'hosted') {
      throw notFound(
        'Access tokens are signed by the hosted project that holds the accounts.',
        'Rotate the keys of that project; Septet follows what it publishes.',
      )
    }
    const [kid = '', ...verifying] = await service.rotateKeys(input)
    return { kid, verifying }
  },
})

function needEmbedded({ mode }: AccessService): void {
  if (mode === 'embedded') return
  throw notFound(
    'Sessions are kept by the hosted project that holds the accounts.',
    'Sign out everywhere through that project, or from the page.',
  )
}
