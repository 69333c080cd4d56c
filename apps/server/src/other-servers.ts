import { ServerEventSchema, type ServerEvent } from '@septet/contract'
import type { Log, NoticeBoard } from '@septet/domain'
import { z } from 'zod'

const NoticeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('event'), event: ServerEventSchema }),
  /** What programs are offered has changed. */
  z.object({ kind: z.literal('tools') }),
  /** What alerts go by has changed: the one that judges looks again. */
  z.object({ kind: z.literal('alert-rules') }),
  /** A program no longer waits for what it asked. */
  z.object({ kind: z.literal('cancelled'), caller: z.string(), id: z.union([z.string(), z.number()]) }),
])
/** What one server tells the others on its database. */
type Notice = z.output<typeof NoticeSchema>
const SentSchema = z.object({ from: z.string(), notice: NoticeSchema })

/** The servers that share this one's database. */
export type OtherServers = {
  /** Tells all others, in order; also later, where the database is away now. */
  tell(notice: Notice): void
  /** Calls the listener with what others tell; gives the way to stop. */
  hear(listener: (notice: Notice) => void): () => void
}

/** There are none: the bundled database is one server's own. */
export const NO_OTHERS: OtherServers = { tell: () => undefined, hear: () => () => undefined }

/** What is said to others who may have missed something. */
const missedWord = (): Notice => ({ kind: 'event', event: { kind: 'reset', asOf: new Date().toISOString() } })

/** More than this does not wait for the database to come back: then others are told to ask for everything again. */
const MOST_WAITING = 100
const MOST_BYTES = 7900
const AGAIN_MS = 1000

type Parts = {
  readonly notices: NoticeBoard
  /** Tells this server's own words from those of others. */
  readonly self: string
  readonly log: Log
  /** What others told meanwhile may have been missed. */
  readonly missed: () => void
  /** This server may use the database no more. */
  readonly refused: (error: Error) => void
}

/** Joins the others on a database. */
export async function joinOthers(parts: Parts): Promise<OtherServers & { stop(): Promise<void> }> {
  const { notices, self, log, missed, refused } = parts
  const listeners = new Set<(notice: Notice) => void>()
  const heard = (text: string): void => {
    const notice = noticeIn(text, self)
    if (notice !== undefined) for (const listener of listeners) listener(notice)
  }
  const cut = (): void => log.warn('other Septets on this database cannot be heard, trying again')
  const listening = await notices.listen({ heard, missed, cut, refused })
  const post = openOutbox(notices, self)
  return {
    tell: (notice) => post.add(notice),
    hear(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    stop: async () => {
      await post.stop()
      await listening.stop()
    },
  }
}

/** Undefined for one's own words, and for what another version says that this one does not know. */
function noticeIn(text: string, self: string): Notice | undefined {
  try {
    const { from, notice } = SentSchema.parse(JSON.parse(text))
    return from === self ? undefined : notice
  } catch {
    return undefined
  }
}

function openOutbox(notices: NoticeBoard, from: string) {
  let waiting: string[] = []
  let sending: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  const textOf = (notice: Notice): string => JSON.stringify({ from, notice } satisfies z.input<typeof SentSchema>)
  const flush = async (): Promise<void> => {
    while (waiting.length > 0) {
      const texts = waiting
      waiting = []
      try {
        // oxlint-disable-next-line no-await-in-loop -- in order
        await notices.post(texts)
      } catch {
        waiting = bounded([...texts, ...waiting])
        timer = setTimeout(start, AGAIN_MS).unref()
        return
      }
    }
  }
  const start = (): void => {
    sending ??= flush().finally(() => (sending = undefined))
  }
  const bounded = (texts: string[]): string[] => (texts.length > MOST_WAITING ? [textOf(missedWord())] : texts)
  return {
    add(notice: Notice): void {
      const text = textOf(notice)
      waiting = bounded([...waiting, Buffer.byteLength(text) > MOST_BYTES ? textOf(missedWord()) : text])
      start()
    },
    stop: async () => {
      clearTimeout(timer)
      await sending
    },
  }
}

/** What this server's own clients are told. */
type OwnEvents = { publish(event: ServerEvent): void; interrupted(): void }

/**
 * Gives the way to publish what every client of every server is to hear, and puts what other servers published into the
 * log. What a pipeline says is not published this way: it comes to each server with the read model that it is about.
 */
export function publishEverywhere(events: OwnEvents, others: OtherServers): (event: ServerEvent) => void {
  others.hear((notice) => {
    if (notice.kind !== 'event') return
    if (notice.event.kind === 'reset') events.interrupted()
    else events.publish(notice.event)
  })
  return (event) => {
    events.publish(event)
    others.tell({ kind: 'event', event })
  }
}
