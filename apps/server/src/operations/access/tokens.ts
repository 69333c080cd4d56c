import { randomUUID } from 'node:crypto'

import { Refusal, type OutputOf, type tokensList, invalidInput, notAllowed, notFound } from '@septet/contract'
import { DAY_MS, instant, mayActAs, type ApiToken, type Caller, type Instant, type Role } from '@septet/domain'

import type { AccessService, LoginGiver } from './access-service.ts'
import type { AnswersOf, Asked } from '../answering/answering.ts'
import { sourceIds } from '../answering/source.ts'
import { isoOf, isoOrNull } from '../answering/view.ts'

type TokenView = OutputOf<typeof tokensList>['tokens'][number]

/** Active tokens of one maker: more is a program that forgets to revoke. */
const MOST_ACTIVE = 100
/** Of a token that a command line got by asking for it. */
const LOGIN_DAYS = 90
/** Characters of a name. */
const LONGEST_NAME = 63
/** Characters of the secret that are kept to recognize it by: the prefix of all, and four more. */
const PREFIX_LENGTH = 8

type Needs = { readonly service: AccessService; readonly now: () => number }

/** API tokens of people, for programs. */
export const tokenAnswers = ({ service, now }: Needs): AnswersOf<'tokens'> => ({
  /** The caller's own tokens; everyone's for an admin. */
  async tokensList(_input, { caller }) {
    const tokens = await service.access.tokens.list()
    return { tokens: tokens.filter((token) => mayManage(caller, token)).map((token) => tokenView(token, now())) }
  },
  /** Makes a token that may do no more than its maker, who must be a person: a lost token must not leave others behind. */
  async tokensCreate(input, { caller, seen }) {
    needLimits(caller, input)
    for (const id of input.clusters ?? []) needCluster(seen, id)
    const active = await activeTokens(service, now())
    needNewName(active, input.name)
    needRoom(active, caller.account?.id)
    const { token, secret } = await mintToken(service, {
      ...input,
      now: now(),
      namespaces: input.namespaces ?? caller.namespaces,
      createdBy: caller.name,
      account: caller.account?.id,
    })
    return { token: tokenView(token, now()), secret }
  },
  /** Ends a token; another's is as unknown as one that is not there, but to an admin. */
  async tokensRevoke({ id }, { caller }) {
    const token = (await service.access.tokens.list()).find((each) =>
      id === SELF
        ? stateOf(each, now()) === 'active' && isItself(caller, each)
        : each.id === id && mayManage(caller, each),
    )
    const revoked = token && (await service.access.tokens.revoke(token.id, instant(now())))
    if (token !== undefined && revoked !== undefined) return { revoked: token.id }
    throw notFound(
      `You have no API token "${id}" to revoke.`,
      'It may have been revoked already; list the tokens to see.',
    )
  },
})

/** The token of a command line that a person let in: theirs, named after the machine. */
export async function createLoginToken(
  service: AccessService,
  { machine, by, account, role, namespaces }: AllowedLogin,
  now: number,
): Promise<{ readonly name: string; readonly secret: string }> {
  const active = await activeTokens(service, now)
  needRoom(active, account)
  const name = freeName(active, machine)
  const expiresInDays = LOGIN_DAYS
  const { secret } = await mintToken(service, { name, role, namespaces, createdBy: by, account, expiresInDays, now })
  return { name, secret }
}

type AllowedLogin = LoginGiver & { readonly machine: string }

type TokenOrder = Pick<ApiToken, 'name' | 'role' | 'namespaces' | 'createdBy' | 'account'> & {
  readonly clusters?: readonly string[] | undefined
  readonly expiresInDays: number | null
  readonly now: number
}

async function mintToken(
  service: AccessService,
  { expiresInDays, now, clusters, ...order }: TokenOrder,
): Promise<{ readonly token: ApiToken; readonly secret: string }> {
  const { name, role, namespaces, createdBy, account } = order
  const { secret, hash } = service.makeSecret()
  const token: ApiToken = {
    id: randomUUID(),
    name,
    prefix: secret.slice(0, PREFIX_LENGTH),
    hash,
    role,
    namespaces,
    clusters,
    createdBy,
    account,
    createdAt: instant(now),
    expiresAt: expiresInDays === null ? undefined : instant(now + expiresInDays * DAY_MS),
    lastUsedAt: undefined,
    revokedAt: undefined,
  }
  await service.access.tokens.create(token)
  return { token, secret }
}

