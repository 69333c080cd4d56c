import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import {
  ANALYSIS_GROUPS,
  DAY_MS,
  HOUR_MS,
  NOTHING_MEASURED,
  instant,
  mib,
  ratio,
  seconds,
  SPAN_SECONDS,
  watts,
  type Instant,
  type Span,
  type Store,
  type UsageRow,
} from '@septet/domain'
import { openPostgresStore, startEmbeddedPostgres, type DatabaseConnection } from '@septet/storage'
import { Client } from 'pg'

import type { Benchmark, Figure } from './benchmark.ts'
import { quantile } from './quantile.ts'
import { randomFrom } from './random-from.ts'

const GPUS = 10_000
const START = Date.UTC(2026, 10, 16)
const CLUSTER = 'bench'
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

/** What the store costs at 10,000 GPUs, on the bundled PostgreSQL in a temporary folder. */
export const benchmark: Benchmark = {
  name: 'storage',
  description:
    'What a day of usage rows for 10,000 GPUs takes in the bundled PostgreSQL, and how long it takes to add up a month.',
  run: async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'septet-bench-'))
    const postgres = await startEmbeddedPostgres({ dataDir, log: silent })
    try {
      const store = await openPostgresStore({ connection: postgres.connection, log: silent })
      const figures = [...(await dayOfRows(store, postgres.connection)), await monthOfRows(store)]
      await store.close()
      return figures
    } finally {
      await postgres.stop()
      await rm(dataDir, { recursive: true })
    }
  },
}

const HOURS = 4
const BATCHES = HOURS * 12
const BATCHES_A_DAY = 288

/** Some hours as they are written, and the same when they are over and packed. A day is projected from the size of a row. */
async function dayOfRows(store: Store, connection: DatabaseConnection): Promise<readonly Figure[]> {
  for (let step = 0; step < BATCHES; step += 1)
    await store.usage.write(CLUSTER, batch(instant(START + step * 300_000), '5m'))
  const before = (await sizeOf(connection, 'usage_5m')) / (BATCHES * GPUS)
  await store.usage.rollUp(CLUSTER, instant(START + (HOURS + 2) * HOUR_MS))
  const after = (await sizeOf(connection, 'usage_packed')) / (BATCHES * GPUS)
  const dayOf = (bytes: number): number => Math.round((bytes * GPUS * BATCHES_A_DAY) / 1024 ** 2)
  return [
    {
      name: 'a day of 5-minute rows at 10,000 GPUs',
      figure: dayOf(after),
      unit: 'MiB',
      baseline: asWritten(dayOf(before)),
      note: 'projected from the size per row, of hours that are over',
    },
    {
      name: 'a 5-minute row, six measurements that never repeat in it',
      figure: Math.round(after * 10) / 10,
      unit: 'bytes',
      baseline: asWritten(Math.round(before * 10) / 10),
      aim: '≤ 60 bytes',
    },
  ]
}

const asWritten = (figure: number) => ({ name: 'as they are written', figure })

const DAYS = 31
const RUNS = 5

/** What every figure of a month is added up from: by day, part, pool, model and price. */
async function monthOfRows(store: Store): Promise<Figure> {
  const [from, to] = [instant(START - DAYS * DAY_MS), instant(START)]
  for (let day = 0; day < DAYS; day += 1) await store.usage.write(CLUSTER, batch(instant(from + day * DAY_MS), '1d'))
  const took: number[] = []
  for (let run = 0; run < RUNS; run += 1) {
    const began = performance.now()
    await store.usage.totals({ cluster: CLUSTER, span: '1d', window: { from, to }, by: ANALYSIS_GROUPS.months })
    took.push(performance.now() - began)
  }
  return {
    name: 'totals of a month at 10,000 GPUs',
    figure: Math.round(quantile(took, 0.5)),
    unit: 'ms',
    aim: '≤ 300 ms',
    note: `median of ${RUNS}`,
  }
}

/** One row a GPU, as a busy cluster gives: 8 GPUs a node, pods that change every few hours. */
function batch(at: Instant, span: Span): UsageRow[] {
  const length = seconds(SPAN_SECONDS[span])
  const random = randomFrom(at / 1000)
  const shift = Math.floor(at / (4 * HOUR_MS))
  return Array.from({ length: GPUS }, (_, index): UsageRow => {
    const gpu = `GPU-5b2c8f1e-${String(index).padStart(4, '0')}-4a1d-9c3e-d0a1b2c3d4e5`
    const job = Math.floor(index / 8) * 7 + (shift % 7)
    const noise = random()
    return {
      at,
      span,
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
      busyPeak: ratio(Math.min(1, noise + 0.2 * random())),
      effective: ratio(noise * random()),
      memoryUsed: mib(80_000 * random()),
      memoryPeak: mib(80_000 * random()),
      power: watts(700 * random()),
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
