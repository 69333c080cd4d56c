import type { InputOf, membersList, membersPut, membersRemove, OutputOf } from '@septet/contract'
import { instant, type Account, type Member } from '@septet/domain'

import { Refusal } from '@septet/contract'
import type { AccessDesk } from './access-desk.ts'
import { isoOrNull } from '../answering/view.ts'

type MemberView = OutputOf<typeof membersPut>

/** More accounts than a person reads; with more, those that an admin decided about are still all there. */
const ACCOUNTS_SHOWN = 500

/** The authorized admin, then everyone else by address. */
export async function listMembers(desk: AccessDesk): Promise<OutputOf<typeof membersList>> {
  const [members, { accounts }] = await Promise.all([
    desk.access.members.list(),
    desk.access.accounts.list({ page: 1, perPage: ACCOUNTS_SHOWN }),
  ])
  const admin = adminOf(desk)
  const decided = new Map(members.map((member) => [member.email, member]))
  const having = new Map(accounts.map((account) => [account.email, account]))
  const others = [...new Set([...decided.keys(), ...having.keys()])].filter((email) => email !== admin).toSorted()
  return {
    authorized: [...desk.authorized],
    members: [admin, ...others].map((email) =>
      memberView(desk, email, { member: decided.get(email), account: having.get(email) }),
    ),
  }
}

/** Decides about an address. What the settings say of the authorized admin is not for an admin to change. */
export async function putMember(
  desk: AccessDesk,
  input: InputOf<typeof membersPut>,
  now: number,
): Promise<OutputOf<typeof membersPut>> {
  const email = needAddress(desk, input.email)
  if (!desk.admits(email)) {
    throw new Refusal(
      'invalid-input',
      `${email} may not sign up here, so a role would do nothing.`,
      'Add the address to SEPTET_AUTHORIZED_EMAIL and restart Septet, then give it a role.',
    )
  }
  const namespaces = input.namespaces === undefined ? undefined : [...new Set(input.namespaces)].toSorted()
  const member: Member = { email, role: input.role, namespaces, updatedAt: instant(now) }
  await desk.access.members.put(member)
  const account = await desk.access.accounts.byEmail(email)
  return memberView(desk, email, { member, account })
}

/** Takes back what was decided. */
export async function removeMember(
  desk: AccessDesk,
  input: InputOf<typeof membersRemove>,
): Promise<OutputOf<typeof membersRemove>> {
  const email = needAddress(desk, input.email)
  if (await desk.access.members.remove(email)) return { removed: email }
  throw new Refusal(
    'not-found',
    `No admin has given ${email} a role.`,
    'List the members to see what was decided; everyone else is a viewer.',
  )
}

const adminOf = ({ authorized }: AccessDesk): string => authorized[0] ?? ''

function needAddress(desk: AccessDesk, text: string): string {
  const email = desk.readAddress(text)
  if (email === undefined) {
    throw new Refusal('invalid-input', `"${text}" is no e-mail address.`, 'Give a whole one, like you@example.com.')
  }
  if (email !== adminOf(desk)) return email
  throw new Refusal(
    'invalid-input',
    `${email} is the authorized admin, which SEPTET_AUTHORIZED_EMAIL decides.`,
    'Name another address first in SEPTET_AUTHORIZED_EMAIL and restart Septet to change that.',
  )
}

function memberView(
  desk: AccessDesk,
  email: string,
  { member, account }: { readonly member: Member | undefined; readonly account: Account | undefined },
): MemberView {
  const bySettings = email === adminOf(desk)
  const decided = bySettings ? undefined : member
  return {
    email,
    role: bySettings ? 'admin' : (decided?.role ?? 'viewer'),
    namespaces: decided?.namespaces === undefined ? null : [...decided.namespaces],
    origin: originOf(bySettings, decided),
    admitted: desk.admits(email),
    updatedAt: isoOrNull(decided?.updatedAt),
    lastSignInAt: isoOrNull(account?.lastSignInAt),
  }
}

function originOf(bySettings: boolean, member: Member | undefined): MemberView['origin'] {
  if (bySettings) return 'settings'
  return member === undefined ? 'default' : 'admin'
}
