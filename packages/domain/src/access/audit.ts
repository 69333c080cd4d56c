import type { Instant } from '../units.ts'

/** Something that someone did, or tried to. */
export type AuditFact = {
  readonly at: Instant
  /** Address, `token:NAME`, or `system`. */
  readonly actor: string
  /** `subject.verb`: `account.sign-in`, `token.create`, `prices.put`. */
  readonly action: string
  /** What it was done to; empty when nothing in particular. */
  readonly object: string
  readonly outcome: 'done' | 'refused'
  readonly ip: string
  /** Never a password, code or token. */
  readonly details: Readonly<Record<string, string | number | boolean>>
}

/** A fact in the chain: `hash` covers the fact, its number and the hash before it, so nothing can be changed or left out unseen. */
export type AuditEntry = AuditFact & {
  /** 1, 2, 3 … without gaps. */
  readonly seq: number
  /** Hex; empty for the first. */
  readonly previousHash: string
  readonly hash: string
}

/** Where the chain ends, signed: a chain that ends before it was cut. */
export type AuditHead = Pick<AuditEntry, 'seq' | 'hash'> & { readonly signature: string }

/** What only the holder of the secret can give: the hash over an entry, and the signature over the end of the chain. */
export type AuditSeal = {
  entry(entry: Omit<AuditEntry, 'hash'>): string
  head(end: Pick<AuditEntry, 'seq' | 'hash'>): string
}

export type AuditQuery = {
  /** Only entries with a smaller number: newest first, page by page. */
  readonly before?: number
  readonly limit: number
  readonly actor?: string
  readonly action?: string
}

/** The entry that says how many others no longer name a person, who is its `object` and their `forgotten`. */
export const FORGOTTEN_PERSON = 'person.forgotten'

/** The entry that says that no signature covered the chain's end when it was written: a cut before it does not show. */
export const UNSIGNED_AUDIT = 'audit.unsigned'
