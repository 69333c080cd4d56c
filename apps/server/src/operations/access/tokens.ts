import { randomUUID } from 'node:crypto'

import {
  Refusal,
  type InputOf,
  type OutputOf,
  type tokensCreate,
  type tokensList,
  type tokensRevoke,
} from '@septet/contract'
import { instant, mayActAs, type ApiToken, type Instant, type Caller } from '@septet/domain'

import type { AccessService } from './access-service.ts'
import type { Asked } from '../answering/answering.ts'
import { sourceIds } from '../answering/source.ts'
import { isoOf, isoOrNull } from '../answering/view.ts'

type TokenView = OutputOf<typeof tokensList>['tokens'][number]

const DAY_MS = 86_400_000
/** Active tokens of one maker: more is a program that forgets to revoke. */
const MOST_ACTIVE = 100
/** Characters of the secret that are kept to recognize it by: the prefix of all, and four more. */
const PREFIX_LENGTH = 8

/** The caller's own tokens; everyone's for an admin. */
export async function listTokens(
  service: AccessService,
  caller: Caller,
  now: number,
): Promise<OutputOf<typeof tokensList>> {
  const tokens = await service.access.tokens.list()
  return { tokens: tokens.filter((token) => mayManage(caller, token)).map((token) => tokenView(token, now)) }
}

/** Makes a token that may do no more than its maker, who must be a person: a lost token must not leave others behind. */
export async function createToken(
  service: AccessService,
  { caller, seen }: Asked,
  input: InputOf<typeof tokensCreate> & { readonly now: number },
): Promise<OutputOf<typeof tokensCreate>> {
  needLimits(caller, input)
  for (const id of input.clusters ?? []) needCluster(seen, id)
  const known = await service.access.tokens.list()
  needRoom(
    known.filter((token) => stateOf(token, input.now) === 'active'),
    caller,
    input.name,
  )
  const { secret, hash } = service.makeSecret()
  const createdAt = instant(input.now)
  const token: ApiToken = {
    id: randomUUID(),
    name: input.name,
    prefix: secret.slice(0, PREFIX_LENGTH),
    hash,
    role: input.role,
    namespaces: input.namespaces ?? caller.namespaces,
    clusters: input.clusters,
    createdBy: caller.name,
    createdAt,
    expiresAt: input.expiresInDays === null ? undefined : instant(input.now + input.expiresInDays * DAY_MS),
    lastUsedAt: undefined,
    revokedAt: undefined,
  }
  await service.access.tokens.create(token)
  return { token: tokenView(token, input.now), secret }
}

/** Ends a token; another's is as unknown as one that is not there, but to an admin. */
export async function revokeToken(
  service: AccessService,
  caller: Caller,
  { id, now }: InputOf<typeof tokensRevoke> & { readonly now: number },
): Promise<OutputOf<typeof tokensRevoke>> {
  const token = (await service.access.tokens.list()).find((each) => each.id === id)
  const revoked =
    token !== undefined &&
    mayManage(caller, token) &&
    (await service.access.tokens.revoke(id, instant(now))) !== undefined
  if (revoked) return { revoked: id }
  throw new Refusal(
    'not-found',
    `There is no API token "${id}" that you could revoke.`,
    'It may have been revoked already; list the tokens to see.',
  )
}

/** A person manages their own tokens, and an admin who sees everything manages all. Tokens that may, manage as well. */
const mayManage = (caller: Caller, token: ApiToken): boolean =>
  (caller.kind === 'account' && token.createdBy === caller.name) ||
  (caller.role === 'admin' && caller.namespaces === undefined && caller.clusters === undefined)

function needLimits(caller: Caller, { role, namespaces }: InputOf<typeof tokensCreate>): void {
  if (caller.kind !== 'account') {
    throw new Refusal('not-allowed', 'An API token cannot make another.', 'Sign in and make it as yourself.')
  }
  if (!mayActAs(caller.role, role)) {
    throw new Refusal(
      'not-allowed',
      `You are ${caller.role}: a token of yours cannot be ${role}.`,
      `Make it ${caller.role}, or ask an admin for that role.`,
    )
  }
  const beyond = (namespaces ?? []).filter((each) => caller.namespaces?.includes(each) === false)
  if (beyond.length === 0) return
  throw new Refusal(
    'not-allowed',
    `You do not see ${beyond.join(', ')}: a token of yours cannot either.`,
    `Choose from ${caller.namespaces?.join(', ') ?? 'your namespaces'}.`,
  )
}

function needCluster(seen: Asked['seen'], id: string): void {
  const known = sourceIds(seen)
  if (known.includes(id)) return
  throw new Refusal('unknown-cluster', `There is no cluster "${id}".`, `Choose from: ${known.join(', ')}.`)
}

function needRoom(active: readonly ApiToken[], caller: Caller, name: string): void {
  if (active.some((token) => token.name === name)) {
    throw new Refusal(
      'invalid-input',
      `There is an active API token "${name}" already: in the audit log the two could not be told apart.`,
      'Choose another name, or revoke that token first.',
    )
  }
  if (active.filter(({ createdBy }) => createdBy === caller.name).length < MOST_ACTIVE) return
  throw new Refusal('not-allowed', `You have ${MOST_ACTIVE} active API tokens.`, 'Revoke those that are not in use.')
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
