import { createHash } from 'node:crypto'

import {
  FORGOTTEN_PERSON,
  UNSIGNED_AUDIT,
  type AuditEntry,
  type AuditFact,
  type AuditHead,
  type AuditSeal,
  type AuditStore,
  type Instant,
} from '@septet/domain'

import type { Secrets } from './secrets.ts'

/** Writes down who did what. A fact that cannot be written is an error: nothing happens unseen. */
export type Audit = {
  record(fact: Recorded): Promise<AuditEntry>
  /** Checks the chain that is given, oldest first, against its signed end, which comes back with the verdict. */
  verify(batches: Batches): Promise<{ readonly chain: ChainVerdict; readonly head: AuditHead | undefined }>
}
/** Left out: done, with what the actor has, of which nothing more is to be told. */
type Recorded = Pick<AuditFact, 'actor' | 'action' | 'ip'> & Partial<Pick<AuditFact, 'object' | 'outcome' | 'details'>>
type Batches = AsyncIterable<readonly AuditEntry[]> | Iterable<readonly AuditEntry[]>

/** The audit log over a store; every entry carries the hash of the one before, and the newest is signed. */
export function openAudit(
  store: Pick<AuditStore, 'append' | 'head'>,
  secrets: Pick<Secrets, 'keyedHash'>,
  now: () => Instant,
): Audit {
  const seal: AuditSeal = {
    entry: sealEntry,
    head: ({ seq, hash }) => secrets.keyedHash('audit-head', `${seq} ${hash}`),
  }
  return {
    record: (fact) => store.append({ at: now(), object: fact.actor, outcome: 'done', details: {}, ...fact }, seal),
    async verify(batches) {
      const head = await store.head()
      const seen: { hash?: string } = {}
      const chain = await verifyChain(heard(batches, head?.seq, seen))
      if (chain.kind === 'broken') return { chain, head }
      const wrong = head && wrongHead({ head, entries: chain.entries, hash: seen.hash, seal })
      if (wrong !== undefined) return { chain: { kind: 'broken', ...wrong }, head }
      // Other servers append while it is read.
      const signed = (await store.head())?.seq ?? 0
      return { chain: chain.entries > signed ? { ...chain, unsignedUpTo: chain.entries } : chain, head }
    },
  }
}

/** Passes entries on, and keeps the hash of entry `seq`. */
async function* heard(
  batches: Batches,
  seq: number | undefined,
  seen: { hash?: string },
): AsyncGenerator<readonly AuditEntry[]> {
  for await (const batch of batches) {
    const found = batch.find((entry) => entry.seq === seq)
    if (found !== undefined) seen.hash = found.hash
    yield batch
  }
}

/** What is wrong with the end of a chain that is whole in itself. */
function wrongHead(found: {
  readonly head: AuditHead
  readonly entries: number
  readonly hash: string | undefined
  readonly seal: AuditSeal
}): { readonly seq: number; readonly because: string } | undefined {
  const { head, entries, hash, seal } = found
  if (seal.head(head) !== head.signature) {
    return { seq: head.seq, because: 'The signature at the end of the log was not made with this Septet’s secret.' }
  }
  if (entries < head.seq) {
    const missing = head.seq - entries
    const which = missing === 1 ? 'newest entry is' : `newest ${missing} entries are`
    return { seq: entries + 1, because: `The ${which} missing: the log was signed at entry ${head.seq}.` }
  }
  if (hash === head.hash) return undefined
  return { seq: head.seq, because: `Entry ${head.seq} is not the one that was signed.` }
}

/** SHA-256, hex, over the entry's canonical JSON: keys in code-unit order at every depth, no spaces (as in RFC 8785). */
export const sealEntry = (entry: Omit<AuditEntry, 'hash'>): string =>
  createHash('sha256')
    .update(
      canonical({
        seq: entry.seq,
        previousHash: entry.previousHash,
        at: entry.at,
        actor: entry.actor,
        action: entry.action,
        object: entry.object,
        outcome: entry.outcome,
        ip: entry.ip,
        details: entry.details,
      }),
    )
    .digest('hex')

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields = Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, field]) => `${JSON.stringify(key)}:${canonical(field)}`)
  return `{${fields.join(',')}}`
}

/** What a walk along the chain found: all of it whole, or the first entry that does not follow from the one before. */
export type ChainVerdict =
  | {
      readonly kind: 'whole'
      readonly entries: number
      readonly lastHash: string
      /** Up to this entry no signature shows whether newer ones were cut off before it was written. */
      readonly unsignedUpTo?: number
      /** Entries whose person was forgotten: they are in their place, and what they say is no longer proven. */
      readonly forgotten?: number
    }
  | { readonly kind: 'broken'; readonly seq: number; readonly because: string }

/**
 * Checks a chain, oldest first, from its first entry. It cannot see entries that were cut off at the end: `verify` does, or
 * compare `lastHash` with one that was noted elsewhere.
 */
export async function verifyChain(batches: Batches): Promise<ChainVerdict> {
  const people = openForgotten()
  let unsignedUpTo = 0
  let seq = 0
  let lastHash = ''
  for await (const batch of batches) {
    for (const entry of batch) {
      seq++
      const because = breakOf(entry, seq, lastHash)
      if (because !== undefined) return { kind: 'broken', seq: entry.seq, because }
      if (sealEntry(entry) === entry.hash) people.hear(entry)
      else if (!people.changed(entry)) {
        return { kind: 'broken', seq: entry.seq, because: `Entry ${seq} was changed after it was written.` }
      }
      if (entry.action === UNSIGNED_AUDIT) unsignedUpTo = entry.seq
      lastHash = entry.hash
    }
  }
  const wrong = people.wrong()
  if (wrong !== undefined) {
    return {
      kind: 'broken',
      seq: wrong,
      because: `Entry ${wrong} was changed, and no entry says that its person was forgotten.`,
    }
  }
  const forgotten = people.count()
  return {
    kind: 'whole',
    entries: seq,
    lastHash,
    ...(unsignedUpTo === 0 ? {} : { unsignedUpTo }),
    ...(forgotten === 0 ? {} : { forgotten }),
  }
}

function breakOf(entry: AuditEntry, seq: number, lastHash: string): string | undefined {
  if (entry.seq > seq + 1) return `Entries ${seq} to ${entry.seq - 1} are missing.`
  if (entry.seq !== seq) return `Entry ${seq} is missing.`
  if (entry.previousHash !== lastHash) return `Entry ${seq} does not follow from the one before it.`
  return undefined
}

/** Entries that were changed because a person was forgotten, against what later entries say of that. */
function openForgotten() {
  const found = new Map<string, { readonly first: number; entries: number; said: number }>()
  return {
    /** Whether an entry says of itself that its person was forgotten. */
    changed({ seq, details: { forgotten } }: AuditEntry): boolean {
      if (typeof forgotten !== 'string') return false
      const before = found.get(forgotten) ?? { first: seq, entries: 0, said: 0 }
      found.set(forgotten, { ...before, entries: before.entries + 1 })
      return true
    },
    hear({ action, object, details: { entries } }: AuditEntry): void {
      const before = found.get(object)
      if (action === FORGOTTEN_PERSON && before !== undefined) before.said += Number(entries)
    },
    /** The first entry of somebody of whom fewer entries were to be changed. */
    wrong: () => [...found.values()].find(({ entries, said }) => entries > said)?.first,
    count: () => [...found.values()].reduce((sum, { entries }) => sum + entries, 0),
  }
}
