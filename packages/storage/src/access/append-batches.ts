import { instant, type AuditEntry, type AuditFact } from '@septet/domain'

import { dateOf, exactText } from '../column-types.ts'
import { storableJson } from '../rows.ts'
import { storableText } from '../usage/storable.ts'

/** How many entries one transaction adds at most. */
const ENTRIES_AT_ONCE = 200

/** Gives the hash over an entry. */
type Seal = (entry: Omit<AuditEntry, 'hash'>) => string

type Waiting = {
  readonly fact: AuditFact
  readonly seal: Seal
  readonly resolve: (entry: AuditEntry) => void
  readonly reject: (error: unknown) => void
}
/** Where the chain ends so far; undefined when it has not begun. */
type ChainEnd = Pick<AuditEntry, 'seq' | 'hash'> | undefined
/** Writes the entries that `follow` makes after the end of the chain, all or none; may ask it again. */
type Write = (follow: (end: ChainEnd) => readonly AuditEntry[]) => Promise<void>

/**
 * Appends of one server wait here for the lock, and not each on a connection: many at once would leave none for anything
 * else. What waits goes together, so a database that is away is told to all of them at once.
 */
export function appendBatches(write: Write): (fact: AuditFact, seal: Seal) => Promise<AuditEntry> {
  const waiting: Waiting[] = []
  let isWriting = false
  const writeAll = async () => {
    isWriting = true
    while (waiting.length > 0) await writeBatch(write, waiting.splice(0, ENTRIES_AT_ONCE))
    isWriting = false
  }
  return (fact, seal) => {
    const { promise, resolve, reject } = Promise.withResolvers<AuditEntry>()
    waiting.push({ fact, seal, resolve, reject })
    if (!isWriting) void writeAll()
    return promise
  }
}

async function writeBatch(write: Write, batch: readonly Waiting[]): Promise<void> {
  let settled: Followed[] = []
  try {
    await write((end) => {
      settled = followers(batch, end)
      return settled.flatMap(({ entry }) => entry ?? [])
    })
    for (const { each, entry, error } of settled) {
      if (entry === undefined) each.reject(error)
      else each.resolve(entry)
    }
  } catch (error) {
    for (const each of batch) each.reject(error)
  }
}

type Followed = { readonly each: Waiting; readonly entry?: AuditEntry; readonly error?: unknown }

/** A fact that cannot be sealed takes no number. */
function followers(batch: readonly Waiting[], end: ChainEnd): Followed[] {
  let last = end
  return batch.map((each) => {
    try {
      const entry = nextEntry(each.fact, last, each.seal)
      last = entry
      return { each, entry }
    } catch (error) {
      return { each, error }
    }
  })
}

/** The entry that follows `last`. */
function nextEntry(fact: AuditFact, last: ChainEnd, seal: Seal): AuditEntry {
  // In the order of the columns, so that an entry reads the same when it comes back.
  const entry = { seq: (last?.seq ?? 0) + 1, ...storableFact(fact), previousHash: last?.hash ?? '' }
  return { ...entry, hash: exactText(seal(entry)) }
}

/** The fact as it will be read again: what is sealed must be what is kept. */
const storableFact = (fact: AuditFact): AuditFact => ({
  at: instant(dateOf(fact.at).getTime()),
  actor: storableText(fact.actor),
  action: storableText(fact.action),
  object: storableText(fact.object),
  outcome: fact.outcome,
  ip: storableText(fact.ip),
  details: storableJson(fact.details),
})
