import { randomUUID } from 'node:crypto'

import { plural } from '@septet/domain/words'
import { Refusal, type RefusalAdvice, type RefusalCode } from '@septet/contract'
import { instant, type Caller, type NoteStore } from '@septet/domain'

import { inTime, lookUntil } from '../../in-time.ts'
import { isoOf } from '../answering/view.ts'
import { openSharedWork, type SharedWork } from './shared-work.ts'

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

/**
 * What all callers have computed: few at a time, few wait, results are kept for a while. Each server computes what it was
 * asked for, and tells also of what others on its database compute.
 */
export type Background<Result> = {
  /** Throws a refusal where too many wait. Who has left before it is over wants it no more, as `until` says. */
  start(by: Asker, compute: Compute<Result>, until?: AbortSignal): Promise<State<Result>>
  get(by: string, id: string): Promise<State<Result>>
  /** As `get`, once it is over or so many seconds have passed. A wrong question is refused as the one who asks would be. */
  settled(by: string, id: string, seconds: number): Promise<State<Result>>
  cancel(by: string, id: string): Promise<void>
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

type Options = {
  readonly noun: string
  readonly atOnce: number
  readonly now: () => number
  readonly notes: NoteStore
  readonly tooLong?: string
}

/** What other servers are told of one. */
type Told<Result> = {
  readonly view: State<Result>
  readonly refusal: { readonly code: RefusalCode; readonly detail: string; readonly advice: RefusalAdvice } | undefined
}

/** Opens the service. `now` is in milliseconds since the epoch; `noun` is what a person calls one of its results. */
export function openBackground<Result>({ noun, atOnce, now, notes, tooLong }: Options): Background<Result> {
  const shared = openSharedWork<Told<Result>>({ notes, kind: noun, now })
  const elsewhere = askingElsewhere(shared, noun)
  const kept = new Map<string, Kept<Result>>()
  const { waiting, next } = openLine<Result>(atOnce, tooLong)
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
  const own = (by: string, id: string): Kept<Result> | undefined => {
    const one = kept.get(id)
    if (one !== undefined && one.by !== by) throw unknown(noun)
    return one
  }
  return {
    async start(by, compute, until) {
      tidy()
      refuseTooMany([...kept.values()], by, noun)
      const one = asked(by.id, compute, now())
      kept.set(one.id, one)
      until?.addEventListener('abort', () => isOpen(one) && end(one), { once: true })
      waiting.push(one)
      next()
      const state = (): Told<Result> => ({ view: viewOf(one, waiting), refusal: refusalOf(one) })
      const noted = await shared.note({ id: one.id, owner: by.id, state, ended: () => end(one) })
      void one.over.promise.then(() => noted?.done(one.state === 'cancelled' ? 0 : KEPT_MS))
      return viewOf(one, waiting)
    },
    async get(by, id) {
      const one = own(by, id)
      return one === undefined ? (await elsewhere(by, id)).view : viewOf(one, waiting)
    },
    async settled(by, id, seconds) {
      const one = own(by, id)
      if (one === undefined) return settledElsewhere(() => elsewhere(by, id), seconds)
      if (seconds > 0) await inTime(seconds * 1000, one.over.promise)
      if (one.refusal !== undefined) throw one.refusal
      return viewOf(one, waiting)
    },
    async cancel(by, id) {
      const one = own(by, id)
      if (one === undefined) await elsewhere(by, id)
      else end(one)
      await shared.end(id)
    },
  }
}

/** Those that wait, and the way to go on with them: so many at a time. */
function openLine<Result>(atOnce: number, tooLong = '') {
  const waiting: Kept<Result>[] = []
  let busy = 0
  const next = (): void => {
    const one = busy >= atOnce ? undefined : waiting.shift()
    if (one === undefined) return
    busy += 1
    one.state = 'running'
    void run(one, `It took longer than ${LIMIT_MS / 1000} s and was stopped.${tooLong}`).finally(() => {
      busy -= 1
      one.over.resolve()
      next()
    })
  }
  return { waiting, next }
}

/** What another server tells of one. */
const askingElsewhere =
  <Result>(shared: SharedWork<Told<Result>>, noun: string) =>
  async (by: string, id: string): Promise<Told<Result>> => {
    const found = await shared.find(id)
    if (found === undefined || found.owner !== by) throw unknown(noun)
    return found.isLost ? { view: lost(found.state.view), refusal: undefined } : found.state
  }

/** As soon as another server says that it is over, or when so many seconds have passed. */
async function settledElsewhere<Result>(look: () => Promise<Told<Result>>, seconds: number): Promise<State<Result>> {
  const isOver = ({ view, refusal }: Told<Result>) => refusal !== undefined || !isOpen(view)
  const { view, refusal } = await lookUntil(seconds * 1000, look, isOver)
  if (refusal !== undefined) throw new Refusal(refusal.code, refusal.detail, refusal.advice)
  return view
}

const refusalOf = ({ refusal }: Pick<Kept<unknown>, 'refusal'>): Told<unknown>['refusal'] =>
  refusal && {
    code: refusal.code,
    detail: refusal.message,
    advice: { words: refusal.todo, ...(refusal.retryAfter === undefined ? {} : { retryAfter: refusal.retryAfter }) },
  }

const lost = <Result>(view: State<Result>): State<Result> => ({
  ...view,
  state: 'failed',
  problem: 'The Septet that computed it stopped before it was done. Start it again.',
})

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

const unknown = (noun: string): Refusal =>
  new Refusal('not-found', `You have no such ${noun}.`, 'Results are kept for half an hour. Start it again.')

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
