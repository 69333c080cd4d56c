import { instant } from '@septet/domain'
import { expect, test } from 'vitest'

import { openDatabase } from '../connection.ts'
import { openPostgresStore } from '../postgres-store.ts'
import { startTestPostgres } from '../test-postgres.fixture.ts'

const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
const MANY = 20_000

test('pods that were changed are counted without a look at those that were only warned about', async () => {
  const options = { connection: await startTestPostgres(), log }
  const store = await openPostgresStore(options)
  const database = openDatabase(options)
  await database.query(
    `insert into admission_answers (cluster, at, namespace, pod, workload, kind, said)
     select 'c', to_timestamp(1000 + row), 'lab', 'p', 'w', case when row % 5000 = 0 then 'changed' else 'warned' end, ''
     from generate_series(1, ${MANY}) row`,
  )
  await database.query('vacuum analyze admission_answers')
  const rowsRead = async (): Promise<number> => {
    const [found] = await database.query<{ read: string }>(
      `select (select seq_tup_read from pg_stat_user_tables where relname = 'admission_answers')
            + (select sum(idx_tup_read) from pg_stat_user_indexes where relname = 'admission_answers') as read`,
    )
    return Number(found?.read)
  }
  const before = await rowsRead()
  expect(await store.admissions.countChanged({ cluster: 'c', since: instant(0) })).toBe(MANY / 5000)
  // A connection that ends tells what it has read.
  await store.close()
  expect((await rowsRead()) - before).toBeLessThanOrEqual(MANY / 5000)
  await database.close()
})
