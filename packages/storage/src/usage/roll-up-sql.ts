import { instant, MEASURE_NAMES, MEASURES, SPAN_SECONDS, type Instant, type Measure, type Span } from '@septet/domain'

import { columnOf, KEY_FIELDS, REQUIRED_FIELDS, ROLL_UP_FIELDS, ROW_COLUMNS } from './columns.ts'
import { packHours, usageRows } from './packed-hours.ts'
import { storableText } from './storable.ts'
import { TABLES } from './time-partition.ts'
import { LOCK_ROWS, rowsLock, type UsageParts } from './usage-parts.ts'
import { LONGER } from './write-usage.ts'

/**
 * Makes the longer rows of every bucket that has ended and whose shorter rows changed since it was last made, and packs the
 * shortest of hours that are long over.
 */
export async function rollUp(parts: UsageParts, cluster: string, now: Instant): Promise<void> {
  const id = await parts.words.find(storableText(cluster))
  if (id === undefined) return
  for (const source of ['5m', '1h'] as const) {
    for (const at of await pendingBuckets(parts, { cluster: id, span: LONGER[source], now })) {
      await rollUpBucket(parts, { cluster: id, source, at })
    }
  }
  await packHours(parts, id, now)
}

async function pendingBuckets(
  parts: UsageParts,
  ask: { cluster: number; span: '1h' | '1d'; now: Instant },
): Promise<Instant[]> {
  const ended = ask.now - SPAN_SECONDS[ask.span] * 1000
  const rows = await parts.database.query<{ ms: number }>(
    `select (extract(epoch from at) * 1000)::float8 as ms from usage_pending
     where cluster = $1 and span = $2 and at <= to_timestamp($3::float8 / 1000) order by at`,
    [ask.cluster, ask.span, ended],
  )
  return rows.map(({ ms }) => instant(ms))
}

type Bucket = { readonly cluster: number; readonly source: '5m' | '1h'; readonly at: Instant }

/** One bucket, all or nothing. The mark goes first: rows written meanwhile either are seen here or mark it again. */
async function rollUpBucket(parts: UsageParts, bucket: Bucket): Promise<void> {
  const target = LONGER[bucket.source]
  const values = [bucket.cluster, bucket.at, bucket.at + SPAN_SECONDS[target] * 1000]
  await parts.partitions.ensure(target, [bucket.at])
  await parts.database.transaction(async (query) => {
    await query(LOCK_ROWS.alone, rowsLock(bucket.cluster, target))
    const taken = await query(
      'delete from usage_pending where cluster = $1 and span = $2 and at = to_timestamp($3::float8 / 1000) returning 1',
      [bucket.cluster, target, bucket.at],
    )
    if (taken.length === 0) return
    await query(STATEMENTS[bucket.source].replace, values)
    await query(STATEMENTS[bucket.source].make, values)
    if (target === '1h') await query(MARK_DAY, [bucket.cluster, bucket.at])
  })
}

const MARK_DAY = `
  insert into usage_pending (cluster, span, at, times)
  values ($1, '1d', date_bin('1 day', to_timestamp($2::float8 / 1000), to_timestamp(0)), 1)
  on conflict (cluster, span, at) do update set times = usage_pending.times % 1000000 + 1`

const IN_BUCKET = `
  cluster = $1 and at >= to_timestamp($2::float8 / 1000) and at < to_timestamp($3::float8 / 1000)`
const KEYS = KEY_FIELDS.map(columnOf)
const ATTRIBUTES = ROLL_UP_FIELDS.map(columnOf).join(', ')
const SECONDS = REQUIRED_FIELDS.filter((name) => name !== 'share')
const COLUMNS = MEASURE_NAMES.map(columnOf).join(', ')

const STATEMENTS = {
  '5m': { replace: replaceStatement('5m'), make: makeStatement('5m') },
  '1h': { replace: replaceStatement('1h'), make: makeStatement('1h') },
}

/** Removes what an earlier roll-up made for the same keys; rows that came from elsewhere (history) stay. */
function replaceStatement(source: '5m' | '1h'): string {
  return `
    delete from ${TABLES[LONGER[source]]} as old
    where old.cluster = $1 and old.at = to_timestamp($2::float8 / 1000) and exists (
      select 1 from ${usageRows(source, KEYS)} as row
      where row.cluster = $1 and row.at >= to_timestamp($2::float8 / 1000) and row.at < to_timestamp($3::float8 / 1000)
        and ${KEYS.map((name) => `row.${name} = old.${name}`).join(' and ')})`
}

/**
 * Sums by everything but the reason. Rows of one key whose share or attributes changed within the bucket stay apart as
 * variants, and so do rows measured without `effective`: that keeps every total what it was.
 */
function makeStatement(source: '5m' | '1h'): string {
  const target: Span = LONGER[source]
  return `
    insert into ${TABLES[target]} (
      cluster, at, variant, ${ATTRIBUTES}, reason, share, ${SECONDS.join(', ')}, ${COLUMNS})
    select $1, to_timestamp($2::float8 / 1000),
      row_number() over (partition by ${KEYS.join(', ')} order by share, ${ATTRIBUTES}, blind) - 1,
      ${ATTRIBUTES},
      (array_agg(reason order by lost desc, word) filter (where reason is not null))[1],
      share, ${SECONDS.map((name) => `sum(${name})`).join(', ')}, ${MEASURES.map(rolledUp).join(', ')}
    from (${byReason(source)}) as part left join (select id, text collate "C" as word from words) as words
      on words.id = part.reason
    group by ${ATTRIBUTES}, share, blind`
}

function byReason(source: Span): string {
  return `
  select ${ATTRIBUTES}, reason, share, effective is null and measured > 0 as blind,
    ${SECONDS.map((name) => `sum(${name}) as ${name}`).join(', ')}, sum(present - measured) as lost,
    ${MEASURES.map(summed).join(', ')}
  from ${usageRows(source, ROW_COLUMNS)} as row where ${IN_BUCKET}
  group by ${ATTRIBUTES}, reason, share, effective is null and measured > 0`
}

/** What is needed of a measurement to join it over reasons: a mean as a sum with the seconds that weigh in it. */
function summed({ name, fold, of }: Measure): string {
  const column = columnOf(name)
  if (fold === 'peak') return `max(${column}) as ${column}`
  if (of === 'engine') return `sum(measured * ${column}) as ${column}_sum, sum(measured) as ${column}_weight`
  return `sum(present * ${column}) as ${column}_sum, sum(present) filter (where ${column} is not null) as ${column}_weight`
}

function rolledUp({ name, fold }: Measure): string {
  const column = columnOf(name)
  return fold === 'peak' ? `max(${column})` : `sum(${column}_sum) / nullif(sum(${column}_weight), 0)`
}
