import { setTimeout as delay } from 'node:timers/promises'

import { instant, type Instant } from '@septet/domain'
import { duration, errorText, memory, plural } from '@septet/domain/words'

import type { AgentAnswer } from '@septet/plan-files'

import { AgentRefused, type AgentClient } from './agent-client.ts'
import type { ReadingBuffer } from './reading-buffer.ts'

export type SenderParts = {
  readonly client: AgentClient
  readonly buffer: ReadingBuffer
  readonly clock: () => number
  /** Yields [0, 1): spreads delays. */
  readonly random: () => number
  /** One sentence for anyone who reads the log. */
  readonly say: (sentence: string) => void
  /** Called with what Septet wants: how often to read, and what of the past. */
  readonly wanted: (answer: Pick<AgentAnswer, 'pollSeconds' | 'wish'>) => void
}

const FIRST_PAUSE_MS = 1000
/** Septet may be back at any moment; what it refuses a person has to put right. */
const LONGEST_PAUSE_MS = { away: 15_000, refused: 60_000 } as const
/** Says a word at least this often: one that is not heard of for 25 s is said to be silent, however seldom it reads. */
const IDLE_MS = 10_000
/** What Septet says of one reading and would say of it again. */
const OF_THIS_READING = new Set(['invalid-input', 'too-large'])

/** Sends what the buffer holds, oldest first, and drops what Septet has stored; what it refuses or does not hear waits. */
export class AgentSender {
  readonly #parts: SenderParts
  /** When the newest reading was taken that Septet has; undefined until it says so. */
  #received: Instant | undefined
  #failures = 0
  #said = ''
  #troubledSince: number | undefined
  #wake: () => void = () => undefined

  constructor(parts: SenderParts) {
    this.#parts = parts
  }

  /** When the newest reading was taken that Septet has. */
  received = (): Instant => this.#received ?? instant(0)
  /** There is something to send. */
  nudge = (): void => this.#wake()

  /** Until the signal. Then what can be sent within moments is sent, and the place of this agent is given back. */
  async run(stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted) {
      const pause = await this.#turn().then(
        (isMore) => (isMore ? 0 : IDLE_MS),
        (error: unknown) => this.#failed(error),
      )
      if (pause > 0) await this.#rest(pause, stopping)
    }
    if (this.#received === undefined || this.#failures > 0) return
    while (await this.#turn().catch(() => false));
    await this.#parts.client.leave().catch(() => undefined)
  }

  /** One reading, or a word where none waits. Whether more waits. */
  async #turn(): Promise<boolean> {
    const { client, buffer } = this.#parts
    if (this.#received === undefined) await this.#heard(await client.hello())
    const reading = await buffer.first()
    if (reading === undefined) {
      await this.#heard(await client.hello())
      return buffer.waiting().readings > 0
    }
    try {
      const { at, hasInventory, packed } = reading
      await this.#heard(await client.send({ at, hasInventory, packed, after: this.received() }))
    } catch (error) {
      if (!(error instanceof AgentRefused) || !OF_THIS_READING.has(error.code)) throw error
      await this.#refusedOne(reading.at, error)
    }
    return buffer.waiting().readings > 0
  }

  async #heard({ received, ...rest }: AgentAnswer): Promise<void> {
    const { buffer, wanted } = this.#parts
    this.#received = received
    await buffer.drop(received)
    wanted(rest)
    this.#recovered()
  }

  /** Perhaps Septet has another newest reading than this agent thinks; where it has not, the reading is given up. */
  async #refusedOne(at: Instant, refused: AgentRefused): Promise<void> {
    const { client, buffer, say } = this.#parts
    const before = this.received()
    await this.#heard(await client.hello())
    if (this.received() !== before || (await buffer.first())?.at !== at) return
    say(`The reading of ${new Date(at).toISOString()} is given up, as Septet does not take it: ${refused.message}`)
    await buffer.drop(at)
  }

  #failed(error: unknown): number {
    const { buffer, clock, random, say } = this.#parts
    this.#troubledSince ??= clock()
    const because = errorText(error)
    // The place may be another's by now, or its newest reading another one.
    this.#received = undefined
    if (because !== this.#said) {
      const { readings, bytes } = buffer.waiting()
      say(
        `${because} What is read is kept: ${plural(readings, 'reading waits', 'readings wait')} (${sizeText(bytes)}).`,
      )
    }
    this.#said = because
    const isAway = error instanceof AgentRefused && error.code === 'lost'
    const longest = LONGEST_PAUSE_MS[isAway ? 'away' : 'refused']
    const pause = Math.min(longest, FIRST_PAUSE_MS * 2 ** this.#failures)
    this.#failures += 1
    return pause * (0.5 + random() / 2)
  }

  #recovered(): void {
    const { buffer, clock, say } = this.#parts
    if (this.#failures === 0 && this.#said !== '') return
    const { readings } = buffer.waiting()
    const waited = this.#troubledSince === undefined ? '' : ` after ${duration((clock() - this.#troubledSince) / 1000)}`
    say(`Septet takes readings${waited}; ${plural(readings, 'reading waits', 'readings wait')} to be sent.`)
    this.#failures = 0
    this.#troubledSince = undefined
    this.#said = 'taken'
  }

  async #rest(ms: number, stopping: AbortSignal): Promise<void> {
    const woken = new AbortController()
    // While Septet is away a new reading is no reason to try sooner.
    this.#wake = () => (this.#failures === 0 ? woken.abort() : undefined)
    await delay(ms, undefined, { signal: AbortSignal.any([stopping, woken.signal]) }).catch(() => undefined)
    this.#wake = () => undefined
  }
}

const sizeText = (bytes: number): string => memory(bytes / 1024 / 1024)
