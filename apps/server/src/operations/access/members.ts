import {
  Refusal,
  type InputOf,
  type membersList,
  type membersPut,
  type membersRemove,
  type OutputOf,
} from '@septet/contract'
import { instant, type Account, type Member } from '@septet/domain'

import type { AccessService } from './access-service.ts'
import { isoOrNull } from '../answering/view.ts'

type MemberView = OutputOf<typeof membersPut>

/** More accounts than a person reads; with more, those that an admin decided about are still all there. */
const ACCOUNTS_SHOWN = 500

/** The authorized admin, then everyone else by address. */
export async function listMembers(service: AccessService): Promise<OutputOf<typeof membersList>> {
  const [members, { accounts }] = await Promise.all([
    service.access.members.list(),
    service.access.accounts.list({ page: 1, perPage: ACCOUNTS_SHOWN }),
  ])
  const admin = adminOf(service)
  const decided = new Map(members.map((member) => [member.email, member]))
  const having = new Map(accounts.map((account) => [account.email, account]))
  const others = [...new Set([...decided.keys(), ...having.keys()])].filter((email) => email !== admin).toSorted()
  return {
    authorized: [...service.authorized],
    invitations: { letters: lettersOf(service), address: service.siteUrl() },
    members: [admin, ...others].map((email) =>
      memberView(service, email, { member: decided.get(email), account: having.get(email) }),
    ),
  }
}

function lettersOf({ mode, keepsMails }: AccessService): OutputOf<typeof membersList>['invitations']['letters'] {
  if (mode === 'hosted') return 'hosted'
  return keepsMails ? 'kept' : 'sent'
}

/** Decides about an address. What the settings say of the authorized admin is not for an admin to change. */
export async function putMember(
  service: AccessService,
  input: InputOf<typeof membersPut>,
  now: number,
): Promise<OutputOf<typeof membersPut>> {
  const email = needAddress(service, input.email)
  if (!service.admits(email)) {
    throw new Refusal(
      'invalid-input',
      `${email} may not sign up here, so a role would do nothing.`,
      'Add the address to SEPTET_AUTHORIZED_EMAIL and restart Septet, then give it a role.',
    )
  }
  const namespaces = input.namespaces === undefined ? undefined : [...new Set(input.namespaces)].toSorted()
  const member: Member = { email, role: input.role, namespaces, updatedAt: instant(now) }
  await service.access.members.put(member)
  const account = await service.access.accounts.byEmail(email)
  return memberView(service, email, { member, account })
}

/** Takes back what was decided. */
export async function removeMember(
  service: AccessService,
  input: InputOf<typeof membersRemove>,
): Promise<OutputOf<typeof membersRemove>> {
  const email = needAddress(service, input.email)
  if (await service.access.members.remove(email)) return { removed: email }
  throw new Refusal(
    'not-found',
    `No admin has given ${email} a role.`,
    'List the members to see what was decided; everyone else is a viewer.',
  )
}

const adminOf = ({ authorized }: AccessService): string => authorized[0] ?? ''

function needAddress(service: AccessService, text: string): string {
  const email = service.readAddress(text)
  if (email === undefined) {
    throw new Refusal('invalid-input', `"${text}" is no e-mail address.`, 'Give a whole one, like you@example.com.')
  }
  if (email !== adminOf(service)) return email
  throw new Refusal(
    'invalid-input',
    `${email} is the authorized admin, which SEPTET_AUTHORIZED_EMAIL decides.`,
    'Name another address first in SEPTET_AUTHORIZED_EMAIL and restart Septet to change that.',
  )
}

function memberView(
  service: AccessService,
  email: string,
  { member, account }: { readonly member: Member | undefined; readonly account: Account | undefined },
): MemberView {
  const bySettings = email === adminOf(service)
  const decided = bySettings ? undefined : member
  return {
    email,
    role: bySettings ? 'admin' : (decided?.role ?? 'viewer'),
    namespaces: decided?.namespaces === undefined ? null : [...decided.namespaces],
    origin: originOf(bySettings, decided),
    admitted: service.admits(email),
    updatedAt: isoOrNull(decided?.updatedAt),
    lastSignInAt: isoOrNull(account?.lastSignInAt),
  }
}

function originOf(bySettings: boolean, member: Member | undefined): MemberView['origin'] {
  if (bySettings) return 'settings'
  return member === undefined ? 'default' : 'admin'
}
