import type { Log, Store } from '@septet/domain'
import { openPostgresStore, startEmbeddedPostgres, type DatabaseConnection } from '@septet/storage'

import type { Config } from '../config.ts'

export type OpenedStore = {
  readonly store: Store
  /** Where it is, for those who open it a second time. */
  readonly address: StoreAddress
  close(): Promise<void>
}

export type StoreAddress = { readonly url: string } | { readonly connection: DatabaseConnection }

/** The database that was named, or Septet's own in the data directory. */
export async function openStore(config: Config, log: Log): Promise<OpenedStore> {
  if (config.databaseUrl !== undefined) {
    const address = { url: config.databaseUrl }
    const store = await openPostgresStore({ ...address, log })
    return { store, address, close: () => store.close() }
  }
  const postgres = await startEmbeddedPostgres({ dataDir: config.dataDir, log })
  try {
    const address = { connection: postgres.connection }
    const store = await openPostgresStore({ ...address, log })
    return {
      store,
      address,
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
