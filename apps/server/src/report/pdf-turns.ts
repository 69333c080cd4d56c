import type { Caller } from '../caller.ts'
import { Refusal } from '../refusal.ts'

/** Makes a PDF when its turn has come. Throws a `Refusal` with the time after which to try again. */
export type PdfTurns = <Made>(caller: Caller, make: () => Promise<Made>) => Promise<Made>

/** More than these wait for longer than a person does. */
const MOST_WAITING = 8
/** What one takes, with room for a large cluster, seconds. */
const ONE_TAKES = 2
/** After one, a visitor waits so long for the next, seconds: whoever has an account can be asked to stop. */
const REST = 10

/**
 * Drawing a PDF takes about a second of the processor that everybody's answers come from. So one is drawn at a time, a few
 * wait, and each caller has one at most: visitors of the public demo, who need no account, are told apart by address.
 */
export function openPdfTurns(now: () => number): PdfTurns {
  const underWay = new Set<string>()
  /** Until when visitors rest, by key. */
  const resting = new Map<string, number>()
  let last: Promise<unknown> = Promise.resolve()
  return async (caller, make) => {
    const key = keyOf(caller)
    if (underWay.has(key)) {
      throw tooMany('A PDF report is being made for you already.', 'Wait until it has come.', ONE_TAKES)
    }
    const rest = ((resting.get(key) ?? 0) - now()) / 1000
    if (rest > 0) {
      const wait = Math.ceil(rest)
      throw tooMany(
        `The demo makes a PDF every ${REST} seconds for each visitor.`,
        `Try again in ${wait} s; CSV and JSON come at once.`,
        wait,
      )
    }
    if (underWay.size > MOST_WAITING) {
      const wait = underWay.size * ONE_TAKES
      throw tooMany('Many PDF reports are being made now.', `Try again in ${wait} s; CSV and JSON come at once.`, wait)
    }
    underWay.add(key)
    const turn = last.then(make)
    last = turn.catch(() => undefined)
    try {
      return await turn
    } finally {
      underWay.delete(key)
      for (const [other, until] of resting) if (until <= now()) resting.delete(other)
      if (caller.kind === 'visitor') resting.set(key, now() + REST * 1000)
    }
  }
}

const keyOf = ({ kind, name, account, ip }: Caller): string =>
  JSON.stringify([kind, kind === 'visitor' ? ip : (account?.id ?? name)])

const tooMany = (detail: string, words: string, retryAfter: number): Refusal =>
  new Refusal('too-many-requests', detail, { words, retryAfter })
