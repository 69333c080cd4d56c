import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

import { instant, type Fence, type Store } from '@septet/domain'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { actionRun, intention, minute, TO_APPLYING, transition } from './action-run.fixture.ts'
import { openDatabase } from './connection.ts'
import { everyStoreBehaves } from './every-store.contract.ts'
import { leadsFenceWrites, leadStoreBehaves } from './lead-store.contract.ts'
import { startEmbeddedPostgres, type EmbeddedPostgres } from './embedded/start-embedded-postgres.ts'
import { openPostgresStore } from './postgres-store.ts'

/** As of a server whose hashes are not looked at. */
const SEAL = { entry: () => 'hash', head: () => 'signature' }
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

/** People, how they sign in, what they did; and what is kept of the database itself. */
const WRITTEN_BY_NO_LEAD =
  'accounts api_tokens audit_entries audit_head external_identities factor_challenges factors leads login_requests ' +
  'mail_codes members schema_floor septet_migrations sessions signing_keys'

describe('the bundled PostgreSQL', () => {
  const folder = mkdtempSync(join(tmpdir(), 'septet-store-'))
  let postgres: EmbeddedPostgres
  beforeAll(async () => {
    postgres = await startEmbeddedPostgres({ dataDir: folder, log: silent })
  })
  afterAll(async () => {
    await postgres.stop()
    rmSync(folder, { recursive: true })
  })
  const open = (lead?: Fence) => openPostgresStore({ connection: postgres.connection, log: silent, lead })
  everyStoreBehaves(open)
  leadStoreBehaves(async () => [(await open()).leads, (await open()).leads])
  leadsFenceWrites(open)

  type Acting = (stores: readonly Store[], lead: Fence) => Promise<unknown> | undefined
  const finished: readonly (readonly [string, string, Acting])[] = [
    ['what a server writes under a lead', 'clusters', ([, fenced], { cluster }) => fenced?.clusters.remove(cluster)],
    ['a write to a cluster', 'action_writes', ([one], lead) => one?.actions.intend(intention(lead.cluster), lead)],
    [
      'a transition',
      'action_transitions',
      ([one], lead) => one?.actions.advance(lead.cluster, transition(6, 'applied'), lead),
    ],
  ]
  test.each(finished)('%s is finished before another can take the lead', async (_, table, write) => {
    const one = await open()
    const other = openDatabase({ connection: postgres.connection, log: silent })
    const cluster = `finished-${table}`
    await one.actions.propose(actionRun(cluster, { cluster }))
    for (const each of TO_APPLYING) await one.actions.advance(cluster, each)
    const lead = (await one.leads.take(cluster, 'a', -1)) ?? { cluster, token: 0 }
    const stores = [one, await open(lead)]
    let writing: ReturnType<Acting>
    // Held up where everything was looked at, and some of it written, and nothing is committed yet.
    await other.transaction(async (query) => {
      await query(`lock table ${table} in exclusive mode`)
      writing = write(stores, lead)
      const asked = 'select count(*)::int as waiting from pg_locks where not granted'
      while (Number((await other.query(asked))[0]?.waiting) < 1) await delay(5)
      expect(await one.leads.take(cluster, 'b', 60_000)).toBeUndefined()
    })
    await writing
    expect(await one.leads.take(cluster, 'b', 60_000)).toEqual({ cluster, token: lead.token + 1 })
    await Promise.all([...stores, other].map((each) => each.close()))
  })

  test('every table that is not people’s own is fenced', async () => {
    const database = openDatabase({ connection: postgres.connection, log: silent })
    const unfenced = await database.query<{ name: string }>(
      `select relname as name from pg_class c where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
         and not relispartition and not exists (select from pg_trigger where tgrelid = c.oid and tgname = 'written_by_the_lead')
       order by 1`,
    )
    expect(unfenced.map(({ name }) => name).join(' ')).toBe(WRITTEN_BY_NO_LEAD)
    await database.close()
  })

  test.each(['update audit_entries set outcome = outcome', 'delete from audit_entries', 'truncate audit_entries'])(
    'does not %s, not even for its owner in a mode without triggers',
    async (statement) => {
      const store = await open()
      const fact = { actor: 'system', action: 'test.run', object: '', outcome: 'done', ip: '', details: {} } as const
      const made = await store.access.audit.append({ at: instant(0), ...fact }, SEAL)
      const database = openDatabase({ connection: postgres.connection, log: silent })
      await expect(database.query(statement)).rejects.toThrow(/audit entries are only ever added/)
      const tricked = database.transaction(async (query) => {
        await query('set local session_replication_role = replica')
        await query(statement)
      })
      await expect(tricked).rejects.toThrow(/audit entries are only ever added/)
      expect(await store.access.audit.list({ limit: 1 })).toEqual([made])
      await Promise.all([store.close(), database.close()])
    },
  )

  test('does not read and unpack recommendations again that were not written again', async () => {
    const [store, other] = [await open(), await open()]
    await store.recommendations.replace('unpacked', { madeAt: instant(1), recommendations: [] })
    const first = await store.recommendations.current('unpacked')
    expect(await store.recommendations.current('unpacked')).toBe(first)
    // By whichever process, and for the same moment too.
    await other.recommendations.replace('unpacked', { madeAt: instant(1), recommendations: [], unanswered: [] })
    expect(await store.recommendations.current('unpacked')).toEqual({ ...first, unanswered: [] })
    await Promise.all([store.close(), other.close()])
  })

  test('has a connection left for others while a hundred facts wait to be written down', async () => {
    const [store, other] = [await open(), openDatabase({ connection: postgres.connection, log: silent })]
    const fact = { actor: 'system', action: 'test.wait', object: '', outcome: 'done', ip: '', details: {} } as const
    let waiting: Promise<unknown> = Promise.resolve()
    await other.transaction(async (query) => {
      await query('lock table audit_entries in exclusive mode')
      const facts = Array.from({ length: 100 }, (_, index) => ({ at: instant(index), ...fact }))
      waiting = Promise.all(facts.map((each) => store.access.audit.append(each, SEAL)))
      await expect(store.access.accounts.get('nobody')).resolves.toBeUndefined()
    })
    await waiting
    expect(await store.access.audit.list({ limit: 200, action: 'test.wait' })).toHaveLength(100)
    await Promise.all([store.close(), other.close()])
  })

  test('a write that is being written down is finished before a stop order takes effect', async () => {
    const stores = [await open(), await open()] as const
    const [one, two] = [stores[0].actions, stores[1].actions]
    const other = openDatabase({ connection: postgres.connection, log: silent })
    const id = 'finished-run'
    await one.propose(actionRun(id, { cluster: id }))
    for (const each of TO_APPLYING) await one.advance(id, each)
    const fence = (await stores[0].leads.take(id, 'p1', 60_000)) ?? { cluster: id, token: 0 }
    const kept = async () => (await one.writes(id)).length
    const keptThen: number[] = []
    const waiting = async (count: number) => {
      const asked = 'select count(*)::int as waiting from pg_locks where not granted'
      while (keptThen.length === 0 && Number((await other.query(asked))[0]?.waiting) < count) await delay(5)
    }
    let both: Promise<unknown> = Promise.resolve()
    // Held up where everything was looked at and nothing is committed yet.
    await other.transaction(async (query) => {
      await query('lock table action_writes in exclusive mode')
      const first = one.intend(intention(id), fence)
      await waiting(1)
      const second = two.stop({ cluster: id, at: minute(9), by: 'a@x', because: 'x' })
      both = Promise.all([first, second.then(kept).then((count) => keptThen.push(count))])
      await waiting(2)
    })
    await both
    expect([...keptThen, await kept()]).toEqual([1, 1])
    await Promise.all([...stores, other].map((each) => each.close()))
  })

  test('keeps one chain also where transactions would read as of their start', async () => {
    const database = openDatabase({ connection: postgres.connection, log: silent })
    await database.query("alter database septet set default_transaction_isolation = 'repeatable read'")
    const [one, two] = [await open(), await open()]
    const fact = { actor: 'system', action: 'test.strict', object: '', outcome: 'done', ip: '', details: {} } as const
    const made = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 ? one : two).access.audit.append({ at: instant(index), ...fact }, SEAL),
      ),
    )
    const sequence = made.map(({ seq }) => seq).toSorted((a, b) => a - b)
    expect(sequence).toEqual(sequence.map((_, index) => (sequence[0] ?? 0) + index))
    await database.query('alter database septet reset default_transaction_isolation')
    await Promise.all([one, two, database].map((each) => each.close()))
  })
})