async function activeTokens(service: AccessService, now: number): Promise<ApiToken[]> {
  return (await service.access.tokens.list()).filter((token) => stateOf(token, now) === 'active')
}

/** `cli-build-7`, and `cli-build-7-2` while that one is in use. */
function freeName(active: readonly ApiToken[], machine: string): string {
  const words = machine.toLowerCase().replaceAll(/[^a-z0-9._-]/gu, '-')
  const name = `cli-${words}`.slice(0, LONGEST_NAME)
  const taken = new Set(active.map((token) => token.name))
  let free = name
  for (let count = 2; taken.has(free); count += 1) free = `${name.slice(0, LONGEST_NAME - 5)}-${count}`
  return free
}

/** What a token that asks calls itself where an id is asked for. */
const SELF = 'self'

const isItself = (caller: Caller, token: ApiToken): boolean => caller.id === `token:${token.id}`

/**
 * A person manages their own tokens, and an admin who sees everything manages all. Tokens that may, manage as well. One whose
 * maker is known by address alone is for admins: whoever has the address now may be someone else.
 */
const mayManage = (caller: Caller, token: ApiToken): boolean =>
  (caller.kind === 'account' && token.account !== undefined && token.account === caller.account?.id) ||
  (caller.role === 'admin' && caller.namespaces === undefined && caller.clusters === undefined)

/** What holds for a token that a person gives: they may do that much themselves. */
export function needLimits(
  caller: Caller,
  { role, namespaces }: { readonly role: Role; readonly namespaces?: readonly string[] | undefined },
): void {
  if (caller.kind !== 'account') {
    throw notAllowed('An API token cannot create another.', 'Sign in and create it yourself.')
  }
  if (!mayActAs(caller.role, role)) {
    throw notAllowed(
      `You are ${caller.role}: your tokens cannot be ${role}.`,
      `Make it ${caller.role}, or ask an admin for that role.`,
    )
  }
  const beyond = (namespaces ?? []).filter((each) => caller.namespaces?.includes(each) === false)
  if (beyond.length === 0) return
  throw notAllowed(
    `You do not see ${beyond.join(', ')}: your tokens cannot either.`,
    `Choose from ${caller.namespaces?.join(', ') ?? 'your namespaces'}.`,
  )
}

function needCluster(seen: Asked['seen'], id: string): void {
  const known = sourceIds(seen)
  if (known.includes(id)) return
  throw new Refusal('unknown-cluster', `There is no cluster "${id}".`, `Choose from: ${known.join(', ')}.`)
}

function needNewName(active: readonly ApiToken[], name: string): void {
  if (active.every((token) => token.name !== name)) return
  throw invalidInput(
    `There is an active API token "${name}" already: the audit log could not tell the two apart.`,
    'Choose another name, or revoke that token first.',
  )
}

function needRoom(active: readonly ApiToken[], maker: string | undefined): void {
  if (active.filter(({ account }) => account === maker).length < MOST_ACTIVE) return
  throw notAllowed(`You have ${MOST_ACTIVE} active API tokens.`, 'Revoke tokens that are no longer used.')
}

const tokenView = (token: ApiToken, now: number): TokenView => ({
  id: token.id,
  name: token.name,
  prefix: token.prefix,
  role: token.role,
  namespaces: token.namespaces === undefined ? null : [...token.namespaces],
  clusters: token.clusters === undefined ? null : [...token.clusters],
  createdBy: token.createdBy,
  createdAt: isoOf(token.createdAt),
  expiresAt: isoOrNull(token.expiresAt),
  lastUsedAt: isoOrNull(token.lastUsedAt),
  revokedAt: isoOrNull(token.revokedAt),
  state: stateOf(token, now),
})

function stateOf(
  { revokedAt, expiresAt }: { readonly revokedAt: Instant | undefined; readonly expiresAt: Instant | undefined },
  now: number,
): TokenView['state'] {
  if (revokedAt !== undefined) return 'revoked'
  return expiresAt !== undefined && expiresAt <= now ? 'expired' : 'active'
}
