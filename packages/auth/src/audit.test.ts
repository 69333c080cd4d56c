import { instant, type AuditEntry, type AuditFact } from '@septet/domain'
import { openTestStore } from '@septet/storage/testing'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { openAudit, sealEntry, verifyChain } from './audit.ts'
import { secretsFrom } from './secrets.ts'

const SECRETS = secretsFrom(Buffer.alloc(32, 1))
const FACT = { actor: 'ann@b.example', action: 'prices.put', object: '', outcome: 'done', ip: '', details: {} } as const

async function chainOf(length: number, details: AuditFact['details'] = {}): Promise<AuditEntry[]> {
  const { audit: store } = (await openTestStore()).access
  let at = 0
  const audit = openAudit(store, SECRETS, () => instant(at++))
  for (let count = 0; count < length; count++) await audit.record({ ...FACT, object: `${count}`, details })
  const entries: AuditEntry[] = []
  for await (const batch of store.all()) entries.push(...batch)
  return entries
}

describe('the chain', () => {
  test('holds as it was written, in any batches', async () => {
    const entries = await chainOf(7)
    const { hash } = entries[6] ?? { hash: '' }
    expect(await verifyChain([entries])).toEqual({ kind: 'whole', entries: 7, lastHash: hash })
    expect(await verifyChain([entries.slice(0, 3), [], entries.slice(3)])).toEqual({
      kind: 'whole',
      entries: 7,
      lastHash: hash,
    })
    expect(await verifyChain([])).toEqual({ kind: 'whole', entries: 0, lastHash: '' })
  })
  test.each([
    ['actor', { actor: 'eve@b.example' }],
    ['action', { action: 'prices.get' }],
    ['object', { object: 'x' }],
    ['outcome', { outcome: 'refused' }],
    ['ip', { ip: '192.0.2.1' }],
    ['at', { at: instant(99) }],
    ['details', { details: { added: true } }],
  ] as const)('a changed %s is found', async (_what, change) => {
    const entries = (await chainOf(5)).map((entry) => (entry.seq === 3 ? { ...entry, ...change } : entry))
    expect(await verifyChain([entries])).toEqual({
      kind: 'broken',
      seq: 3,
      because: 'Entry 3 was changed after it was written.',
    })
  })
  test('so is a change that was sealed again, at the next entry', async () => {
    const entries = (await chainOf(5)).map((entry) => {
      if (entry.seq !== 3) return entry
      const { hash: _hash, ...rest } = { ...entry, actor: 'eve@b.example' }
      return { ...rest, hash: sealEntry(rest) }
    })
    expect(await verifyChain([entries])).toMatchObject({ kind: 'broken', seq: 4 })
  })
  test('what was left out or put elsewhere is found; only the end can be cut, which the last hash shows', async () => {
    const entries = await chainOf(5)
    expect(await verifyChain([entries.toSpliced(2, 1)])).toMatchObject({
      kind: 'broken',
      because: 'Entry 3 is missing.',
    })
    expect(await verifyChain([entries.slice(1)])).toMatchObject({ kind: 'broken', because: 'Entry 1 is missing.' })
    expect(await verifyChain([entries.toReversed()])).toMatchObject({ kind: 'broken' })
    const cut = await verifyChain([entries.slice(0, 4)])
    expect(cut).toMatchObject({ kind: 'whole', entries: 4 })
    expect(cut).not.toMatchObject({ lastHash: entries[4]?.hash })
  })
  test('the order in which details were written does not matter, what they say does', () => {
    const dictionary = fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.integer(), fc.boolean()))
    fc.assert(
      fc.property(dictionary, (details) => {
        const entry = { ...FACT, at: instant(1), seq: 1, previousHash: '', details }
        const turned = Object.fromEntries(Object.entries(details).toReversed())
        expect(sealEntry({ ...entry, details: turned })).toBe(sealEntry(entry))
        expect(sealEntry({ ...entry, details: { ...details, '\u0001': 1 } })).not.toBe(sealEntry(entry))
      }),
    )
  })
  test('entries written at once stand one after another', async () => {
    const { audit: store } = (await openTestStore()).access
    const audit = openAudit(store, SECRETS, () => instant(1))
    await Promise.all(Array.from({ length: 50 }, () => audit.record(FACT)))
    expect(await verifyChain(store.all())).toMatchObject({ kind: 'whole', entries: 50 })
  })
})

const forgetting = async (entries: number) => {
  const { audit: store } = (await openTestStore()).access
  const audit = openAudit(store, SECRETS, () => instant(0))
  for (const object of ['0', '1', '2']) await audit.record({ ...FACT, object })
  const said = { ...FACT, actor: 'admin', action: 'person.forgotten', object: 'person-1' }
  await audit.record({ ...said, details: { entries } })
  const all: AuditEntry[] = []
  for await (const batch of store.all()) all.push(...batch)
  return all
}
const changed = (entries: readonly AuditEntry[], ...which: readonly number[]): AuditEntry[] =>
  entries.map((entry) =>
    which.includes(entry.seq) ? { ...entry, actor: 'person-1', details: { forgotten: 'person-1' } } : entry,
  )

describe('entries whose person was forgotten', () => {
  test('keep the chain whole, as far as an entry says how many there are', async () => {
    const entries = await forgetting(2)
    expect(await verifyChain([changed(entries, 1, 3)])).toMatchObject({ kind: 'whole', entries: 4, forgotten: 2 })
    expect(await verifyChain([changed(entries, 1, 2, 3)])).toEqual({
      kind: 'broken',
      seq: 1,
      because: 'Entry 1 was changed, and no entry says that its person was forgotten.',
    })
  })

  test('break it where no later entry says so', async () => {
    const [first, second, third, said] = changed(await forgetting(1), 2)
    expect(await verifyChain([[first, second, third].flatMap((entry) => entry ?? [])])).toMatchObject({
      kind: 'broken',
      seq: 2,
    })
    expect(said?.action).toBe('person.forgotten')
  })
})
