import type { Query } from '../connection.ts'

/** Turns texts into the numbers that usage rows keep, and back. Remembers what it has seen. */
export type Words = {
  /** Numbers for all of `texts`; new ones are added to the table, in a statement of their own. */
  idsOf(texts: ReadonlySet<string>): Promise<ReadonlyMap<string, number>>
  /** Number of a text that may not be there. */
  find(text: string): Promise<number | undefined>
  textsOf(ids: ReadonlySet<number>): Promise<ReadonlyMap<number, string>>
  /** Drops what is remembered, after a failure that may have brought another database. */
  forget(): void
}

type WordRow = { id: number; text: string }

export function makeWords(query: Query, clock = () => performance.now()): Words {
  const ids = makeRecent<string, number>(clock)
  const texts = makeRecent<number, string>(clock)

  return {
    forget: () => {
      ids.forget()
      texts.forget()
    },
    idsOf: async (wanted) => {
      const { found, missing } = ids.look(wanted)
      // Sorted, so that two writers who add the same words take their locks in one order.
      const rows = missing.length > 0 ? await addWords(query, missing.toSorted()) : []
      const added = new Map(rows.map(({ id, text }) => [text, id]))
      // The writer's own copies are kept: it holds them anyway.
      for (const text of missing) {
        const id = added.get(text)
        if (id !== undefined) found.set(text, ids.keep(text, id))
      }
      return found
    },
    find: async (text) => {
      const known = ids.look([text]).found.get(text)
      if (known !== undefined) return known
      const [row] = await query<WordRow>('select id, text from words where text = $1', [text])
      return row === undefined ? undefined : ids.keep(text, row.id)
    },
    textsOf: async (wanted) => {
      const { found, missing } = texts.look(wanted)
      if (missing.length === 0) return found
      const rows = await query<WordRow>('select id, text from words where id = any($1::int[])', [missing])
      for (const { id, text } of rows) found.set(id, texts.keep(id, text))
      return found
    },
  }
}

/** What was not looked up in one such time, nor in the next, is forgotten. */
const ROUND_MS = 300_000
/** Of as many words as 200,000 GPUs have: more of a past than that is forgotten sooner. */
const MOST_REMEMBERED = 1_500_000

/**
 * Remembers what was looked up lately, however much that is: a large fleet asks for all of its words in every bucket, and
 * a past that was read once is never asked for again.
 */
function makeRecent<Key, Value>(clock: () => number) {
  let now = new Map<Key, Value>()
  let before = new Map<Key, Value>()
  let began = clock()
  return {
    look: (keys: Iterable<Key>): { readonly found: Map<Key, Value>; readonly missing: Key[] } => {
      if (clock() - began > ROUND_MS || now.size > MOST_REMEMBERED) [before, now, began] = [now, new Map(), clock()]
      const found = new Map<Key, Value>()
      const missing: Key[] = []
      for (const key of keys) {
        const value = now.get(key) ?? before.get(key)
        if (value === undefined) missing.push(key)
        else {
          now.set(key, value)
          found.set(key, value)
        }
      }
      return { found, missing }
    },
    keep: (key: Key, value: Value): Value => {
      now.set(key, value)
      return value
    },
    forget: () => [now, before].forEach((known) => known.clear()),
  }
}

async function addWords(query: Query, texts: readonly string[]): Promise<WordRow[]> {
  const known = await query<WordRow>('select id, text from words where text = any($1::text[])', [texts])
  const there = new Set(known.map(({ text }) => text))
  const fresh = texts.filter((text) => !there.has(text))
  if (fresh.length === 0) return known
  await query('insert into words (text) select unnest($1::text[]) on conflict (text) do nothing', [fresh])
  return query<WordRow>('select id, text from words where text = any($1::text[])', [texts])
}
