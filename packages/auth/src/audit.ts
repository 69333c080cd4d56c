import { createHash } from 'node:crypto'

import { FORGOTTEN_PERSON, type AuditEntry, type AuditFact, type AuditStore, type Instant } from '@septet/domain'

/** Writes down who did what. A fact that cannot be written is an error: nothing happens unseen. */
export type Audit = {
  record(fact: Recorded): Promise<AuditEntry>
}
/** Left out: done, with what the actor has, of which nothing more is to be told. */
type Recorded = Pick<AuditFact, 'actor' | 'action' | 'ip'> & Partial<Pick<AuditFact, 'object' | 'outcome' | 'details'>>

/** The audit log over a store; every entry carries the hash of the one before. */
export function openAudit(store: Pick<AuditStore, 'append'>, now: () => Instant): Audit {
  return {
    record: (fact) => store.append({ at: now(), object: fact.actor, outcome: 'done', details: {}, ...fact }, sealEntry),
  }
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
      /** Entries whose person was forgotten: they are in their place, and what they say is no longer proven. */
      readonly forgotten?: number
    }
  | { readonly kind: 'broken'; readonly seq: number; readonly because: string }

/**
 * Checks a chain, oldest first, from its first entry. It cannot see entries that were cut off at the end: compare
 * `lastHash` with one that was noted elsewhere.
 */
export async function verifyChain(
  batches: AsyncIterable<readonly AuditEntry[]> | Iterable<readonly AuditEntry[]>,
): Promise<ChainVerdict> {
  const people = openForgotten()
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
  return { kind: 'whole', entries: seq, lastHash, ...(forgotten === 0 ? {} : { forgotten }) }
}

function breakOf(entry: AuditEntry, seq: number, lastHash: string): string | undefined {
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
