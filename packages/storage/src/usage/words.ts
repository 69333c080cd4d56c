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

/** About 40 MB of short texts; then it starts again. */
const MOST_REMEMBERED = 300_000

export function makeWords(query: Query): Words {
  const idByText = new Map<string, number>()
  const textById = new Map<number, string>()
  const forget = () => {
    idByText.clear()
    textById.clear()
  }
  const remember = (rows: readonly WordRow[]) => {
    for (const { id, text } of rows) {
      idByText.set(text, id)
      textById.set(id, text)
    }
  }
  const makeRoom = () => {
    if (idByText.size > MOST_REMEMBERED) forget()
  }

  const idsOf = async (texts: ReadonlySet<string>) => {
    makeRoom()
    // Sorted, so that two writers who add the same words take their locks in one order.
    const missing = [...texts].filter((text) => !idByText.has(text)).toSorted()
    if (missing.length > 0) remember(await addWords(query, missing))
    return new Map([...texts].map((text) => [text, idByText.get(text) ?? 0]))
  }

  return {
    idsOf,
    forget,
    find: async (text) => {
      if (!idByText.has(text)) {
        remember(await query<WordRow>('select id, text from words where text = $1', [text]))
      }
      return idByText.get(text)
    },
    textsOf: async (ids) => {
      makeRoom()
      const missing = [...ids].filter((id) => !textById.has(id))
      if (missing.length > 0) {
        remember(await query<WordRow>('select id, text from words where id = any($1::int[])', [missing]))
      }
      return new Map([...ids].map((id) => [id, textById.get(id) ?? '']))
    },
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
