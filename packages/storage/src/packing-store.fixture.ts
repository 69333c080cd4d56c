import { instant, type Store } from '@septet/domain'

import { openDatabase, type DatabaseOptions } from './connection.ts'
import { openPostgresStore } from './postgres-store.ts'
import { packHours } from './usage/packed-hours.ts'
import { makePartitions } from './usage/partitions.ts'
import { makeWords } from './usage/words.ts'

/** A store that packs every hour as soon as anything is written to it. */
export async function openPackingStore(options: DatabaseOptions): Promise<Store> {
  const [store, database] = [await openPostgresStore(options), openDatabase(options)]
  const parts = { database, words: makeWords(database.query), partitions: makePartitions(database) }
  const write: Store['usage']['write'] = async (cluster, ...written) => {
    await store.usage.write(cluster, ...written)
    await packHours(parts, (await parts.words.find(cluster)) ?? 0, FAR)
  }
  const close = () => Promise.all([store.close(), database.close()]).then(() => undefined)
  return { ...store, usage: { ...store.usage, write }, close }
}

const FAR = instant(Date.UTC(2100, 0, 1))
