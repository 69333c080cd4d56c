import { createServer, type Server } from 'node:net'

import type { Fence, Store } from '@septet/domain'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { systemTool, without } from '../../../test/system-tools.ts'
import { everyStoreBehaves } from './every-store.contract.ts'
import { leadsFenceWrites } from './lead-store.contract.ts'
import { freePort, startPostgres15, tell, type OwnPostgres } from './own-postgres.fixture.ts'
import { openPackingStore } from './packing-store.fixture.ts'
import { openPostgresStore } from './postgres-store.ts'
import { storeBehaves } from './store.contract.ts'
import { NOW, usageRow } from './usage-row.fixture.ts'

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }
const open = (url: string, lead?: Fence): Promise<Store> => openPostgresStore({ url, log: silent, lead })
const everything = (cluster: string) =>
  ({ cluster, span: '5m', window: { from: NOW, to: (NOW + 1) as typeof NOW } }) as const

const postgres15 = systemTool('../lib/postgresql/15/bin/postgres', 'postgresql-15')

describe.skipIf(postgres15 === undefined)(
  `PostgreSQL 15 by URL${without(postgres15, 'PostgreSQL 15', 'postgresql-15')}`,
  () => {
    let server: OwnPostgres
    beforeAll(async () => {
      server = await startPostgres15(postgres15 ?? '')
      await tell(server.url(), 'create database suite')
    })
    afterAll(() => server.stop())

    describe('behaves', () => {
      everyStoreBehaves(() => open(server.url('suite')))
      describe('with every hour packed as soon as it is written', () => {
        storeBehaves(() => openPackingStore({ url: server.url('suite'), log: silent }))
      })
      leadsFenceWrites((lead) => open(server.url('suite'), lead))
    })

    test('several servers that open one new database at the same time make its tables once', async () => {
      await tell(server.url(), 'create database together')
      const stores = await Promise.all([1, 2, 3, 4].map(() => open(server.url('together'))))
      await Promise.all(stores.map((store, index) => store.usage.write('c', [usageRow({ pod: `pod-${index}` })])))
      expect(await stores[0]?.usage.rows(everything('c'))).toHaveLength(4)
      await Promise.all(stores.map((store) => store.close()))
    })

    test('several servers that write the same rows at the same time write them once', async () => {
      await tell(server.url(), 'create database race')
      const stores = await Promise.all([1, 2, 3].map(() => open(server.url('race'))))
      const batch = Array.from({ length: 500 }, (_, index) => usageRow({ partition: `GPU-${index}` }))
      const reversed = batch.toReversed()
      await Promise.all(stores.map((store, index) => store.usage.write('c', index === 1 ? reversed : batch)))
      expect(await stores[0]?.usage.rows(everything('c'))).toHaveLength(500)
      await Promise.all(stores.map((store) => store.close()))
    })

    test('a wrong password says what to check and does not repeat it', async () => {
      const failing = open(server.url('suite', 'wr0ng-pass'))
      await expect(failing).rejects.toMatchObject({ name: 'StoreError', code: 'refused' })
      await expect(failing).rejects.toThrow(/127\.0\.0\.1:\d+\/suite refuses to let Septet in.*DATABASE_URL/)
      await expect(failing).rejects.not.toThrow(/wr0ng-pass/)
    })

    test('a database that is not there says so', async () => {
      await expect(open(server.url('nowhere'))).rejects.toMatchObject({
        code: 'no-database',
        message: expect.stringMatching(/nowhere is not there.*createdb/),
      })
    })

    test('a port where nothing listens says so', async () => {
      const url = `postgresql://septet:secret@127.0.0.1:${await freePort()}/suite`
      await expect(open(url)).rejects.toMatchObject({
        code: 'unreachable',
        message: expect.stringMatching(/is not responding.*Septet has not used it yet.*DATABASE_URL/),
      })
    })

    test('a text that is not an address says how to write one', async () => {
      await expect(open('db.example.com')).rejects.toThrow('postgresql://user:password@host:5432/database')
    })

    test('a server older than 15 is refused by name', async () => {
      const old = await fakeServer('140011')
      await expect(open(`postgresql://septet@127.0.0.1:${old.port}/suite`)).rejects.toMatchObject({
        code: 'too-old',
        message: expect.stringContaining('is PostgreSQL 14; Septet needs 15 or newer'),
      })
      old.server.close()
    })

    test('a database that a newer Septet has used is refused once that one said so, and left as it is', async () => {
      await tell(server.url(), 'create database newer')
      await (await open(server.url('newer'))).close()
      await tell(server.url('newer'), "insert into septet_migrations (hash, created_at) values ('x', 9999999999999)")
      await (await open(server.url('newer'))).close()
      await tell(server.url('newer'), 'insert into schema_floor (oldest) values (9999999999999)')
      await expect(open(server.url('newer'))).rejects.toMatchObject({ code: 'too-new' })
    })

    test('a database turned read-only: reading goes on, writing says why, and works again afterwards', async () => {
      await tell(server.url(), 'create database standby')
      const before = await open(server.url('standby'))
      await before.usage.write('c', [usageRow()])
      await before.close()
      await tell(server.url(), 'alter database standby set default_transaction_read_only = on')
      const store = await open(server.url('standby'))
      expect(await store.usage.rows(everything('c'))).toHaveLength(1)
      await expect(store.usage.write('c', [usageRow({ pod: 'new' })])).rejects.toMatchObject({ code: 'read-only' })
      await store.close()
      await tell(server.url(), 'alter database standby set default_transaction_read_only = off')
      const after = await open(server.url('standby'))
      await after.usage.write('c', [usageRow({ pod: 'new' })])
      expect(await after.usage.rows(everything('c'))).toHaveLength(2)
      await after.close()
    })

    test('a database with tables of another program is refused and left as it is', async () => {
      await tell(server.url(), 'create database shared')
      await tell(server.url('shared'), "create table accounts as select 'theirs' as email")
      await expect(open(server.url('shared'))).rejects.toMatchObject({
        code: 'unusable',
        message: expect.stringMatching(/"accounts" already exists.*Nothing was changed.*a separate database/),
      })
      expect(await tell(server.url('shared'), 'select * from accounts')).toEqual([{ email: 'theirs' }])
      expect(await tell(server.url('shared'), "select to_regclass('clusters') as found")).toEqual([{ found: null }])
    })

    test('nobody but the owner reads who may come in, even with grants on every table', async () => {
      await tell(server.url(), 'create database granted')
      await (await open(server.url('granted'))).close()
      await tell(
        server.url('granted'),
        `create role anon; grant select, insert on all tables in schema public to anon;
       insert into members (email, role, updated_at) values ('a@x', 'admin', now())`,
      )
      const asked = 'select count(*)::int as seen, current_user::text as asking from members'
      expect(await tell(server.url('granted'), asked)).toEqual([{ seen: 1, asking: 'septet' }])
      await tell(server.url('granted'), "alter role anon login password 'secret'")
      const anon = server.url('granted').replace('septet:', 'anon:')
      expect(await tell(anon, asked)).toEqual([{ seen: 0, asking: 'anon' }])
      await expect(tell(anon, "insert into members values ('b@x', 'admin', null, now())")).rejects.toThrow(/row-level/)
      const { getTableConfig, PgTable } = await import('./drizzle.ts')
      const told = {
        ...(await import('./access-schema.ts')),
        ...(await import('./action-schema.ts')),
        ...(await import('./alert-schema.ts')),
      }
      const names = Object.values<unknown>(told).flatMap((each) =>
        each instanceof PgTable ? getTableConfig(each).name : [],
      )
      const guarded = await tell(server.url('granted'), 'select relname from pg_class where relrowsecurity')
      expect(guarded.map(({ relname }) => String(relname)).toSorted()).toEqual(names.toSorted())
    })

    test('connections that the server ends are replaced, nothing is half-written', async () => {
      await tell(server.url(), 'create database cut')
      const store = await open(server.url('cut'))
      await store.usage.write('c', [usageRow()])
      await tell(server.url(), "select pg_terminate_backend(pid) from pg_stat_activity where datname = 'cut'")
      await store.usage
        .write('c', [usageRow({ pod: 'b' })])
        .catch(() => store.usage.write('c', [usageRow({ pod: 'b' })]))
      expect(await store.usage.rows(everything('c'))).toHaveLength(2)
      await store.close()
      await expect(store.ping()).rejects.toMatchObject({ code: 'closed' })
    })

    test('a partition that another server dropped is made again', async () => {
      await tell(server.url(), 'create database dropped')
      const store = await open(server.url('dropped'))
      await store.usage.write('c', [usageRow()])
      await tell(server.url('dropped'), 'drop table usage_5m_20261117')
      await store.usage.write('c', [usageRow({ pod: 'b' })])
      expect((await store.usage.rows(everything('c'))).map((row) => row.pod)).toEqual(['b'])
      await store.close()
    })

    test('the migrations make exactly the columns that the schema names', async () => {
      await tell(server.url(), 'create database columns')
      await (await open(server.url('columns'))).close()
      const { getTableConfig, PgTable } = await import('./drizzle.ts')
      const named = {
        ...(await import('./schema.ts')),
        ...(await import('./access-schema.ts')),
        ...(await import('./action-schema.ts')),
        ...(await import('./alert-schema.ts')),
      }
      const tables = Object.values(named).filter((each) => each instanceof PgTable)
      const declared = tables
        .map(getTableConfig)
        .flatMap(({ name, columns }) =>
          columns.map((each) => `${name}.${each.name} ${each.getSQLType()} ${each.notNull}`),
        )
      const found = await tell(
        server.url('columns'),
        `select relname || '.' || attname || ' ' || format_type(atttypid, atttypmod) || ' ' || attnotnull as line
       from pg_attribute join pg_class on pg_class.oid = attrelid
       where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace and attnum > 0 and not attisdropped and not relispartition
         and relname not in ('septet_migrations', 'schema_floor')`,
      )
      expect(found.map(({ line }) => String(line)).toSorted()).toEqual(declared.toSorted())
    })
  },
)

const message = (type: string, body: Buffer) => {
  const head = Buffer.alloc(5, type)
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

/** Speaks just enough of PostgreSQL's protocol to tell its version. */
function fakeServer(version: string): Promise<{ port: number; server: Server }> {
  const ready = message('Z', Buffer.from('I'))
  const column = Buffer.concat([Buffer.from('\0\u0001server_version_num\0'), Buffer.alloc(18)])
  column.writeInt32BE(25, column.length - 12)
  const row = Buffer.concat([Buffer.from([0, 1, 0, 0, 0, version.length]), Buffer.from(version)])
  const answer = [message('T', column), message('D', row), message('C', Buffer.from('SHOW\0')), ready]
  const server = createServer((socket) => {
    socket.once('data', () => {
      socket.write(Buffer.concat([message('R', Buffer.alloc(4)), ready]))
      socket.on('data', (data) =>
        data.toString().startsWith('Q') ? socket.write(Buffer.concat(answer)) : socket.end(),
      )
    })
    socket.on('error', () => undefined)
  })
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve({ server, port: typeof address === 'object' && address !== null ? address.port : 0 })
    })
  })
}
