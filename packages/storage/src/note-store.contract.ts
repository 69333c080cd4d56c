import { instant, MINUTE_MS, type Note, type NoteStore } from '@septet/domain'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const at = (minutes: number) => instant(Date.UTC(2026, 0, 5) + minutes * MINUTE_MS)

const note = (kind: string, id: string, more: Partial<Note> = {}): Note => ({
  kind,
  id,
  owner: 'ann',
  at: at(0),
  until: at(10),
  bytes: new Uint8Array([1, 0, 255]),
  ...more,
})

type Opened = { readonly notes: NoteStore; close(): Promise<void> }

/** How every store keeps what servers note for one another. */
export function noteStoreBehaves(open: () => Promise<Opened>): void {
  let store: Opened
  beforeAll(async () => {
    store = await open()
  })
  afterAll(() => store.close())
  describe('notes', () => {
    test('are found by kind and id, and written over only once their time is over', async () => {
      const { notes } = store
      expect(await notes.add(note('work', 'a'))).toBe(true)
      expect(await notes.add(note('work', 'a', { owner: 'bob', at: at(9) }))).toBe(false)
      expect(await notes.get('work', 'a')).toEqual(note('work', 'a'))
      expect(await notes.get('other', 'a')).toBeUndefined()
      const later = note('work', 'a', { owner: 'bob', at: at(10), until: at(20) })
      expect(await notes.add(later)).toBe(true)
      expect(await notes.get('work', 'a')).toEqual(later)
    })
    test('are one server’s where two add the same at once', async () => {
      const added = await Promise.all(Array.from({ length: 8 }, () => store.notes.add(note('race', 'a'))))
      expect(added.filter(Boolean)).toHaveLength(1)
    })
    test('are renewed while they are there, and not once they were removed', async () => {
      const { notes } = store
      await notes.add(note('renewed', 'a'))
      const change = { kind: 'renewed', id: 'a', until: at(30), bytes: new Uint8Array([7]) }
      expect(await notes.renew(change)).toBe(true)
      expect(await notes.get('renewed', 'a')).toEqual({ ...note('renewed', 'a'), ...change })
      await notes.remove('renewed', 'a')
      expect(await notes.renew(change)).toBe(false)
      expect(await notes.get('renewed', 'a')).toBeUndefined()
    })
    test('are added up to so many of an owner that are not over, also where all come at once', async () => {
      const { notes } = store
      const tries = (owner: string, minutes: number, count: number) =>
        Promise.all(
          Array.from({ length: count }, (_, order) =>
            notes.addUpTo(
              3,
              note('tries', `${owner} ${minutes} ${order}`, { owner, at: at(minutes), until: at(minutes + 5) }),
            ),
          ),
        )
      const refused = [at(5), at(5)]
      expect((await tries('ann', 0, 5)).filter((until) => until !== undefined)).toEqual(refused)
      expect(await tries('ann', 4, 2)).toEqual(refused)
      expect(await tries('bob', 4, 1)).toEqual([undefined])
      expect(await tries('ann', 5, 1)).toEqual([undefined])
    })
    test('come newest first, and the oldest go when there are too many or their time is over', async () => {
      const { notes } = store
      const ids = async () => (await notes.newest('said', 10)).map(({ id }) => id)
      for (const [order, id] of ['a', 'b', 'c', 'd'].entries())
        await notes.add(note('said', id, { at: at(order), until: at(20 + order) }))
      expect(await ids()).toEqual(['d', 'c', 'b', 'a'])
      expect((await notes.newest('said', 2)).map(({ id }) => id)).toEqual(['d', 'c'])
      await notes.trim('said', 3)
      await notes.trim('said', 9)
      expect(await ids()).toEqual(['d', 'c', 'b'])
      await notes.prune(at(22))
      expect(await ids()).toEqual(['d', 'c'])
    })
  })
}
