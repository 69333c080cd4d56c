import { Worker } from 'node:worker_threads'

import type { LinearAnswer, LinearProgram, LinearSolver, SolveLimits } from '@septet/domain'

import { encodeProgram, type EncodedProgram } from './encode-program.ts'
import type { HighsQuestion, HighsReply } from './highs-message.ts'
import { judgeIncumbent, judgeOutcome } from './judge-outcome.ts'

/**
 * The HiGHS solver (WebAssembly) in a worker thread. One model is solved at a time, in the order asked; a model's time
 * limit counts from the call, so waiting behind others uses it up. A signal kills the worker, and the next model gets a
 * fresh one. `entry` is the worker's program; tests give one that breaks.
 */
export function openHighs(entry: URL = new URL('highs-worker.ts', import.meta.url)): LinearSolver {
  const seat = new Seat(entry)
  let last: Promise<unknown> = Promise.resolve()
  let closed = false
  return {
    solve(program, limits) {
      const askedAt = performance.now()
      const answer = last.then(async (): Promise<LinearAnswer> => {
        if (closed) return unknown('the solver is closed')
        const left = limits.seconds - (performance.now() - askedAt) / 1000
        return solveOne(seat, program, { ...limits, left })
      })
      last = answer
      return settledOnAbort(answer, limits)
    },
    async close() {
      closed = true
      await seat.clear()
    },
  }
}

const unknown = (because: string): LinearAnswer => ({ kind: 'unknown', bound: undefined, because })

type Limits = SolveLimits & { readonly left: number }

