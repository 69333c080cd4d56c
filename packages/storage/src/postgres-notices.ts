import { setTimeout as delay } from 'node:timers/promises'

import type { NoticeBoard, NoticeEars } from '@septet/domain'

import type { Database } from './connection.ts'
import { takePlace } from './migrate.ts'
import { StoreError } from './store-error.ts'

const CHANNEL = 'septet'
/** A connection that was cut without a word is found so soon, and is not cut for being silent. */
const BEAT_MS = 15_000
const ANSWERED_WITHIN_MS = 5000
const AGAIN_AFTER_MS = 1000

/** By NOTIFY and LISTEN: PostgreSQL delivers to every session that listens, and keeps nothing. */
export const postgresNotices = (database: Database): NoticeBoard => ({
  post: async (texts) => {
    await database.query(`select pg_notify('${CHANNEL}', text) from unnest($1::text[]) as text`, [texts])
  },
  listen: (ears) => listen(database, ears),
})

type Line = { readonly gone: Promise<void>; end(): void }

async function listen(database: Database, ears: NoticeEars): Promise<{ stop(): Promise<void> }> {
  const stopping = new AbortController()
  // Whoever cannot listen yet answers all the same.
  let line = await openLine(database, ears).catch((error: unknown): Line => {
    if (error instanceof StoreError) throw error
    return { gone: Promise.resolve(), end: () => undefined }
  })
  const again = async (): Promise<Line | undefined> => {
    try {
      await delay(AGAIN_AFTER_MS, undefined, { signal: stopping.signal })
      return await openLine(database, ears)
    } catch (error) {
      if (error instanceof StoreError) {
        stopping.abort()
        ears.refused(error)
      }
      return undefined
    }
  }
  const keeping = async (): Promise<void> => {
    for (;;) {
      await line.gone
      if (stopping.signal.aborted) return
      ears.cut()
      let next: Line | undefined
      while (next === undefined && !stopping.signal.aborted) next = await again()
      if (next === undefined) return
      line = next
      if (stopping.signal.aborted) line.end()
      else ears.missed()
    }
  }
  const kept = keeping()
  return {
    stop: async () => {
      stopping.abort()
      line.end()
      await kept
    },
  }
}

async function openLine(database: Database, { heard }: NoticeEars): Promise<Line> {
  const client = database.beside(ANSWERED_WITHIN_MS)
  const { promise: gone, resolve } = Promise.withResolvers<void>()
  const end = (): void => {
    // A connection that no longer answers does not say goodbye either.
    client.end().catch(() => undefined)
    resolve()
  }
  client.on('error', end)
  client.on('end', resolve)
  client.on('notification', ({ payload = '' }) => heard(payload))
  try {
    await client.connect()
    await takePlace(client, database.place)
    await client.query(`listen ${CHANNEL}`)
  } catch (error) {
    end()
    throw error
  }
  const beating = setInterval(() => void client.query('select 1').catch(end), BEAT_MS)
  void gone.then(() => clearInterval(beating))
  return { gone, end }
}
