import {
  instant,
  UNSIGNED_AUDIT,
  type AuditEntry,
  type AuditFact,
  type AuditHead,
  type AuditSeal,
} from '@septet/domain'

import { dateOf, exactText } from '../column-types.ts'
import { storableJson } from '../rows.ts'
import { storableText } from '../usage/storable.ts'

type Link = Pick<AuditEntry, 'seq' | 'hash'>
/** Where the chain ends so far. */
export type ChainEnd = {
  /** Undefined when it has not begun. */
  readonly newest: Link | undefined
  /** As it was last signed. */
  readonly head: AuditHead | undefined
  /** Whether the entry that was signed last is there, as it was signed. */
  readonly holdsHead: boolean
}
/** A fact that is to be written, and what it became: its entry, or why it has none. */
type Followed<Each> = { readonly each: Each; readonly entry?: AuditEntry; readonly error?: unknown }
type Asked = { readonly fact: AuditFact; readonly seal: AuditSeal }

/**
 * What is written after the end of the chain, and the head that signs it; no head where there is nothing to write. A fact that
 * cannot be sealed takes no number. After a cut the chain goes on where it was signed last, so that the gap stays.
 */
export function followChain<Each extends Asked>(
  batch: readonly Each[],
  end: ChainEnd,
): {
  readonly settled: readonly Followed<Each>[]
  readonly entries: readonly AuditEntry[]
  readonly head: AuditHead | undefined
} {
  const entries: AuditEntry[] = []
  let signature = ''
  const settled = batch.map((each) => {
    try {
      const { fact, seal } = each
      const from = startOf(end, seal)
      const said = entries.length > 0 || from.unsigned === 0 ? [] : [nextEntry(unsignedFact(from, fact), from, seal)]
      const entry = nextEntry(fact, said[0] ?? entries.at(-1) ?? from, seal)
      signature = exactText(seal.head(entry))
      entries.push(...said, entry)
      return { each, entry }
    } catch (error) {
      return { each, error }
    }
  })
  const last = entries.at(-1)
  return { settled, entries, head: last && { seq: last.seq, hash: last.hash, signature } }
}

/** What the next entry follows, and how many entries before it no signature covers. */
function startOf({ newest, head, holdsHead }: ChainEnd, seal: AuditSeal): Link & { readonly unsigned: number } {
  const end = newest ?? { seq: 0, hash: '' }
  if (head === undefined || seal.head(head) !== head.signature) return { ...end, unsigned: end.seq }
  // Added by a Septet that does not sign yet, while this one is being put in its place.
  if (holdsHead) return { ...end, unsigned: end.seq - head.seq }
  return { seq: Math.max(end.seq, head.seq), hash: head.hash, unsigned: 0 }
}

const unsignedFact = ({ unsigned }: { readonly unsigned: number }, { at }: AuditFact): AuditFact => ({
  at,
  actor: 'system',
  action: UNSIGNED_AUDIT,
  object: '',
  outcome: 'done',
  ip: '',
  details: { entries: unsigned },
})

/** The entry that follows `last`. */
function nextEntry(fact: AuditFact, last: Link, seal: AuditSeal): AuditEntry {
  // In the order of the columns, so that an entry reads the same when it comes back.
  const entry = { seq: last.seq + 1, ...storableFact(fact), previousHash: last.hash }
  return { ...entry, hash: exactText(seal.entry(entry)) }
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
