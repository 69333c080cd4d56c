import {
  instant,
  type Factor,
  type FactorChallenge,
  type FactorChange,
  type Session,
  type SessionChange,
  type SigningKey,
} from '@septet/domain'

import type { factorChallenges, factors, sessions, signingKeys } from '../access-schema.ts'
import { storableJson } from '../records/record-rows.ts'
import { storableText } from '../usage/storable.ts'
import { dateOf, exactText, maybeDate, maybeInstant, namedRow } from './row-values.ts'

/** Between sessions, factors and keys as the domain knows them and what a table row holds. */

export type SessionRow = typeof sessions.$inferSelect

export const sessionRow = (session: Session): SessionRow => ({
  id: exactText(session.id),
  accountId: exactText(session.accountId),
  createdAt: dateOf(session.createdAt),
  ...changeableSession(session),
})

/** Only what the change names. */
export const sessionChangeRow = (change: SessionChange): Partial<SessionRow> =>
  namedRow(changeableSession({ ...UNNAMED_IN_SESSION, ...change }), change)

export const toSession = (row: SessionRow): Session => ({
  ...row,
  factorId: row.factorId ?? undefined,
  createdAt: instant(row.createdAt.getTime()),
  refreshedAt: instant(row.refreshedAt.getTime()),
  notAfter: maybeInstant(row.notAfter),
  providerSession: row.providerSession ?? undefined,
})

type ChangeableSession = Omit<Session, 'id' | 'accountId' | 'createdAt'>

const changeableSession = (session: ChangeableSession): Omit<SessionRow, 'id' | 'accountId' | 'createdAt'> => ({
  aal: session.aal,
  factorId: session.factorId === undefined ? null : exactText(session.factorId),
  methods: storableJson(session.methods),
  refreshCounter: session.refreshCounter,
  refreshedAt: dateOf(session.refreshedAt),
  userAgent: storableText(session.userAgent),
  ip: storableText(session.ip),
  notAfter: maybeDate(session.notAfter),
  providerSession: session.providerSession === undefined ? null : exactText(session.providerSession),
})

/** Stands where a change names nothing; never stored. */
const UNNAMED_IN_SESSION: ChangeableSession = {
  aal: 'aal1',
  factorId: undefined,
  methods: [],
  refreshCounter: 0,
  refreshedAt: instant(0),
  userAgent: '',
  ip: '',
  notAfter: undefined,
  providerSession: undefined,
}

export type FactorRow = typeof factors.$inferSelect

export const factorRow = (factor: Factor): FactorRow => ({
  id: exactText(factor.id),
  accountId: exactText(factor.accountId),
  secret: Buffer.from(factor.secret),
  lastStep: factor.lastStep ?? null,
  createdAt: dateOf(factor.createdAt),
  ...changeableFactor(factor),
})

/** Only what the change names. */
export const factorChangeRow = (change: FactorChange): Partial<FactorRow> =>
  namedRow(changeableFactor({ ...UNNAMED_IN_FACTOR, ...change }), change)

export const toFactor = (row: FactorRow): Factor => ({
  ...row,
  secret: new Uint8Array(row.secret),
  lastStep: row.lastStep ?? undefined,
  lastChallengedAt: maybeInstant(row.lastChallengedAt),
  createdAt: instant(row.createdAt.getTime()),
  updatedAt: instant(row.updatedAt.getTime()),
})

type ChangeableFactor = Pick<Factor, 'status' | 'lastChallengedAt' | 'updatedAt' | 'friendlyName'>

const changeableFactor = (factor: ChangeableFactor): Pick<FactorRow, keyof ChangeableFactor> => ({
  friendlyName: storableText(factor.friendlyName),
  status: factor.status,
  lastChallengedAt: maybeDate(factor.lastChallengedAt),
  updatedAt: dateOf(factor.updatedAt),
})

/** Stands where a change names nothing; never stored. */
const UNNAMED_IN_FACTOR: ChangeableFactor = {
  friendlyName: '',
  status: 'unverified',
  lastChallengedAt: undefined,
  updatedAt: instant(0),
}

export type ChallengeRow = typeof factorChallenges.$inferSelect

export const challengeRow = (challenge: FactorChallenge): ChallengeRow => ({
  id: exactText(challenge.id),
  factorId: exactText(challenge.factorId),
  ip: storableText(challenge.ip),
  expiresAt: dateOf(challenge.expiresAt),
})

export const toChallenge = (row: ChallengeRow): FactorChallenge => ({
  ...row,
  expiresAt: instant(row.expiresAt.getTime()),
})

export type KeyRow = typeof signingKeys.$inferSelect

export const keyRow = (key: SigningKey): KeyRow => ({
  kid: exactText(key.kid),
  publicJwk: storableJson(key.publicJwk),
  sealedPrivateJwk: key.sealedPrivateJwk === undefined ? null : Buffer.from(key.sealedPrivateJwk),
  createdAt: dateOf(key.createdAt),
})

export const toKey = (row: KeyRow): SigningKey => ({
  ...row,
  sealedPrivateJwk: row.sealedPrivateJwk === null ? undefined : new Uint8Array(row.sealedPrivateJwk),
  createdAt: instant(row.createdAt.getTime()),
})
