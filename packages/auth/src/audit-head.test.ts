import { instant } from '@septet/domain'
import { openTestStore, type TestStore } from '@septet/storage/testing'
import { Client } from 'pg'
import { describe, expect, test } from 'vitest'

import { openAudit, sealEntry } from './audit.ts'
import { secretsFrom } from './secrets.ts'

const FACT = { actor: 'ann@b.example', action: 'prices.put', ip: '' } as const
const secretsOf = (byte: number) => secretsFrom(Buffer.alloc(32, byte))

/** A log of five entries, by two servers in turn. */
async function openLog() {
  const store = await openTestStore()
  const { audit: entries } = store.access
  const auditWith = (secret: number) => openAudit(entries, secretsOf(secret), () => instant(0))
  const servers = [auditWith(1), auditWith(1)] as const
  for (const index of [0, 1, 0, 1, 0] as const) await servers[index].record(FACT)
  return {
    store,
    auditWith,
    record: () => servers[1].record(FACT),
    verdict: async () => (await servers[0].verify(entries.all())).chain,
  }
}

/** As someone who owns the database can. */
async function asOwner({ connection }: TestStore, ...statements: readonly string[]): Promise<void> {
  const owner = new Client(connection)
  await owner.connect()
  await owner.query(
    [
      'alter table audit_entries disable trigger audit_entries_are_only_added',
      ...statements,
      'alter table audit_entries enable always trigger audit_entries_are_only_added',
    ].join(';'),
  )
  await owner.end()
}

describe('the signed end of the log', () => {
  test('is that of the newest entry, whoever wrote it', async () => {
    const log = await openLog()
    expect(await log.verdict()).toMatchObject({ kind: 'whole', entries: 5 })
    expect(await log.verdict()).not.toHaveProperty('unsignedUpTo')
  })

  test('shows that the newest entries were cut off', async () => {
    const log = await openLog()
    await asOwner(log.store, 'delete from audit_entries where seq > 3')
    expect(await log.verdict()).toEqual({
      kind: 'broken',
      seq: 4,
      because: 'The newest 2 entries are missing: the log was signed at entry 5.',
    })
  })

  test('keeps the gap open when the log goes on', async () => {
    const log = await openLog()
    await asOwner(log.store, 'delete from audit_entries where seq > 3')
    expect((await log.record()).seq).toBe(6)
    expect(await log.verdict()).toMatchObject({ kind: 'broken', because: 'Entries 4 to 5 are missing.' })
  })

  test('shows that all of it was deleted', async () => {
    const log = await openLog()
    await asOwner(log.store, 'delete from audit_entries')
    expect(await log.verdict()).toMatchObject({
      kind: 'broken',
      because: 'The newest 5 entries are missing: the log was signed at entry 5.',
    })
  })

  test('shows a newest entry that was rewritten together with its hash, also once the log has gone on', async () => {
    const log = await openLog()
    const [newest] = await log.store.access.audit.list({ limit: 1 })
    if (newest === undefined) throw new Error('The log is empty.')
    const hash = sealEntry({ ...newest, actor: 'eve@b.example' })
    await asOwner(log.store, `update audit_entries set actor = 'eve@b.example', hash = '${hash}' where seq = 5`)
    expect(await log.verdict()).toMatchObject({ because: 'Entry 5 is not the one that was signed.' })
    await log.record()
    expect(await log.verdict()).toMatchObject({ because: 'Entry 6 does not follow from the one before it.' })
  })

  test('cannot be moved back without the secret', async () => {
    const log = await openLog()
    await asOwner(
      log.store,
      'delete from audit_entries where seq > 3',
      'update audit_head set seq = 3, hash = (select hash from audit_entries where seq = 3)',
    )
    expect(await log.verdict()).toMatchObject({ kind: 'broken', because: expect.stringContaining('signature') })
  })

  test('leaves an entry where it was removed, or where the secret is another', async () => {
    const log = await openLog()
    await asOwner(log.store, 'delete from audit_entries where seq > 3', 'delete from audit_head')
    expect(await log.verdict()).toMatchObject({ kind: 'whole', unsignedUpTo: 3 })
    await log.record()
    expect(await log.verdict()).toMatchObject({ kind: 'whole', entries: 5, unsignedUpTo: 4 })
    await log.auditWith(2).record(FACT)
    const [, said] = await log.store.access.audit.list({ limit: 2 })
    expect(said).toMatchObject({ seq: 6, actor: 'system', action: 'audit.unsigned', details: { entries: 5 } })
  })

  test('goes on after entries of a Septet that did not sign, and says which', async () => {
    const log = await openLog()
    const [newest] = await log.store.access.audit.list({ limit: 1 })
    if (newest === undefined) throw new Error('The log is empty.')
    const added = { ...newest, seq: 6, previousHash: newest.hash }
    await asOwner(
      log.store,
      `insert into audit_entries select 6, at, actor, action, object, outcome, ip, details, hash, '${sealEntry(added)}' from audit_entries where seq = 5`,
    )
    expect(await log.verdict()).toMatchObject({ kind: 'whole', entries: 6, unsignedUpTo: 6 })
    await log.record()
    expect(await log.verdict()).toMatchObject({ kind: 'whole', entries: 8, unsignedUpTo: 7 })
  })
})
