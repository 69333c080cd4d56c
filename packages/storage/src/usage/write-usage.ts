import { instant, SPAN_SECONDS, type Instant, type Span, type UsageRow } from '@septet/domain'
import type { Query } from '../connection.ts'
import { columnOf, KEY_FIELDS, NUMBER_FIELDS, ROW_COLUMNS, WORD_FIELDS } from './columns.ts'
import { unpackHours } from './packed-hours.ts'
import { despiteDrops } from './partitions.ts'
import { storableRows, storableText } from './storable.ts'
import { TABLES } from './time-partition.ts'
import { LOCK_ROWS, rowsLock, type UsageParts } from './usage-parts.ts'

/** Rows per statement: enough to make its overhead vanish, few enough to keep its parameters in a few megabytes. */
const CHUNK = 5000

/** Which longer bucket a span is rolled up into. */
export const LONGER = { '5m': '1h', '1h': '1d', '1d': undefined } as const satisfies Record<Span, Span | undefined>

export type UsageWritten = { readonly rows: readonly UsageRow[]; readonly worked: Instant | undefined }

/** Writes rows of any spans in one transaction, and marks the longer buckets that have to be made again. */
export async function writeUsage(parts: UsageParts, cluster: string, { rows, worked }: UsageWritten): Promise<void> {
  const kept = storableRows(rows)
  const spans = (['5m', '1h', '1d'] as const).filter((span) => kept.some((row) => row.span === span))
  const ids = await parts.words.idsOf(wordsOf(cluster, kept))
  const attempt = async () => {
    for (const span of spans) await parts.partitions.ensure(span, bucketsOf(kept, span))
    await parts.database.transaction(async (query) => {
      const id = ids.get(storableText(cluster)) ?? 0
      for (const span of spans) await query(LOCK_ROWS.shared, rowsLock(id, span))
      for (const span of spans) {
        const batch = { query, span, ids, cluster: id }
        await writeSpan(
          batch,
          kept.filter((row) => row.span === span),
        )
      }
      if (worked !== undefined) await markWorked(query, cluster, worked)
    })
  }
  await despiteDrops(parts.partitions, attempt)
}

type Batch = {
  readonly query: Query
  readonly span: Span
  readonly cluster: number
  readonly ids: ReadonlyMap<string, number>
}

async function writeSpan(batch: Batch, rows: readonly UsageRow[]): Promise<void> {
  if (batch.span === '5m') await unpackHours(batch.query, batch.cluster, rows)
  for (let start = 0; start < rows.length; start += CHUNK) {
    const values = [batch.cluster, ...columnsOf(rows.slice(start, start + CHUNK), batch.ids)]
    await batch.query(UPSERT[batch.span], values)
    if (batch.span !== '5m') await batch.query(DROP_VARIANTS[batch.span], [batch.cluster, ...keysOf(values)])
  }
  await markPending(batch, rows)
}

async function markPending(batch: Batch, rows: readonly UsageRow[]): Promise<void> {
  const longer = LONGER[batch.span]
  if (longer === undefined) return
  const length = SPAN_SECONDS[longer] * 1000
  const buckets = new Set(rows.map((row) => Math.floor(row.at / length) * length))
  await batch.query(MARK_PENDING, [batch.cluster, longer, [...buckets].toSorted((a, b) => a - b)])
}

// "do update" and not "do nothing": it waits for a roll-up that is just taking the mark away, and then marks again.
const MARK_PENDING = `
  insert into usage_pending (cluster, span, at, times)
  select $1, $2, to_timestamp(ms / 1000), 1 from unnest($3::float8[]) as ms
  on conflict (cluster, span, at) do update set times = usage_pending.times % 1000000 + 1`

const KEY_NAMES = KEY_FIELDS.map(columnOf)
const KEY = ['cluster', 'at', ...KEY_NAMES, 'variant']

const UPSERT = { '5m': upsert('5m'), '1h': upsert('1h'), '1d': upsert('1d') }
const DROP_VARIANTS = { '1h': dropVariants('1h'), '1d': dropVariants('1d') }

function upsert(span: Span): string {
  const types = [...WORD_FIELDS.map(() => 'int4[]'), ...NUMBER_FIELDS.map(() => 'float8[]')]
  const changed = ROW_COLUMNS.filter((name) => !KEY.includes(name)).map((name) => `${name} = excluded.${name}`)
  return `
    insert into ${TABLES[span]} (cluster, at, variant, ${ROW_COLUMNS.join(', ')})
    select $1, to_timestamp(row.ms / 1000), 0, ${ROW_COLUMNS.map((name) => `row.${name}`).join(', ')}
    from unnest($2::float8[], ${types.map((type, index) => `$${index + 3}::${type}`).join(', ')})
      as row (ms, ${ROW_COLUMNS.join(', ')})
    on conflict (${KEY.join(', ')}) do update set ${changed.join(', ')}`
}

/** A row written by hand replaces all that a roll-up had made for its key. */
function dropVariants(span: Span): string {
  return `
    delete from ${TABLES[span]} as old
    using unnest($2::float8[], $3::int4[], $4::int4[], $5::int4[], $6::int4[]) as row (ms, ${KEY_NAMES.join(', ')})
    where old.cluster = $1 and old.at = to_timestamp(row.ms / 1000) and old.variant > 0
      and ${KEY_NAMES.map((name) => `old.${name} = row.${name}`).join(' and ')}`
}

/** Column by column, each as PostgreSQL writes an array: much quicker to make than one parameter per value. */
function columnsOf(rows: readonly UsageRow[], ids: ReadonlyMap<string, number>): string[] {
  const idOf = (text: string | undefined) => (text === undefined ? undefined : ids.get(text))
  return [
    arrayText(rows.map((row) => row.at)),
    ...WORD_FIELDS.map((field) => arrayText(rows.map((row) => idOf(row[field])))),
    ...NUMBER_FIELDS.map((field) => arrayText(rows.map((row) => row[field]))),
  ]
}

/** Of the values of an upsert those that `dropVariants` asks for. */
const keysOf = (values: readonly unknown[]): unknown[] => [
  values[1],
  ...KEY_FIELDS.map((field) => values[2 + WORD_FIELDS.indexOf(field)]),
]

const arrayText = (values: readonly (number | undefined)[]): string =>
  `{${values.map((value) => value ?? 'NULL').join(',')}}`

function wordsOf(cluster: string, rows: readonly UsageRow[]): Set<string> {
  const texts = new Set([storableText(cluster)])
  for (const row of rows) {
    for (const field of WORD_FIELDS) {
      const text = row[field]
      if (text !== undefined) texts.add(text)
    }
  }
  return texts
}

function bucketsOf(rows: readonly UsageRow[], span: Span): Set<Instant> {
  return new Set(rows.filter((row) => row.span === span).map((row) => instant(row.at)))
}

/** Keeps up to which reading of an agent usage is stored, and drops the readings that are not needed any more. */
async function markWorked(query: Query, cluster: string, to: Instant): Promise<void> {
  const values = [storableText(cluster), new Date(to)]
  await query('update cluster_agents set worked = greatest(worked, $2) where cluster = $1', values)
  // What came after it without an inventory of its own holds by the last one.
  await query(
    `delete from agent_readings where cluster = $1 and at <= $2 and at <> coalesce(
       (select max(at) from agent_readings where cluster = $1 and at <= $2 and has_inventory), 'epoch')`,
    values,
  )
}
