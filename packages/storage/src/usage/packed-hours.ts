import { HOUR_MS, instant, type Instant, type Span } from '@septet/domain'

import type { Query } from '../connection.ts'
import { ROW_COLUMNS } from './columns.ts'
import { despiteDrops } from './partitions.ts'
import { TABLES } from './time-partition.ts'
import { LOCK_ROWS, rowsLock, type UsageParts } from './usage-parts.ts'

/** Rows in one packed row: enough for columns that compress well, few enough that rows of few GPUs are soon found. */
const ROWS_TOGETHER = 5000
/** An hour that ended so long ago is settled; what is written to it still unpacks it again. */
const OVER_FOR_MS = 2 * HOUR_MS
/** As many hours at once, so that a first time with days of them holds up nothing else. */
const HOURS_AT_ONCE = 12

const COLUMNS = ['at', ...ROW_COLUMNS]
/** Rows of one device come one after the other, so that what they have in common lies together. */
const ORDER = 'partition, namespace, pod, kind, at'

const HOUR = `cluster = $1 and at >= to_timestamp($2::float8 / 1000) and at < to_timestamp($3::float8 / 1000)`

const PACK = `
  with taken as (delete from ${TABLES['5m']} where ${HOUR} returning *),
    parted as (select *, (row_number() over (order by ${ORDER}) - 1) / ${ROWS_TOGETHER} as part from taken)
  insert into ${TABLES.packed} (cluster, hour, part, first, last, rows, ${COLUMNS.join(', ')})
  select $1, to_timestamp($2::float8 / 1000), part, min(at), max(at), count(*),
    ${COLUMNS.map((name) => `array_agg(${name})`).join(', ')}
  from parted group by part`

const UNPACK = `
  with taken as (
    delete from ${TABLES.packed} where cluster = $1
      and hour = any(array(select to_timestamp(ms / 1000) from unnest($2::float8[]) as ms)) returning *)
  insert into ${TABLES['5m']} (cluster, variant, ${COLUMNS.join(', ')})
  select $1, 0, ${COLUMNS.map((name) => `slot.${name}`).join(', ')}
  from taken as packed, ${unnested(COLUMNS)}`

/** Packs the five-minute rows of hours that are long over: a fifth of the room, and the same values to the last bit. */
export async function packHours({ database, partitions }: UsageParts, cluster: number, now: Instant): Promise<void> {
  for (let count = 0; count < HOURS_AT_ONCE; count += 1) {
    const [oldest] = await database.query<{ ms: number | null }>(
      `select (extract(epoch from min(at)) * 1000)::float8 as ms from ${TABLES['5m']} where cluster = $1`,
      [cluster],
    )
    const from = hourOf(oldest?.ms ?? now)
    if (from + HOUR_MS + OVER_FOR_MS > now) return
    await despiteDrops(partitions, async () => {
      await partitions.ensure('packed', [from])
      await database.transaction(async (query) => {
        await query(LOCK_ROWS.alone, rowsLock(cluster, '5m'))
        await query(PACK, [cluster, from, from + HOUR_MS])
      })
    })
  }
}

/** Makes rows again of the hours that these are written to. Must hold the lock of five-minute rows. */
export async function unpackHours(query: Query, cluster: number, rows: readonly { readonly at: Instant }[]) {
  const hours = new Set(rows.map(({ at }) => hourOf(at)))
  await query(UNPACK, [cluster, [...hours]])
}

const hourOf = (at: number): Instant => instant(Math.floor(at / HOUR_MS) * HOUR_MS)

/**
 * Where the rows of a span are read from, with these columns, `cluster` and `at`: packed ones too. The statement has the
 * cluster as $1 and the window as $2 and $3. `among` names columns whose packed rows are left out where none of them is
 * among the numbers that a condition allows.
 */
export function usageRows(span: Span, columns: Iterable<string>, among: Readonly<Record<string, string>> = {}): string {
  if (span !== '5m') return TABLES[span]
  const named = [...new Set(['at', ...columns])]
  const allowed = Object.entries(among).map(([name, ids]) => `and (${ids} is null or packed."${name}" && ${ids})`)
  return `(
    select cluster, ${named.join(', ')} from ${TABLES['5m']}
    union all
    select packed.cluster, ${named.map((name) => `slot.${name}`).join(', ')}
    from ${TABLES.packed} as packed, ${unnested(named)}
    where packed.cluster = $1 and packed.hour > to_timestamp($2::float8 / 1000) - interval '1 hour'
      and packed.hour < to_timestamp($3::float8 / 1000) ${allowed.join(' ')})`
}

/** Of the workloads and namespaces that every reading statement has as $4 and $5. */
export const AMONG = { workload: '$4::int[]', namespace: '$5::int[]' }
/** Of the GPUs that some have as $6. */
export const AMONG_GPUS = { ...AMONG, gpu: '$6::int[]' }

function unnested(columns: readonly string[]): string {
  return `unnest(${columns.map((name) => `packed.${name}`).join(', ')}) as slot (${columns.join(', ')})`
}
