import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

import { startEmbeddedPostgres, type EmbeddedPostgres } from '@septet/storage'

import { databaseUrl } from './database-url.ts'
import { startDemo, type DemoProcess } from './demo-process.ts'
import { newDataDir, removeDataDir, startSeptet, type SeptetProcess } from './server-process.ts'

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

/** One cluster, one database, and Septets that share both: each may change the cluster, and calls it "prod". */
export type ActingHouse = {
  /** A cluster of its own: it goes on while its Septets come and go. */
  readonly demo: DemoProcess
  readonly connection: EmbeddedPostgres['connection']
  /** Starts one more. */
  start(): Promise<SeptetProcess>
  /** Stops all that was started. */
  close(): Promise<void>
}

export async function openActingHouse(): Promise<ActingHouse> {
  const demo = await startDemo()
  const folder = await newDataDir()
  const placeOf = (name: string): string => {
    mkdirSync(join(folder, name))
    return join(folder, name)
  }
  const postgres = await startEmbeddedPostgres({ dataDir: placeOf('store'), log: silent })
  const environment = {
    DATABASE_URL: databaseUrl(postgres.connection),
    SEPTET_SECRET: 'the same thirty-two characters or more',
    SEPTET_DEMO: 'off',
    SEPTET_KUBECONFIG: demo.kubeconfigPath,
    SEPTET_ACTOR_KUBECONFIG: demo.actorKubeconfigPath,
    SEPTET_CLUSTER_NAME: 'prod',
    SEPTET_PROMETHEUS_URL: demo.prometheusUrl,
  }
  const started: SeptetProcess[] = []
  return {
    demo,
    connection: postgres.connection,
    async start() {
      const septet = await startSeptet({ dataDir: placeOf(`septet-${started.length}`), environment })
      started.push(septet)
      return septet
    },
    async close() {
      for (const septet of started) await septet.stop()
      await postgres.stop()
      await demo.stop()
      await removeDataDir(folder)
    },
  }
}
