import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'

import { plural } from '@septet/domain/words'
import { Refusal } from '@septet/contract'
import { instant, type Caller } from '@septet/domain'

import { isoOf } from '../answering/view.ts'

/** How far something is that is computed in the background, as it is answered. */
type State<Result> = {
  readonly id: string
  readonly state: 'waiting' | 'running' | 'done' | 'failed' | 'cancelled'
  readonly ahead: number
  readonly done: number
  readonly of: number
  readonly askedAt: string
  readonly problem: string | null
  readonly result: Result | null
}

/** Computes where no answer waits for it, and tells how far it is; the signal says that nobody wants it any more. */
type Compute<Result> = (signal: AbortSignal, progress: (done: number, of: number) => void) => Promise<Result>

/** What all callers have computed: few at a time, few wait, results are kept for a while. */
export type Background<Result> = {
  /** Throws a refusal where too many wait. Who has left before it is over wants it no more, as `until` says. */
  start(by: Asker, compute: Compute<Result>, until?: AbortSignal): State<Result>
  get(by: string, id: string): State<Result>
  /** As `get`, once it is over or so many seconds have passed. A wrong question is refused as the one who asks would be. */
  settled(by: string, id: string, seconds: number): Promise<State<Result>>
  cancel(by: string, id: string): void
}

type Asker = Pick<Caller, 'id' | 'kind'>

/** Visitors, who need no account, cannot fill the queue for those who have one. */
const MOST = { visitor: { own: 1, all: 4 }, known: { own: 2, all: 8 } }
const MOST_KEPT = 20
const KEPT_MS = 30 * 60_000
const LIMIT_MS = 120_000

type Kept<Result> = {
  readonly id: string
  readonly by: string
  readonly askedAt: number
  state: State<Result>['state']
  done: number
  of: number
  problem: string | undefined
  refusal: Refusal | undefined
  result: Result | undefined
  readonly compute: Compute<Result>
  readonly stop: AbortController
  readonly over: PromiseWithResolvers<void>
}

type Options = { readonly noun: string; readonly atOnce: number; readonly now: () => number; readonly tooLong?: string }

/** Opens the service. `now` is in milliseconds since the epoch; `noun` is what a person calls one of its results. */
export function openBackground<Result>({ noun, atOnce, now, tooLong }: Options): Background<Result> {
  const kept = new Map<string, Kept<Result>>()
  const waiting: Kept<Result>[] = []
  let busy = 0

  const next = (): void => {
    const one = busy >= atOnce ? undefined : waiting.shift()
    if (one === undefined) return
    busy += 1
    one.state = 'running'
    void run(one, `It took longer than ${LIMIT_MS / 1000} s and was stopped.${tooLong ?? ''}`).finally(() => {
      busy -= 1
      one.over.resolve()
      next()
    })
  }
  const tidy = (): void => {
    for (const one of kept.values())
      if (!isOpen(one) && (now() - one.askedAt > KEPT_MS || kept.size > MOST_KEPT)) kept.delete(one.id)
  }
  const end = (one: Kept<Result>): void => {
    const place = waiting.indexOf(one)
    if (place >= 0) waiting.splice(place, 1)
    one.state = one.state === 'done' ? 'done' : 'cancelled'
    one.stop.abort()
    one.over.resolve()
    kept.delete(one.id)
  }
  const find = (by: string, id: string): Kept<Result> => ofCaller(kept.get(id), by, noun)
  return {
    start(by, compute, until) {
      tidy()
      refuseTooMany([...kept.values()], by, noun)
      const one = asked(by.id, compute, now())
      kept.set(one.id, one)
      until?.addEventListener('abort', () => isOpen(one) && end(one), { once: true })
      waiting.push(one)
      next()
      return viewOf(one, waiting)
    },
    get: (by, id) => viewOf(find(by, id), waiting),
    async settled(by, id, seconds) {
      const one = find(by, id)
      const enough = new AbortController()
      if (seconds > 0)
        await Promise.race([one.over.promise, delay(seconds * 1000, undefined, { signal: enough.signal })])
      enough.abort()
      if (one.refusal !== undefined) throw one.refusal
      return viewOf(one, waiting)
    },
    cancel(by, id) {
      end(find(by, id))
    },
  }
}

const asked = <Result>(by: string, compute: Compute<Result>, askedAt: number): Kept<Result> => ({
  id: randomUUID(),
  by,
  askedAt,
  state: 'waiting',
  done: 0,
  of: 0,
  problem: undefined,
  refusal: undefined,
  result: undefined,
  compute,
  stop: new AbortController(),
  over: Promise.withResolvers(),
})

const isOpen = ({ state }: Pick<Kept<unknown>, 'state'>): boolean => state === 'waiting' || state === 'running'

function ofCaller<Result>(found: Kept<Result> | undefined, by: string, noun: string): Kept<Result> {
  if (found !== undefined && found.by === by) return found
  throw new Refusal(
    'not-found',
    `You have no such ${noun}.`,
    'Results are kept for half an hour, until Septet stops; start it again.',
  )
}

function refuseTooMany(kept: ReadonlyArray<Kept<unknown>>, { id, kind }: Asker, noun: string): void {
  const most = MOST[kind === 'visitor' ? 'visitor' : 'known']
  const open = kept.filter(isOpen)
  const own = open.filter(({ by }) => by === id).length
  if (own >= most.own) {
    throw new Refusal(
      'too-many-requests',
      `${plural(own, `of your ${noun}s is`, `of your ${noun}s are`)} running or queued.`,
      'Wait for it, or cancel it.',
    )
  }
  if (open.length >= most.all) {
    throw new Refusal(
      'too-many-requests',
      `${plural(open.length, `${noun} is`, `${noun}s are`)} running or queued.`,
      'Try again in a minute.',
    )
  }
}

async function run<Result>(one: Kept<Result>, tooLong: string): Promise<void> {
  const timer = setTimeout(() => {
    one.problem = tooLong
    one.stop.abort()
  }, LIMIT_MS)
  try {
    one.result = await one.compute(one.stop.signal, (done, of) => {
      one.done = done
      one.of = of
    })
    if (one.state !== 'running') return
    one.state = 'done'
    one.done = one.of
  } catch (error) {
    if (one.state !== 'running') return
    one.state = 'failed'
    if (error instanceof Refusal && one.problem === undefined) one.refusal = error
    one.problem ??= error instanceof Refusal ? `${error.message} ${error.todo}` : String(error)
  } finally {
    clearTimeout(timer)
  }
}

function viewOf<Result>(one: Kept<Result>, waiting: ReadonlyArray<Kept<Result>>): State<Result> {
  const { id, state, done, of, askedAt, problem, result } = one
  const place = waiting.indexOf(one)
  return {
    id,
    state,
    ahead: place < 0 ? 0 : place + 1,
    done,
    of,
    askedAt: isoOf(instant(askedAt)),
    problem: problem ?? null,
    result: result ?? null,
  }
}
