import { assert, array, asyncProperty, constantFrom, nat, record, uniqueArray } from 'fast-check'
import { expect, test } from 'vitest'
import type { Query } from '../connection.ts'
import { makeWords } from './words.ts'

/** The table `words`, which counts how often it was asked. */
function table() {
  const ids = new Map<string, number>()
  let asked = 0
  const query: Query = async <Row>(statement: string, [given]: readonly unknown[] = []) => {
    asked += 1
    const wanted = new Set([given].flat())
    if (statement.startsWith('insert')) {
      for (const text of wanted) if (typeof text === 'string' && !ids.has(text)) ids.set(text, ids.size + 1)
    }
    const rows: unknown = [...ids].flatMap(([text, id]) => (wanted.has(text) || wanted.has(id) ? { id, text } : []))
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a stand-in for any statement
    return rows as Row[]
  }
  return { query, ids, asked: () => asked }
}

test('a text has the number of the table, and a number its text, however late it is looked up again', async () => {
  const word = constantFrom('a', 'b', 'c', 'd', 'e')
  const step = record({ texts: uniqueArray(word), find: word, minutes: nat({ max: 12 }) })
  await assert(
    asyncProperty(array(step), async (steps) => {
      let now = 0
      const { query, ids } = table()
      const words = makeWords(query, () => now)
      for (const { texts, find, minutes } of steps) {
        now += minutes * 60_000
        const found = await words.idsOf(new Set(texts))
        expect(found).toEqual(new Map(texts.map((text) => [text, ids.get(text)])))
        expect(await words.find(find)).toBe(ids.get(find))
        expect(await words.textsOf(new Set(found.values()))).toEqual(
          new Map([...found].map(([text, id]) => [id, text])),
        )
      }
    }),
  )
})

test('what is looked up again and again is asked of the database once, what was not for ten minutes anew', async () => {
  let now = 0
  const { query, asked } = table()
  const words = makeWords(query, () => now)
  await words.idsOf(new Set(['kept', 'left']))
  const atFirst = asked()
  for (; now < 3_600_000; now += 30_000) await words.idsOf(new Set(['kept']))
  expect(asked()).toBe(atFirst)
  await words.idsOf(new Set(['left']))
  expect(asked()).toBe(atFirst + 1)
})
