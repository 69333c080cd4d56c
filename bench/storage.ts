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
import { quantile } from './quantile.ts'

const GPUS = 10_000
const START = Date.UTC(2026, 10, 16)
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

/** What the store costs at 10,000 GPUs, on the bundled PostgreSQL in a temporary folder. */
export const benchmark: Benchmark = {
  name: 'storage',
  description: 'Usage rows for 10,000 GPUs in the bundled PostgreSQL: writing, size, roll-up, totals over a day.',
  run: async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'septet-bench-'))
    const postgres = await startEmbeddedPostgres({ dataDir, log: silent })
    try {
      const store = await openPostgresStore({ connection: postgres.connection, log: silent })
      const figures = [...(await writing(store, postgres.connection)), await reading(store)]
      await store.close()
      return figures
    } finally {
      await postgres.stop()
      await rm(dataDir, { recursive: true })
    }
  },
}

const FIVE_MINUTE_BATCHES = 24

async function writing(store: Store, connection: DatabaseConnection): Promise<Figure[]> {
  // The first batch makes words and partitions: the ones that follow are measured.
  await store.usage.write('bench', batch('5m', instant(START)))
  const times: number[] = []
  for (let step = 1; step < FIVE_MINUTE_BATCHES; step += 1) {
    const rows = batch('5m', instant(START + step * 300_000))
    times.push(await seconded(() => store.usage.write('bench', rows)))
  }
  const bytes = await sizeOf(connection, 'usage_5m')
  const rollUp = await seconded(() => store.usage.rollUp('bench', instant(START + 2 * HOUR_MS)))
  return [
    { name: 'write, rows per second (median batch)', figure: Math.round(GPUS / quantile(times, 0.5)), unit: 'rows/s' },
    {
      name: 'a day of 5-minute rows at 10,000 GPUs',
      figure: Math.round(((bytes / FIVE_MINUTE_BATCHES) * 288) / 1024 ** 2),
      unit: 'MiB',
      note: 'projected from the size per row',
    },
    { name: 'roll up one hour (120,000 rows)', figure: rounded((rollUp * 1000) / 2), unit: 'ms' },
  ]
}

async function reading(store: Store): Promise<Figure> {
  const from = START + 24 * HOUR_MS
  for (let hour = 0; hour < 24; hour += 1) {
    await store.usage.write('bench', batch('1h', instant(from + hour * HOUR_MS)))
  }
  const window = { from: instant(from), to: instant(from + 24 * HOUR_MS) }
  const times: number[] = []
  for (let run = 0; run < 9; run += 1) {
    times.push(await seconded(() => store.usage.totals({ cluster: 'bench', span: '1h', window, by: ['namespace'] })))
  }
  return {
    name: 'totals of 24 hours (240,000 rows) by namespace',
    figure: rounded(quantile(times, 0.5) * 1000),
    unit: 'ms',
  }
}

/** One row a GPU, as a busy cluster gives: 8 GPUs a node, pods that change every few hours. */
function batch(span: '5m' | '1h', at: Instant): UsageRow[] {
  const length = seconds(span === '5m' ? 300 : 3600)
  const shift = Math.floor(at / (4 * HOUR_MS))
  return Array.from({ length: GPUS }, (_, index): UsageRow => {
    const gpu = `GPU-5b2c8f1e-${String(index).padStart(4, '0')}-4a1d-9c3e-d0a1b2c3d4e5`
    const job = Math.floor(index / 8) * 7 + (shift % 7)
    const noise = ((index * 2_654_435_761 + at / 1000) % 1000) / 1000
    return {
      at,
      span,
      node: `gpu-node-${String(index >> 3).padStart(4, '0')}`,
      pool: `pool-${index % 5}`,
      gpu,
      partition: gpu,
      profile: '',
      model: 'H100-SXM5-80GB',
      kind: 'held',
      share: ratio(1),
      namespace: `tenant-${index % 100}`,
      workload: `tenant-${index % 100}/Job/train-${job}`,
      pod: `tenant-${index % 100}/train-${job}-${index % 8}`,
      workloadClass: 'training',
      present: length,
      measured: length,
      idle: seconds(0),
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

async function seconded(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return (performance.now() - start) / 1000
}

const rounded = (value: number): number => Math.round(value * 10) / 10
