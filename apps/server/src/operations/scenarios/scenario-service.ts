import { randomUUID } from 'node:crypto'

import { plural } from '@septet/domain/words'
import { Refusal, type OutputOf, type scenariosGet } from '@septet/contract'
import { instant, type Caller, type Scenario, type ScenarioResult, type ScenarioSource } from '@septet/domain'

import { isoOf } from '../answering/view.ts'

type ScenarioState = OutputOf<typeof scenariosGet>

/** A scenario that is being computed somewhere. */
type RunningScenario = {
  /** Rejects with an error for people, also when it was cancelled. */
  readonly answer: Promise<ScenarioResult>
  cancel(): void
}

/** Computes a scenario where no answer waits for it, and tells how far it is. */
export type RunScenario = (
  question: { readonly source: ScenarioSource; readonly scenario: Scenario },
  progress: (done: number, of: number) => void,
) => RunningScenario

/** Scenarios of all callers: one is computed at a time, few wait, results are kept for a while. */
export type ScenarioService = {
  /** Throws a refusal where too many wait. */
  start(by: Asker, scenario: Scenario, source: () => Promise<ScenarioSource>): ScenarioState
  get(by: string, id: string): ScenarioState
  cancel(by: string, id: string): void
}

type Asker = Pick<Caller, 'id' | 'kind'>

/** Visitors, who need no account, cannot fill the queue for those who have one. */
const MOST = { visitor: { own: 1, all: 4 }, known: { own: 2, all: 8 } }
const MOST_KEPT = 20
const KEPT_MS = 30 * 60_000
const LIMIT_MS = 120_000

type Kept = {
  readonly id: string
  readonly by: string
  readonly askedAt: number
  state: ScenarioState['state']
  done: number
  of: number
  problem: string | undefined
  result: ScenarioResult | undefined
  readonly begin: () => Promise<void>
  stop: (() => void) | undefined
}

/** Opens the service. `now` is in milliseconds since the epoch. */
export function openScenarioService(run: RunScenario, now: () => number): ScenarioService {
  const kept = new Map<string, Kept>()
  const waiting: Kept[] = []
  let busy = false

  const next = (): void => {
    const one = busy ? undefined : waiting.shift()
    if (one === undefined) return
    busy = true
    one.state = 'running'
    void one.begin().finally(() => {
      busy = false
      next()
    })
  }
  const tidy = (): void => {
    for (const { id, state, askedAt } of kept.values()) {
      const isOver = state !== 'waiting' && state !== 'running'
      if (isOver && (now() - askedAt > KEPT_MS || kept.size > MOST_KEPT)) kept.delete(id)
    }
  }
  const find = (by: string, id: string): Kept => ofCaller(kept.get(id), by)
  return {
    start(by, scenario, source) {
      tidy()
      refuseTooMany([...kept.values()], by)
      const one: Kept = {
        id: randomUUID(),
        by: by.id,
        askedAt: now(),
        state: 'waiting',
        done: 0,
        of: 0,
        problem: undefined,
        result: undefined,
        begin: () => compute(one, { run, scenario, source }),
        stop: undefined,
      }
      kept.set(one.id, one)
      waiting.push(one)
      next()
      return viewOf(one, waiting)
    },
    get: (by, id) => viewOf(find(by, id), waiting),
    cancel(by, id) {
      const one = find(by, id)
      const place = waiting.indexOf(one)
      if (place >= 0) waiting.splice(place, 1)
      one.state = one.state === 'done' ? 'done' : 'cancelled'
      one.stop?.()
      kept.delete(id)
    },
  }
}

function ofCaller(found: Kept | undefined, by: string): Kept {
  if (found !== undefined && found.by === by) return found
  throw new Refusal(
    'not-found',
    'You have no such scenario.',
    'Results are kept for half an hour, until Septet stops; start it again.',
  )
}

function refuseTooMany(kept: readonly Kept[], { id, kind }: Asker): void {
  const most = MOST[kind === 'visitor' ? 'visitor' : 'known']
  const open = kept.filter(({ state }) => state === 'waiting' || state === 'running')
  const own = open.filter(({ by }) => by === id).length
  if (own >= most.own) {
    throw new Refusal(
      'too-many-requests',
      `${plural(own, 'of your scenarios is', 'of your scenarios are')} running or queued.`,
      'Wait for it, or cancel it.',
    )
  }
  if (open.length >= most.all) {
    throw new Refusal(
      'too-many-requests',
      `${plural(open.length, 'scenario is', 'scenarios are')} running or queued.`,
      'Try again in a minute.',
    )
  }
}

type Work = {
  readonly run: RunScenario
  readonly scenario: Scenario
  readonly source: () => Promise<ScenarioSource>
}

async function compute(one: Kept, { run, scenario, source }: Work): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  try {
    const read = await source()
    if (one.state !== 'running') return
    const running = run({ source: read, scenario }, (done, of) => {
      one.done = done
      one.of = of
    })
    one.stop = () => running.cancel()
    timer = setTimeout(() => {
      one.problem = TOO_LONG
      running.cancel()
    }, LIMIT_MS)
    one.result = await running.answer
    one.state = 'done'
    one.done = one.of
  } catch (error) {
    if (one.state !== 'running') return
    one.state = 'failed'
    one.problem ??= error instanceof Refusal ? `${error.message} ${error.todo}` : String(error)
  } finally {
    clearTimeout(timer)
    one.stop = undefined
  }
}

const TOO_LONG = `It took longer than ${LIMIT_MS / 1000} s and was stopped. Start from the current workloads instead.`

function viewOf({ id, state, done, of, askedAt, problem, result }: Kept, waiting: readonly Kept[]): ScenarioState {
  const place = waiting.findIndex((other) => other.id === id)
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
