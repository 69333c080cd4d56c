import type { InputOf, OutputOf, retentionGet, retentionPut } from '@septet/contract'
import { droppedBy, instant, sumOf, type Span, type Store, type StoredPart } from '@septet/domain'

import { Refusal } from '../refusal.ts'
import { DEFAULT_RETENTION, readRetention, writeRetention, type RetentionDays } from '../retention.ts'
import { isoOf } from './view.ts'

type RetentionView = OutputOf<typeof retentionGet>
type Kept = Pick<Store, 'settings' | 'usage' | 'describe'>

/** How long rows are kept, and what is stored now. */
export async function getRetention(store: Kept): Promise<RetentionView> {
  const [days, stored, { bytes }] = await Promise.all([
    readRetention(store.settings),
    store.usage.stored(),
    store.describe(),
  ])
  return {
    days,
    defaults: DEFAULT_RETENTION,
    stored: { '5m': spanView(stored['5m']), '1h': spanView(stored['1h']), '1d': spanView(stored['1d']) },
    databaseBytes: bytes ?? null,
  }
}

/** Sets how long rows are kept. Refuses to drop what is stored unless that was confirmed. */
export async function putRetention(
  store: Kept,
  { confirmed, ...days }: InputOf<typeof retentionPut>,
  now: number,
): Promise<RetentionView> {
  if (!confirmed) await refuseLoss(store, days, now)
  await writeRetention(store.settings, days)
  return getRetention(store)
}

async function refuseLoss(store: Kept, days: RetentionDays, now: number): Promise<void> {
  const stored = await store.usage.stored()
  const lost = SPANS.map((span) => ({ span, ...droppedBy(stored[span], days[span], instant(now)) })).filter(
    ({ rows }) => rows > 0,
  )
  if (lost.length === 0) return
  const words = lost.map(({ span, rows }) => `about ${rows.toLocaleString('en-US')} ${NAMES[span]} rows`)
  throw new Refusal(
    'invalid-input',
    `That would drop ${words.join(' and ')} within minutes, and nothing brings them back.`,
    'Confirm it, or keep them longer.',
  )
}

const SPANS = ['5m', '1h', '1d'] as const satisfies readonly Span[]
const NAMES = { '5m': 'five-minute', '1h': 'hourly', '1d': 'daily' } satisfies Record<Span, string>

function spanView(parts: readonly StoredPart[]): RetentionView['stored'][Span] {
  const [first] = parts
  const last = parts.at(-1)
  return {
    ...sumOf(parts),
    first: first === undefined ? null : isoOf(first.from),
    last: last === undefined ? null : isoOf(last.to),
    parts: parts.map(({ from, to, rows, bytes }) => ({ from: isoOf(from), to: isoOf(to), rows, bytes })),
  }
}
