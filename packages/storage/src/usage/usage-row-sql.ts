import {
  completeRow,
  instant,
  QUALITY_REASONS,
  ratio,
  seconds,
  SPAN_SECONDS,
  USAGE_KINDS,
  type QualityReason,
  type Span,
  type UsageKind,
  type UsageQuery,
  type UsageRow,
} from '@septet/domain'

import { columnOf, NUMBER_FIELDS, type NumberColumn, ROW_COLUMNS, WORD_FIELDS, type WordField } from './columns.ts'
import { AMONG, AMONG_GPUS, usageRows } from './packed-hours.ts'
import { storableText } from './storable.ts'
import type { UsageParts } from './usage-parts.ts'

/** A stored row: texts as numbers of `words`, `ms` the bucket's start. */
type Stored = Readonly<Record<WordField | NumberColumn, number | null>> & { readonly ms: number }

/** Rows of a window, oldest bucket first. */
export async function readRows(parts: UsageParts, query: UsageQuery): Promise<readonly UsageRow[]> {
  const cluster = await parts.words.find(storableText(query.cluster))
  if (cluster === undefined) return []
  const asked = [
    cluster,
    query.window.from,
    query.window.to,
    await wordIds(parts, query.workloads),
    await namespaceIds(parts, query),
  ]
  const stored =
    query.gpus === undefined
      ? await parts.database.query<Stored>(SELECT[query.span], asked)
      : await readOfGpus(parts, { query, asked, gpus: query.gpus })
  const texts = await parts.words.textsOf(idsIn(stored))
  return stored.map((row) => toUsageRow(row, query.span, texts))
}

type OfGpus = { readonly query: UsageQuery; readonly asked: readonly unknown[]; readonly gpus: readonly string[] }

/** Where a window has more buckets than this, they are not named one by one. */
const MOST_BUCKETS = 20_000

/**
 * Rows of few GPUs. The key of a table begins with cluster, bucket and partition, so each bucket's rows are found where
 * both are named; no index of GPUs has to be kept for it.
 */
async function readOfGpus(parts: UsageParts, { query, asked, gpus }: OfGpus): Promise<readonly Stored[]> {
  const length = SPAN_SECONDS[query.span] * 1000
  const first = Math.floor(query.window.from / length) * length
  const count = Math.ceil((query.window.to - first) / length)
  const ids = await wordIds(parts, gpus)
  if (ids === null || ids.length === 0) return []
  const partitions = await parts.database.query<{ id: number }>(
    'select words.id from words join unnest($1::text[]) as gpu on starts_with(words.text, gpu)',
    [gpus.map(storableText)],
  )
  const buckets = count > MOST_BUCKETS ? undefined : Array.from({ length: count }, (_, order) => first + order * length)
  return parts.database.query<Stored>(SELECT_OF_GPUS[buckets === undefined ? 'any' : 'named'][query.span], [
    ...asked,
    ids,
    partitions.map(({ id }) => id),
    ...(buckets === undefined ? [] : [buckets]),
  ])
}

const OF_GPUS = 'and gpu = any($6::int[]) and partition = any($7::int[])'
const OF_BUCKETS = 'and at = any(array(select to_timestamp(ms / 1000) from unnest($8::float8[]) as ms))'
const SELECT_OF_GPUS = {
  any: { '5m': selection('5m', OF_GPUS), '1h': selection('1h', OF_GPUS), '1d': selection('1d', OF_GPUS) },
  named: {
    '5m': selection('5m', `${OF_GPUS} ${OF_BUCKETS}`),
    '1h': selection('1h', `${OF_GPUS} ${OF_BUCKETS}`),
    '1d': selection('1d', `${OF_GPUS} ${OF_BUCKETS}`),
  },
}

const SELECT = { '5m': selection('5m'), '1h': selection('1h'), '1d': selection('1d') }

function selection(span: Span, more = ''): string {
  const fields = [...WORD_FIELDS, ...NUMBER_FIELDS].map((field) => `${columnOf(field)} as "${field}"`)
  return `
    select (extract(epoch from at) * 1000)::float8 as ms, ${fields.join(', ')}
    from ${usageRows(span, ROW_COLUMNS, more === '' ? AMONG : AMONG_GPUS)} as row
    where cluster = $1 and at >= to_timestamp($2::float8 / 1000) and at < to_timestamp($3::float8 / 1000)
      and ($4::int[] is null or workload = any($4::int[]))
      and ($5::int[] is null or namespace = any($5::int[])) ${more}
    order by at`
}

/** Numbers of the words that are asked for, without those that no row ever named; null asks for all. */
export async function wordIds(
  parts: UsageParts,
  words: readonly string[] | undefined,
): Promise<readonly number[] | null> {
  if (words === undefined) return null
  const ids = await Promise.all([...new Set(words)].map((word) => parts.words.find(storableText(word))))
  return ids.filter((id) => id !== undefined)
}

/** The same of namespaces. What nobody holds is stored with an empty one: nobody can ask for that. */
export const namespaceIds = (parts: UsageParts, { namespaces }: UsageQuery): Promise<readonly number[] | null> =>
  wordIds(
    parts,
    namespaces?.filter((name) => name !== ''),
  )

function idsIn(stored: readonly Stored[]): Set<number> {
  const ids = new Set<number>()
  for (const row of stored) {
    for (const field of WORD_FIELDS) {
      const id = row[field]
      if (typeof id === 'number') ids.add(id)
    }
  }
  return ids
}

function toUsageRow(stored: Stored, span: Span, texts: ReadonlyMap<number, string>): UsageRow {
  const text = (field: WordField) => texts.get(stored[field] ?? 0) ?? ''
  const row = {
    at: instant(stored.ms),
    span,
    node: text('node'),
    pool: text('pool'),
    gpu: text('gpu'),
    partition: text('partition'),
    profile: text('profile'),
    model: text('model'),
    machine: text('machine'),
    kind: toKind(text('kind')),
    share: ratio(stored.share ?? 0),
    namespace: text('namespace'),
    workload: text('workload'),
    pod: text('pod'),
    workloadClass: text('workloadClass'),
    present: seconds(stored.present ?? 0),
    measured: seconds(stored.measured ?? 0),
    idle: seconds(stored.idle ?? 0),
    oversized: seconds(stored.oversized ?? 0),
    reason: toReason(text('reason')),
  }
  return completeRow(row, ({ name }) => stored[name] ?? undefined)
}

const toKind = (text: string): UsageKind => USAGE_KINDS.find((kind) => kind === text) ?? 'unobserved'

const toReason = (text: string): QualityReason | undefined => (isReason(text) ? text : undefined)

const isReason = (text: string): text is QualityReason => Object.hasOwn(QUALITY_REASONS, text)
