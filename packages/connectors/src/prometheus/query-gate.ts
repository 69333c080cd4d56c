import { setTimeout as sleep } from 'node:timers/promises'

import { MINUTE_MS, type QueryLimits } from '@septet/domain'

import { TelemetryError } from '../dcgm/telemetry-error.ts'

/** Lets queries to one engine through as far as its limits allow. */
export type QueryGate = <Answer>(query: () => Promise<Answer>, how: Passing) => Promise<Answer>

type Passing = {
  /**
   * What happens where the minute is used up: it waits, or it is refused, for what it reads would be old. The rest of what
   * was let in goes on: half a reading is worth nothing.
   */
  readonly when: 'waits' | 'refused' | 'goes on'
  readonly signal?: AbortSignal | undefined
}

type Time = {
  readonly clock: () => number
  /** Left out: of the machine. */
  readonly wait?: (ms: number, value: undefined, options: { readonly signal?: AbortSignal }) => Promise<unknown>
}

/**
 * At most so many queries at a time, in the order they came; and so many seconds of them in any minute. Those that can
 * wait leave half of the minute to those that cannot. Rejects with a `TelemetryError`.
 */
export function openQueryGate(
  name: string,
  { atOnce = Infinity, secondsPerMinute = Infinity }: QueryLimits,
  { clock, wait: pause = sleep }: Time,
): QueryGate {
  let under = 0
  const waiting: (() => void)[] = []
  let took: { readonly ended: number; readonly ms: number }[] = []

  /** Milliseconds until the minute has room again; 0: it has. */
  const until = (share: number): number => {
    const now = clock()
    took = took.filter(({ ended }) => ended > now - MINUTE_MS)
    let spent = took.reduce((sum, { ms }) => sum + ms, 0)
    if (spent < secondsPerMinute * 1000 * share) return 0
    const frees = took.find(({ ms }) => (spent -= ms) < secondsPerMinute * 1000 * share)
    return (frees?.ended ?? now) + MINUTE_MS - now
  }
  const enter = async (): Promise<void> => {
    if (under < atOnce) under += 1
    // Anyone who leaves hands its place over.
    else await new Promise<void>((resolve) => waiting.push(resolve))
  }
  const leave = (): void => {
    const next = waiting.shift()
    if (next === undefined) under -= 1
    else next()
  }

  /** Milliseconds to wait still; 0: it has its place. */
  const turn = async ({ when }: Passing): Promise<number> => {
    const ahead = until(SHARES[when])
    if (ahead > 0) return ahead
    await enter()
    // While it stood in line others may have taken what was left.
    const still = until(SHARES[when])
    if (still > 0) leave()
    return still
  }

  return async (query, how) => {
    for (let wait = await turn(how); wait > 0; wait = await turn(how)) {
      if (how.when === 'refused') throw usedUp(name, secondsPerMinute, wait)
      await pause(wait, undefined, how.signal === undefined ? {} : { signal: how.signal }).catch(() => {
        throw new TelemetryError('canceled', `A query to ${name} was canceled while it waited for its turn.`)
      })
    }
    const begun = clock()
    try {
      return await query()
    } finally {
      took.push({ ended: clock(), ms: clock() - begun })
      leave()
    }
  }
}

/** How much of a minute may be used up when one begins. */
const SHARES = { waits: 0.5, refused: 1, 'goes on': Infinity } as const

const usedUp = (name: string, limit: number, wait: number): TelemetryError =>
  new TelemetryError(
    'budget',
    `The ${limit} s a minute that queries to ${name} may take are used up; the next is sent in ${Math.ceil(wait / 1000)} s. ` +
      'Figures are as of the last reading until then. Raise the limit where the source of metrics is set, or ask it less often (SEPTET_POLL_SECONDS).',
  )
