import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'

import { instant, SHADOW_CLASSES, type ShadowClass, type Store } from '@septet/domain'
import { SHADOW_LIMITS } from '@septet/server/testing/shadow'
import { openPostgresStore, startEmbeddedPostgres, type Connection } from '@septet/storage'

import type { Benchmark, Figure } from './benchmark.ts'
import { machineLoad } from './machine-load.ts'
import { FLEET_GPUS, hourOfFleet } from './shadow-fleet.ts'
import type { ReplayAsked, ReplayMeasured } from './shadow-month-thread.ts'

const DAYS = 30
const HOUR = 3_600_000
/** A whole hour. */
const FROM = Date.UTC(2026, 9, 1)
const CLUSTER = 'bench'

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

/** A month of stored hours of a large fleet, replayed for each class that can be. */
export const benchmark: Benchmark = {
  name: 'shadow-month',
  description: `A month of hourly rows for ${FLEET_GPUS.toLocaleString('en')} GPUs in the bundled PostgreSQL, on the same machine, replayed for each class in its own thread with the server's limits, under the default policy.`,
  onDemand: true,
  async run() {
    const load = machineLoad()
    const dataDir = await mkdtemp(join(tmpdir(), 'septet-shadow-'))
    const postgres = await startEmbeddedPostgres({ dataDir, log: silent })
    try {
      const store = await openPostgresStore({ connection: postgres.connection, log: silent })
      const rows = await fill(store)
      await store.close()
      const figures: Figure[] = [load, { name: 'stored rows', figure: rows, unit: 'rows' }]
      for (const kind of SHADOW_CLASSES) figures.push(...figuresOf(kind, await replayed(kind, postgres.connection)))
      return figures
    } finally {
      await postgres.stop()
      await rm(dataDir, { recursive: true, force: true })
    }
  },
}

async function fill(store: Store): Promise<number> {
  await store.clusters.upsert({ id: CLUSTER, name: 'Bench', kind: 'cluster', createdAt: instant(FROM) })
  let rows = 0
  for (let hour = 0; hour < DAYS * 24; hour += 1) {
    const batch = hourOfFleet(hour, instant(FROM + hour * HOUR))
    rows += batch.length
    await store.usage.write(CLUSTER, batch)
  }
  return rows
}

function replayed(kind: ShadowClass, connection: Connection): Promise<ReplayMeasured> {
  const asked: ReplayAsked = {
    connection,
    question: {
      record: { id: CLUSTER, name: 'Bench', kind: 'cluster', createdAt: instant(FROM) },
      class: kind,
      asked: { kind: 'days', days: DAYS },
      now: instant(FROM + (DAYS * 24 + 1) * HOUR),
    },
  }
  const { promise, resolve, reject } = Promise.withResolvers<ReplayMeasured>()
  const worker = new Worker(new URL('shadow-month-thread.ts', import.meta.url), {
    workerData: asked,
    resourceLimits: { maxOldGenerationSizeMb: SHADOW_LIMITS.heapMib },
  })
  worker.once('message', resolve)
  worker.once('error', reject)
  return promise
}

function figuresOf(kind: ShadowClass, { seconds, read, heap, done, replayed: objects }: ReplayMeasured): Figure[] {
  const what = kind === 'remove-node' ? 'nodes' : 'workloads'
  return [
    {
      name: `${kind}: time`,
      figure: Math.round(seconds * 10) / 10,
      unit: 's',
      aim: `≤ ${SHADOW_LIMITS.milliseconds / 1000}`,
      note: `${Math.round(read)} s of it to read; ${objects} ${what} replayed, ${done} changes`,
    },
    { name: `${kind}: heap, highest`, figure: Math.round(heap), unit: 'MiB', aim: `≤ ${SHADOW_LIMITS.heapMib}` },
  ]
}
