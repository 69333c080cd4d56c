import type { Instant } from '../units.ts'
import type { Account, AccountChange, CodeKind, ExternalIdentity, Mail, MailCode } from './account.ts'
import type { AuditEntry, AuditFact, AuditHead, AuditQuery, AuditSeal } from './audit.ts'
import type { LoginDecision, LoginRequest } from './login-request.ts'
import type { ApiToken, Member } from './member.ts'
import type { Factor, FactorChallenge, FactorChange, Session, SessionChange, SigningKey } from './session.ts'

/** Who may come in. Whatever says "once" or "if" is decided by the store in one step, also between several servers. */
export type AccessStore = {
  readonly accounts: AccountStore
  readonly identities: IdentityStore
  readonly sessions: SessionStore
  readonly codes: CodeStore
  readonly factors: FactorStore
  readonly keys: KeyStore
  readonly members: MemberStore
  readonly tokens: ApiTokenStore
  readonly logins: LoginRequestStore
  readonly audit: AuditStore
  readonly mails: MailStore
}

export type AccountStore = {
  /** False when the address has an account already. */
  create(account: Account): Promise<boolean>
  get(id: string): Promise<Account | undefined>
  byEmail(email: string): Promise<Account | undefined>
  /** One page (from 1), newest first; `filter` is a part of the address. */
  list(query: {
    page: number
    perPage: number
    filter?: string
  }): Promise<{ accounts: readonly Account[]; total: number }>
  /** The account as it is then; `taken` when another has that address; undefined when it is gone. */
  update(id: string, change: AccountChange): Promise<Account | 'taken' | undefined>
  /** Also removes its identities, sessions, codes, factors and challenges. False when it was gone. */
  remove(id: string): Promise<boolean>
}
export type IdentityStore = {
  /** False when the issuer's subject has an account already. */
  add(identity: ExternalIdentity): Promise<boolean>
  find(issuer: string, subject: string): Promise<ExternalIdentity | undefined>
  /** In no order. */
  ofAccount(accountId: string): Promise<readonly ExternalIdentity[]>
}
export type SessionStore = {
  create(session: Session): Promise<void>
  get(id: string): Promise<Session | undefined>
  /** Newest refresh first. */
  ofAccount(accountId: string): Promise<readonly Session[]>
  /** Those that the sign-in provider knows by that name, newest refresh first. */
  ofProvider(providerSession: string): Promise<readonly Session[]>
  /** Changes it only if the counter is still `counter`; undefined when it is not, or the session is gone. */
  advance(id: string, counter: number, change: SessionChange): Promise<Session | undefined>
  update(id: string, change: SessionChange): Promise<Session | undefined>
  remove(id: string): Promise<boolean>
  /** Every session of an account, but `except`. How many went. */
  removeOf(accountId: string, except?: string): Promise<number>
  /** Those whose `notAfter` has passed, or that were not refreshed since `staleBefore`. */
  prune(now: Instant, staleBefore: Instant): Promise<number>
}
export type CodeStore = {
  /** Replaces the account's code of that kind. */
  put(code: MailCode): Promise<void>
  byHash(hash: string): Promise<MailCode | undefined>
  ofAccount(accountId: string, kind: CodeKind): Promise<MailCode | undefined>
  /** Those of a kind that went to an address, newest first: a new address that waits to be confirmed has no account yet, and may be waited for by several. */
  sentTo(address: string, kind: CodeKind): Promise<readonly MailCode[]>
  /** Counts a wrong try; how many there were with it, 0 when the code is gone. */
  countTry(id: string): Promise<number>
  /** Takes it, once: true for the one who got it. */
  take(id: string): Promise<boolean>
  removeOf(accountId: string): Promise<void>
  prune(now: Instant): Promise<number>
}
export type FactorStore = {
  /** False when the account has one of that name. */
  create(factor: Factor): Promise<boolean>
  get(id: string): Promise<Factor | undefined>
  /** Oldest first. */
  ofAccount(accountId: string): Promise<readonly Factor[]>
  update(id: string, change: FactorChange): Promise<Factor | undefined>
  remove(id: string): Promise<boolean>
  /** Accepts a time step only if it is newer than every one before it. */
  useStep(id: string, step: number): Promise<boolean>
  putChallenge(challenge: FactorChallenge): Promise<void>
  getChallenge(id: string): Promise<FactorChallenge | undefined>
  /** Takes it, once, where it is for this address. */
  takeChallenge(id: string, ip: string): Promise<boolean>
  /** Challenges that are over, and unverified factors made before. */
  prune(now: Instant, unverifiedBefore: Instant): Promise<number>
}
export type KeyStore = {
  /** Newest first. */
  list(): Promise<readonly SigningKey[]>
  /** Adds it unless there is one that signs; the keys as they are then. Two servers that start at once keep one key. */
  addIfNone(key: SigningKey): Promise<readonly SigningKey[]>
  /** Adds one that signs from now on; all others lose their private half and only verify. */
  rotate(key: SigningKey): Promise<void>
  /** Removes those that a newer key followed before; how many went. */
  prune(followedBefore: Instant): Promise<number>
}
export type MemberStore = {
  /** By address. */
  list(): Promise<readonly Member[]>
  get(email: string): Promise<Member | undefined>
  put(member: Member): Promise<void>
  remove(email: string): Promise<boolean>
}
export type ApiTokenStore = {
  create(token: ApiToken): Promise<void>
  /** Newest first, revoked ones too. */
  list(): Promise<readonly ApiToken[]>
  byHash(hash: string): Promise<ApiToken | undefined>
  touch(id: string, at: Instant): Promise<void>
  /** Undefined when there is none, or it was revoked before. */
  revoke(id: string, at: Instant): Promise<ApiToken | undefined>
}
export type LoginRequestStore = {
  create(request: LoginRequest): Promise<void>
  get(id: string): Promise<LoginRequest | undefined>
  byCode(codeHash: string): Promise<LoginRequest | undefined>
  /** Decides it, once: false when it is gone or was decided before. */
  decide(id: string, decision: LoginDecision): Promise<boolean>
  /** Takes it, once: true for the one who got it. */
  take(id: string): Promise<boolean>
  prune(now: Instant): Promise<number>
}
export type AuditStore = {
  /** Adds a fact at the end of the chain and signs where it ends. One at a time, also between servers. Nothing can be changed or removed. */
  append(fact: AuditFact, seal: AuditSeal): Promise<AuditEntry>
  /** Where the chain ends, as it was last signed; undefined before the first entry that signed it. */
  head(): Promise<AuditHead | undefined>
  /** Newest first. */
  list(query: AuditQuery): Promise<readonly AuditEntry[]>
  /** Oldest first, all of it, in batches. */
  all(): AsyncIterable<readonly AuditEntry[]>
}
export type MailStore = {
  add(mail: Mail): Promise<void>
  /** Newest first. */
  list(limit: number): Promise<readonly Mail[]>
  prune(before: Instant): Promise<number>
}
