import { grouped, listed } from '@septet/domain/words'
import { type InputOf, type OutputOf, type retentionGet, type retentionPut, invalidInput } from '@septet/contract'
import { droppedBy, instant, sumOf, type Span, type Store, type StoredPart, type Window } from '@septet/domain'

import { DEFAULT_RETENTION, readRetention, writeRetention, type RetentionDays } from '../../retention.ts'
import { isoOf, isoOrNull } from '../answering/view.ts'

type RetentionView = OutputOf<typeof retentionGet>
type Kept = Pick<Store, 'settings' | 'usage' | 'clusters' | 'describe'>

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
    stored: {
      '5m': spanView(stored['5m'], await seenIn(store, '5m')),
      '1h': spanView(stored['1h'], await seenIn(store, '1h')),
      '1d': spanView(stored['1d'], await seenIn(store, '1d')),
    },
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
  const words = lost.map(({ span, rows }) => `about ${grouped(rows)} ${NAMES[span]} rows`)
  throw invalidInput(`That would delete ${listed(words)} within minutes, permanently.`, 'Confirm, or keep them longer.')
}

const SPANS = ['5m', '1h', '1d'] as const satisfies readonly Span[]
const NAMES = { '5m': 'five-minute', '1h': 'hourly', '1d': 'daily' } satisfies Record<Span, string>

/** First and last bucket of all clusters that are known; what a removed one left lies between its parts' ends. */
async function seenIn(store: Kept, span: Span): Promise<Window | undefined> {
  const clusters = await store.clusters.list()
  const found = await Promise.all(clusters.map(({ id }) => store.usage.coverage(id, span)))
  const known = found.filter((window) => window !== undefined)
  if (known.length === 0) return undefined
  return {
    from: instant(Math.min(...known.map(({ from }) => from))),
    to: instant(Math.max(...known.map(({ to }) => to))),
  }
}

const spanView = (parts: readonly StoredPart[], seen: Window | undefined): RetentionView['stored'][Span] => ({
  ...sumOf(parts),
  first: isoOrNull(seen?.from),
  last: isoOrNull(seen?.to),
  parts: parts.map(({ from, to, rows, bytes }) => ({ from: isoOf(from), to: isoOf(to), rows, bytes })),
})
