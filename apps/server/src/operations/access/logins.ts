import { notSignedIn, notAllowed, notFound } from '@septet/contract'
import type { Caller, LoginRequest } from '@septet/domain'

import { isoOf } from '../answering/view.ts'
import type { AccessService } from './access-service.ts'
import { needLimits } from './tokens.ts'
import type { AnswersOf } from '../answering/answering.ts'

/** Command lines that wait to be signed in. */
export const loginAnswers = ({ service }: { readonly service: AccessService }): AnswersOf<'logins'> => ({
  /** The command line that waits under a code, for the person who was shown it. */
  async loginsGet({ code }, { caller }) {
    const request = await waitingLogin(service, caller, code)
    return {
      machine: request.machine,
      address: request.ip,
      returns: request.callback !== undefined,
      role: request.role ?? null,
      namespaces: caller.namespaces === undefined ? null : [...caller.namespaces],
      askedAt: isoOf(request.createdAt),
      expiresAt: isoOf(request.expiresAt),
    }
  },
  /** Lets it have a token of the caller's, who must be a person and may do that much themselves. */
  async loginsAllow({ code, role }, { caller }) {
    needPerson(caller)
    needLimits(caller, { role })
    const request = await waitingLogin(service, caller, code)
    const by = { by: caller.name, account: caller.account?.id, role, namespaces: caller.namespaces }
    const decided = (await service.logins.allow(request, by)) ?? nothingWaits()
    return { machine: request.machine, returnTo: decided.returnTo ?? null }
  },
  /** Sends it away. */
  async loginsDeny({ code }, { caller }) {
    const request = await waitingLogin(service, caller, code)
    const decided = (await service.logins.deny(request)) ?? nothingWaits()
    return { machine: request.machine, returnTo: decided.returnTo ?? null }
  },
})

async function waitingLogin(service: AccessService, caller: Caller, code: string): Promise<LoginRequest> {
  needPerson(caller)
  return (await service.logins.find(caller.name, code)) ?? nothingWaits()
}

function needPerson({ kind }: Caller): void {
  if (kind === 'account') return
  if (kind === 'visitor') throw notSignedIn('Only a signed-in person can authorize a command line.')
  throw notAllowed('An API token cannot authorize a command line.', 'Sign in and allow it yourself.')
}

function nothingWaits(): never {
  throw notFound(
    'No command line is waiting under this code: it was used, has expired, or was mistyped.',
    'Check it against your terminal, or run septet login again.',
  )
}
