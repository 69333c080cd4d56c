import type { AuditEntry, AuditFact, AuditHead, AuditSeal } from '@septet/domain'

import { followChain, type ChainEnd } from './follow-chain.ts'

/** How many entries one transaction adds at most. */
const ENTRIES_AT_ONCE = 200

type Waiting = {
  readonly fact: AuditFact
  readonly seal: AuditSeal
  readonly resolve: (entry: AuditEntry) => void
  readonly reject: (error: unknown) => void
}
/** Entries, and the head that signs them; undefined where there is nothing to write. */
type Next = { readonly entries: readonly AuditEntry[]; readonly head: AuditHead | undefined }
/** Writes what `follow` makes after the end of the chain, all or none; may ask it again. */
type Write = (follow: (end: ChainEnd) => Next) => Promise<void>

/**
 * Appends of one server wait here for the lock, and not each on a connection: many at once would leave none for anything
 * else. What waits goes together, so a database that is away is told to all of them at once.
 */
export function appendBatches(write: Write): (fact: AuditFact, seal: AuditSeal) => Promise<AuditEntry> {
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
  let settled: ReturnType<typeof followChain<Waiting>>['settled'] = []
  try {
    await write((end) => {
      const followed = followChain(batch, end)
      settled = followed.settled
      return followed
    })
    for (const { each, entry, error } of settled) {
      if (entry === undefined) each.reject(error)
      else each.resolve(entry)
    }
  } catch (error) {
    for (const each of batch) each.reject(error)
  }
}
