import { z } from 'zod'

const Message = z.looseObject({
  method: z.string(),
  id: z.union([z.string(), z.number()]).optional(),
  params: z.looseObject({ requestId: z.union([z.string(), z.number()]).optional() }).optional(),
})
type Message = z.output<typeof Message>

/**
 * Which requests are being answered, so that one can be cancelled by another request: clients of 2025 say it that way, while
 * later ones close the stream. Without sessions a request is known by its caller and its id, so where one caller has two
 * clients with the same id at work it is not known which is meant, and none is cancelled.
 */
export class RunningCalls {
  readonly #running = new Map<string, Set<AbortController>>()

  /** Takes note of a request until it has ended, or cancels the one that a notification names. */
  hear(caller: string, body: unknown, ended: AbortController): void {
    const message = messageIn(body)
    if (message === undefined) return
    const { method, id, params } = message
    if (method === 'notifications/cancelled') this.#cancel(keyOf(caller, params?.requestId))
    else if (id !== undefined) this.#note(keyOf(caller, id), ended)
  }

  #note(key: string, ended: AbortController): void {
    const same = this.#running.get(key) ?? new Set()
    this.#running.set(key, same.add(ended))
    ended.signal.addEventListener('abort', () => {
      same.delete(ended)
      if (same.size === 0) this.#running.delete(key)
    })
  }

  #cancel(key: string): void {
    const [only, ...others] = this.#running.get(key) ?? []
    if (others.length === 0) only?.abort()
  }
}

/** 1 and "1" are two ids. */
const keyOf = (caller: string, id: Message['id']): string => JSON.stringify([caller, id])

function messageIn(body: unknown): Message | undefined {
  try {
    return typeof body === 'string' ? Message.safeParse(JSON.parse(body)).data : undefined
  } catch {
    return undefined
  }
}
