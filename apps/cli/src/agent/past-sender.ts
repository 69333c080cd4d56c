import { setTimeout as delay } from 'node:timers/promises'

import type { HistoryReader } from '@septet/domain'
import { errorText } from '@septet/domain/words'
import { packPast, type AgentAnswer, type AgentPast } from '@septet/plan-files'

import { AgentRefused, type AgentClient } from './agent-client.ts'

export type PastSenderParts = {
  readonly client: Pick<AgentClient, 'sendPast'>
  /** Undefined where no metrics engine is named: then there is no past. */
  readonly history: HistoryReader | undefined
  readonly say: (sentence: string) => void
  readonly stopping: AbortSignal
}
type Wish = NonNullable<AgentAnswer['wish']>

/** After a part was not taken, milliseconds. */
const PAUSE_MS = 2000

/** Sends what the metrics engine knows of the past, one piece at a time as Septet asks for it. Nothing of it is kept. */
export class PastSender {
  readonly #parts: PastSenderParts
  #current: string | undefined

  constructor(parts: PastSenderParts) {
    this.#parts = parts
  }

  /** What Septet wants now. The same wish again changes nothing; another one, or none, ends the one before. */
  wanted(wish: AgentAnswer['wish']): void {
    if (wish?.id === this.#current) return
    this.#current = wish?.id
    if (wish === null) return
    this.#send(wish).catch((error: unknown) => this.#parts.say(`The past was not sent: ${errorText(error)}`))
  }

  async #send(wish: Wish): Promise<void> {
    const { history } = this.#parts
    const put = this.#putter(wish)
    const isWanted = (): boolean => this.#current === wish.id && !this.#parts.stopping.aborted
    const signal = {
      get aborted() {
        return !isWanted()
      },
    }
    try {
      for await (const batch of history?.history({ ...wish, signal }) ?? []) await put({ kind: 'batch', batch })
    } catch (error) {
      if (isWanted()) await put({ kind: 'failed', message: errorText(error) })
      return
    }
    await put({ kind: 'end' })
  }

  #putter({ id }: Wish): (past: AgentPast) => Promise<void> {
    let part = 0
    return async (past) => {
      for await (const packed of packPast(past)) {
        await this.#put({ wish: id, part, packed })
        part += 1
      }
    }
  }

  /** Until it is taken, or not wanted any more. */
  async #put(part: Parameters<AgentClient['sendPast']>[0]): Promise<void> {
    const { client, stopping } = this.#parts
    while (this.#current === part.wish && !stopping.aborted) {
      try {
        const { wish } = await client.sendPast(part)
        if (wish?.id !== part.wish) this.wanted(wish)
        return
      } catch (error) {
        if (!(error instanceof AgentRefused)) throw error
        await delay(PAUSE_MS, undefined, { signal: stopping }).catch(() => undefined)
      }
    }
  }
}
