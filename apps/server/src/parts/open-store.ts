import type { Log, Store } from '@septet/domain'
import { openPostgresStore, startEmbeddedPostgres } from '@septet/storage'

import type { Config } from '../config.ts'

export type OpenedStore = { readonly store: Store; close(): Promise<void> }

/** The database that was named, or Septet's own in the data directory. */
export async function openStore(config: Config, log: Log): Promise<OpenedStore> {
  if (config.databaseUrl !== undefined) {
    const store = await openPostgresStore({ url: config.databaseUrl, log })
    return { store, close: () => store.close() }
  }
  const postgres = await startEmbeddedPostgres({ dataDir: config.dataDir, log })
  try {
    const store = await openPostgresStore({ connection: postgres.connection, log })
    return {
      store,
      close: async () => {
        await store.close()
        await postgres.stop()
      },
    }
  } catch (error) {
    await postgres.stop()
    throw error
  }
}
