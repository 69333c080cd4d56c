import {
  type Refusal,
  type membersList,
  type membersPut,
  type OutputOf,
  invalidInput,
  notFound,
} from '@septet/contract'
import { instant, type Account, type Member } from '@septet/domain'
import { type AccessService, addressOf } from './access-service.ts'
import { isoOrNull } from '../answering/view.ts'
import type { AnswersOf } from '../answering/answering.ts'

type MemberView = OutputOf<typeof membersPut>

/** More than a person reads, of accounts and of whom groups let in; those that an admin decided about are always all there. */
const MOST_SHOWN = 500

type Needs = { readonly service: AccessService; readonly now: () => number }

/** Who may come in, and as what. */
export const memberAnswers = ({ service, now }: Needs): AnswersOf<'members'> => ({
  /** The authorized admin, then everyone else by address. */
  async membersList() {
    const [members, { accounts }] = await Promise.all([
      service.access.members.list(),
      service.access.accounts.list({ page: 1, perPage: MOST_SHOWN }),
    ])
    const admin = adminOf(service)
    const unlisted = longAgo(members)
    const decided = new Map(members.map((member) => [member.email, member]))
    const having = new Map(accounts.map((account) => [account.email, account]))
    const others = [...new Set([...decided.keys(), ...having.keys()])]
      .filter((email) => email !== admin && !unlisted.has(email))
      .toSorted()
    return {
      authorized: [...service.authorized],
      invitations: { letters: lettersOf(service), address: service.siteUrl() },
      members: [admin, ...others].map((email) =>
        memberView(service, email, { member: decided.get(email), account: having.get(email), now: now() }),
      ),
      unlisted: unlisted.size,
    }
  },
  /** Decides about an address. What the settings say of the authorized admin is not for an admin to change. */
  async membersPut(input) {
    const email = needAddress(service, input.email)
    const before = await service.access.members.get(email)
    if (before?.until !== undefined && before.until > now()) throw decidedByGroups(email)
    if (!service.admits(email)) {
      throw invalidInput(
        `${email} may not sign up here, so a role would have no effect.`,
        'Add the address to SEPTET_AUTHORIZED_EMAIL and restart Septet, then give it a role.',
      )
    }
    const namespaces = input.namespaces === undefined ? undefined : [...new Set(input.namespaces)].toSorted()
    const member: Member = { email, role: input.role, namespaces, until: undefined, updatedAt: instant(now()) }
    await service.access.members.put(member)
    const account = await service.access.accounts.byEmail(email)
    return memberView(service, email, { member, account, now: now() })
  },
  /** Takes back what was decided. */
  async membersRemove(input) {
    const email = needAddress(service, input.email)
    if (await service.access.members.remove(email)) return { removed: email }
    throw notFound(
      `No admin has given ${email} a role.`,
      'List the members to see their roles; everyone else is a viewer.',
    )
  },
})

/** A group at the sign-in provider may have thousands of people: all but those who came last. */
function longAgo(members: readonly Member[]): ReadonlySet<string> {
  const byGroups = members.filter(({ until }) => until !== undefined).toSorted((a, b) => b.updatedAt - a.updatedAt)
  return new Set(byGroups.slice(MOST_SHOWN).map(({ email }) => email))
}

function lettersOf({ mode, keepsMails }: AccessService): OutputOf<typeof membersList>['invitations']['letters'] {
  if (mode === 'hosted') return 'hosted'
  return keepsMails ? 'kept' : 'sent'
}

/** The next sign-in would undo whatever an admin says. */
const decidedByGroups = (email: string): Refusal =>
  invalidInput(
    `${email} has a role by groups at the sign-in provider, and would get it back at the next sign-in.`,
    'Change their groups there, or what the groups give in SEPTET_SSO_GROUPS.',
  )

const adminOf = ({ authorized }: AccessService): string => authorized[0] ?? ''

function needAddress(service: AccessService, text: string): string {
  const email = addressOf(service, text)
  if (email !== adminOf(service)) return email
  throw invalidInput(
    `${email} is the authorized admin, as set by SEPTET_AUTHORIZED_EMAIL.`,
    'Name another address first in SEPTET_AUTHORIZED_EMAIL and restart Septet to change that.',
  )
}

function memberView(
  service: AccessService,
  email: string,
  {
    member,
    account,
    now,
  }: { readonly member: Member | undefined; readonly account: Account | undefined; readonly now: number },
): MemberView {
  const bySettings = email === adminOf(service)
  const decided = bySettings ? undefined : member
  return {
    email,
    role: bySettings ? 'admin' : (decided?.role ?? 'viewer'),
    namespaces: decided?.namespaces === undefined ? null : [...decided.namespaces],
    origin: originOf(bySettings, decided),
    admitted: isAdmitted(decided, now) ?? service.admits(email),
    ...timesOf(decided),
    lastSignInAt: isoOrNull(account?.lastSignInAt),
  }
}

/** Whether groups let somebody in now; undefined where the settings decide. */
const isAdmitted = (member: Member | undefined, now: number): boolean | undefined =>
  member?.until === undefined ? undefined : member.until > now

const timesOf = (member: Member | undefined): Pick<MemberView, 'updatedAt' | 'until'> => ({
  updatedAt: isoOrNull(member?.updatedAt),
  until: isoOrNull(member?.until),
})

function originOf(bySettings: boolean, member: Member | undefined): MemberView['origin'] {
  if (bySettings) return 'settings'
  if (member === undefined) return 'default'
  return member.until === undefined ? 'admin' : 'groups'
}
