import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import {
  HOUR_MS,
  NOTHING_MEASURED,
  instant,
  mib,
  ratio,
  seconds,
  watts,
  type Instant,
  type Store,
  type UsageRow,
} from '@septet/domain'
import { openPostgresStore, startEmbeddedPostgres, type DatabaseConnection } from '@septet/storage'
import { Client } from 'pg'

import type { Benchmark, Figure } from './benchmark.ts'

const GPUS = 10_000
const START = Date.UTC(2026, 10, 16)
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

/** What the store costs at 10,000 GPUs, on the bundled PostgreSQL in a temporary folder. */
export const benchmark: Benchmark = {
  name: 'storage',
  description: 'What a day of usage rows for 10,000 GPUs takes in the bundled PostgreSQL.',
  run: async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'septet-bench-'))
    const postgres = await startEmbeddedPostgres({ dataDir, log: silent })
    try {
      const store = await openPostgresStore({ connection: postgres.connection, log: silent })
      const figure = await dayOfRows(store, postgres.connection)
      await store.close()
      return [figure]
    } finally {
      await postgres.stop()
      await rm(dataDir, { recursive: true })
    }
  },
}

const FIVE_MINUTE_BATCHES = 24

/** A day is projected from the size of a row, with its index, in so many batches. */
async function dayOfRows(store: Store, connection: DatabaseConnection): Promise<Figure> {
  for (let step = 0; step < FIVE_MINUTE_BATCHES; step += 1)
    await store.usage.write('bench', batch(instant(START + step * 300_000)))
  const bytes = await sizeOf(connection, 'usage_5m')
  return {
    name: 'a day of 5-minute rows at 10,000 GPUs',
    figure: Math.round(((bytes / FIVE_MINUTE_BATCHES) * 288) / 1024 ** 2),
    unit: 'MiB',
    note: 'projected from the size per row',
  }
}

/** One row a GPU, as a busy cluster gives: 8 GPUs a node, pods that change every few hours. */
function batch(at: Instant): UsageRow[] {
  const length = seconds(300)
  const shift = Math.floor(at / (4 * HOUR_MS))
  return Array.from({ length: GPUS }, (_, index): UsageRow => {
    const gpu = `GPU-5b2c8f1e-${String(index).padStart(4, '0')}-4a1d-9c3e-d0a1b2c3d4e5`
    const job = Math.floor(index / 8) * 7 + (shift % 7)
    const noise = ((index * 2_654_435_761 + at / 1000) % 1000) / 1000
    return {
      at,
      span: '5m',
      node: `gpu-node-${String(index >> 3).padStart(4, '0')}`,
      pool: `pool-${index % 5}`,
      gpu,
      partition: gpu,
      profile: '',
      model: 'H100-SXM5-80GB',
      machine: '',
      kind: 'held',
      share: ratio(1),
      namespace: `tenant-${index % 100}`,
      workload: `tenant-${index % 100}/Job/train-${job}`,
      pod: `tenant-${index % 100}/train-${job}-${index % 8}`,
      workloadClass: 'training',
      present: length,
      measured: length,
      idle: seconds(0),
      oversized: seconds(0),
      ...NOTHING_MEASURED,
      busy: ratio(noise),
      busyPeak: ratio(Math.min(1, noise * 1.2)),
      effective: ratio(noise * 0.7),
      memoryUsed: mib(Math.round(80_000 * noise)),
      memoryPeak: mib(80_000),
      power: watts(700 * noise),
      reason: undefined,
    }
  })
}

async function sizeOf(connection: DatabaseConnection, table: string): Promise<number> {
  const client = new Client(connection)
  await client.connect()
  try {
    const { rows } = await client.query<{ bytes: string }>(
      'select sum(pg_total_relation_size(inhrelid)) as bytes from pg_inherits where inhparent = $1::regclass',
      [table],
    )
    return Number(rows[0]?.bytes)
  } finally {
    await client.end()
  }
}