/** A caller that gives up while others are being served does not wait for its turn to hear so. */
function settledOnAbort(answer: Promise<LinearAnswer>, { signal }: SolveLimits): Promise<LinearAnswer> {
  if (signal === undefined) return answer
  return new Promise((resolve, reject) => {
    // The turn itself answers within this delay when it is running, and then with what it had found.
    const onAbort = (): void =>
      void setTimeout(() => resolve(unknown('the search was stopped')), ABORT_GRACE_MS).unref()
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort)
    answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}

const ABORT_GRACE_MS = 100

async function solveOne(seat: Seat, program: LinearProgram, limits: Limits): Promise<LinearAnswer> {
  const because = refused(limits)
  if (because !== undefined) return unknown(because)
  const written = encodeProgram(program)
  if (written.kind === 'unsound') return unknown(`this is no sound program: ${written.because}`)
  const { encoded } = written
  if (encoded.upper.some((upper) => upper < 0)) return { kind: 'infeasible' }
  if (encoded.cost.length === 0) return withoutVariables(program)
  const told = await seat.ask(encoded, limits)
  if (told.kind === 'outcome') return judgeOutcome(program, told.outcome)
  if (told.incumbent !== undefined) return judgeIncumbent(program, { ...told.incumbent, because: told.because })
  return unknown(told.because)
}

function refused({ signal, seconds, gap, left }: Limits): string | undefined {
  if (signal?.aborted === true) return 'the search was stopped'
  if (!(seconds > 0)) return `a limit of ${seconds} s leaves no time to search`
  if (!(gap >= 0)) return `${gap} is no gap`
  return left <= 0 ? 'the time limit passed while other models were solved' : undefined
}

function withoutVariables({ rows }: LinearProgram): LinearAnswer {
  const holds = rows.every(
    ({ kind, bound }) => (kind === 'at-least' || bound >= 0) && (kind === 'at-most' || bound <= 0),
  )
  return holds ? { kind: 'optimal', cost: 0, values: [], bound: 0, prices: rows.map(() => 0) } : { kind: 'infeasible' }
}

type Incumbent = { readonly values: Float64Array; readonly bound: number }

type Told =
  | Extract<HighsReply, { kind: 'outcome' }>
  | { readonly kind: 'nothing'; readonly because: string; readonly incumbent: Incumbent | undefined }

/** Keeps one worker, made when first needed, replaced after it broke or was stopped. */
class Seat {
  #entry: URL
  #worker: Worker | undefined
  #count = 0
  #stop: ((because: string) => void) | undefined

  constructor(entry: URL) {
    this.#entry = entry
  }

  async clear(): Promise<void> {
    this.#stop?.('the solver is closed')
    const worker = this.#worker
    this.#worker = undefined
    await worker?.terminate()
  }

  ask(program: EncodedProgram, limits: Limits): Promise<Told> {
    this.#count += 1
    const question: HighsQuestion = { ...program, id: this.#count, seconds: limits.left, gap: limits.gap }
    const fresh = this.#worker === undefined
    // Flags of the process (`--eval`, `--input-type`) are not for the worker and can keep it from starting.
    const worker = this.#worker ?? new Worker(this.#entry, { execArgv: [] })
    this.#worker = worker
    worker.ref()
    return new Promise((resolve) => {
      const turn = new Turn(worker, question, (told, usable) => {
        limits.signal?.removeEventListener('abort', onAbort)
        this.#stop = undefined
        if (usable) worker.unref()
        else this.#discard(worker)
        resolve(told)
      })
      const onAbort = (): void => turn.give('the search was stopped')
      this.#stop = (because) => turn.give(because)
      limits.signal?.addEventListener('abort', onAbort)
      turn.begin(fresh)
    })
  }

  #discard(worker: Worker): void {
    if (this.#worker === worker) this.#worker = undefined
    // Ending a thread cannot fail in a way that anyone could act on.
    worker.terminate().catch(() => undefined)
  }
}

/** Loading the solver takes a fraction of a second; this is when it must be called broken. */
const LOAD_SECONDS = 20
/** How long the solver may run over its own limit: it looks at the clock between iterations only. */
const OVERRUN_SECONDS = 1

/** One question from asking to the one end that it has, whatever happens first. */
class Turn {
  #worker: Worker
  #question: HighsQuestion
  #end: (told: Told, usable: boolean) => void
  #timer: NodeJS.Timeout | undefined
  #incumbent: Incumbent | undefined

  constructor(worker: Worker, question: HighsQuestion, end: (told: Told, usable: boolean) => void) {
    this.#worker = worker
    this.#question = question
    this.#end = end
  }

  begin(fresh: boolean): void {
    this.#worker.on('message', this.#hear)
    this.#worker.on('error', this.#onError)
    this.#worker.on('exit', this.#onExit)
    if (fresh) this.#expectWithin(LOAD_SECONDS, 'the solver could not be loaded in time')
    else this.#expectAnswer()
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread has no origin
    this.#worker.postMessage(this.#question)
  }

  /** Ends without the worker's word. Its thread is lost, because nothing else stops a running model. */
  give(because: string): void {
    this.#finish({ kind: 'nothing', because, incumbent: this.#incumbent }, false)
  }

  #hear = (reply: HighsReply): void => {
    if (reply.kind === 'ready') return this.#expectAnswer()
    if (reply.id !== this.#question.id) return
    if (reply.kind === 'incumbent') this.#incumbent = reply
    if (reply.kind === 'outcome') this.#finish(reply, true)
    if (reply.kind === 'failed') this.give(`the solver failed: ${reply.because}`)
  }

  #onError = (error: Error): void => this.give(`the solver's thread broke: ${error.message}`)
  #onExit = (code: number): void => this.give(`the solver's thread ended with code ${code}`)

  #expectAnswer(): void {
    this.#expectWithin(this.#question.seconds + OVERRUN_SECONDS, 'the solver did not stop at the time limit')
  }

  #expectWithin(limit: number, because: string): void {
    clearTimeout(this.#timer)
    // setTimeout takes at most a 32-bit number of milliseconds; a longer limit is none.
    this.#timer = setTimeout(() => this.give(because), Math.min(limit * 1000, 2 ** 31 - 1))
  }

  #finish(told: Told, usable: boolean): void {
    clearTimeout(this.#timer)
    this.#worker.off('message', this.#hear)
    this.#worker.off('error', this.#onError)
    this.#worker.off('exit', this.#onExit)
    this.#end(told, usable)
  }
}
