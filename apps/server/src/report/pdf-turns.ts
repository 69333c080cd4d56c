import type { Caller } from '@septet/domain'
import { Refusal } from '@septet/contract'

/** Makes a PDF when its turn has come. Throws a `Refusal` with the time after which to try again. */
export type PdfTurns = <Made>(caller: Caller, make: () => Promise<Made>) => Promise<Made>

/** How many may be under way at once, of one caller and of all: more wait for longer than a person does. */
const MOST = {
  visitor: { own: 1, all: 4 },
  known: { own: 3, all: 9 },
} as const
/** What one takes, with room for a large cluster, seconds. */
const ONE_TAKES = 2
/** After one, a visitor waits so long for the next, seconds: whoever has an account can be asked to stop. */
const REST = 10

type UnderWay = { readonly key: string; readonly isVisitor: boolean }

/**
 * Drawing a PDF holds up no answer, but takes about a second of a processor. So one is made at a time, a few wait, and no
 * caller fills the queue. Visitors of the public demo, who need no account, are told apart by address; they get the least,
 * and never the places that are left to anyone who has an account.
 */
export function openPdfTurns(now: () => number): PdfTurns {
  const underWay = new Set<UnderWay>()
  /** Until when visitors rest, by key. */
  const resting = new Map<string, number>()
  let last: Promise<unknown> = Promise.resolve()
  return async (caller, make) => {
    const one = { key: caller.id, isVisitor: caller.kind === 'visitor' }
    refuseRest((resting.get(one.key) ?? 0) - now())
    refuseTooMany([...underWay], one)
    underWay.add(one)
    const turn = last.then(make)
    last = turn.catch(() => undefined)
    try {
      return await turn
    } finally {
      underWay.delete(one)
      for (const [key, until] of resting) if (until <= now()) resting.delete(key)
      if (one.isVisitor) resting.set(one.key, now() + REST * 1000)
    }
  }
}

function refuseRest(restMs: number): void {
  if (restMs > 0)
    throw tooMany(`The demo makes a PDF every ${REST} seconds for each visitor.`, Math.ceil(restMs / 1000))
}

function refuseTooMany(underWay: readonly UnderWay[], { key, isVisitor }: UnderWay): void {
  const most = isVisitor ? MOST.visitor : MOST.known
  const own = underWay.filter((other) => other.key === key).length
  if (own >= most.own) {
    throw tooMany(
      own === 1 ? 'A PDF is already being created for you.' : `${own} PDFs are already being created for you.`,
      ONE_TAKES,
    )
  }
  const ahead = isVisitor ? underWay.filter((other) => other.isVisitor).length : underWay.length
  if (ahead >= most.all) throw tooMany('Many PDF reports are being created now.', ahead * ONE_TAKES)
}

const tooMany = (detail: string, retryAfter: number): Refusal =>
  new Refusal('too-many-requests', detail, {
    words: `Try again in ${retryAfter} s; CSV and JSON come at once.`,
    retryAfter,
  })
