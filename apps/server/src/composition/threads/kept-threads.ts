import { parentPort, Worker } from 'node:worker_threads'

import { errorOf, failureOf, type Failure } from '../../read-model/questions.ts'
import type { ThreadProgram } from './run-in-thread.ts'

/** Why there is no answer: the thread took too long or too much, too many wait, or it is over. */
export class ThreadsError extends Error {
  override readonly name = 'ThreadsError'
  readonly kind: 'ended' | 'full' | 'stopped'
  constructor(kind: ThreadsError['kind'], cause?: unknown) {
    super(`${kind}: ${String(cause)}`, { cause })
    this.kind = kind
  }
}

type Options = Omit<ThreadProgram, 'limit'> & {
  /** How long one answer may take; then its thread is ended, and the next question gets another. */
  readonly milliseconds: number
  readonly threads: number
  /** Questions that may wait for a thread. */
  readonly waiting: number
  /** How long a thread stays without a question, milliseconds. */
  readonly idleMs: number
}

type Asked = PromiseWithResolvers<unknown> & { readonly question: unknown }
type Thread = {
  readonly worker: Worker
  isReady: boolean
  asked: Asked | undefined
  timer: NodeJS.Timeout | undefined
  died: unknown
}

type Told =
  | { readonly kind: 'ready' }
  | { readonly kind: 'answer'; readonly answer: unknown }
  | { readonly kind: 'failed'; readonly failure: Failure }

/** Of a heap for what lives as long as one question. */
const YOUNG_MIB = 8

/**
 * A few threads that stay for the next question, for answers that take less than starting a thread does. What nobody can
 * vouch for is read in them: it holds up only those who ask the same.
 */
export class KeptThreads {
  readonly #options: Options
  readonly #threads = new Set<Thread>()
  readonly #queue: Asked[] = []
  #stopped = false

  constructor(options: Options) {
    this.#options = options
  }

  /** Rejects with what the program threw, or with a `ThreadsError`. */
  ask(question: unknown): Promise<unknown> {
    if (this.#stopped) return Promise.reject(new ThreadsError('stopped'))
    if (this.#queue.length >= this.#options.waiting) return Promise.reject(new ThreadsError('full'))
    const asked = { ...Promise.withResolvers<unknown>(), question }
    this.#queue.push(asked)
    this.#next()
    return asked.promise
  }

  /** Ends all of them at once; what they are asked, and are asked later, is rejected. */
  stop(): void {
    this.#stopped = true
    this.#refuseAll('stopped')
    for (const { worker } of this.#threads) void worker.terminate()
  }

  #refuseAll(kind: ThreadsError['kind'], cause?: unknown): void {
    for (const asked of this.#queue.splice(0)) asked.reject(new ThreadsError(kind, cause))
  }

  /** Gives what waits to the threads that are free, and starts one more where there may be more, one at a time. */
  #next(): void {
    const threads = [...this.#threads]
    for (const thread of threads.filter(({ isReady, asked }) => isReady && asked === undefined)) {
      const asked = this.#queue.shift()
      if (asked !== undefined) this.#give(thread, asked)
    }
    const mayStart = threads.length < this.#options.threads && threads.every(({ isReady }) => isReady)
    if (this.#queue.length > 0 && mayStart) this.#start()
  }

  #give(thread: Thread, asked: Asked): void {
    const { worker } = thread
    const { milliseconds } = this.#options
    thread.asked = asked
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
    worker.postMessage(asked.question)
    clearTimeout(thread.timer)
    thread.timer = setTimeout(() => {
      thread.died = `it took longer than ${milliseconds} ms`
      void worker.terminate()
    }, milliseconds).unref()
  }

  #start(): void {
    const { code, name, heapMib } = this.#options
    const worker = new Worker(code, {
      name,
      resourceLimits: { maxOldGenerationSizeMb: heapMib, maxYoungGenerationSizeMb: YOUNG_MIB },
    })
    const thread: Thread = { worker, isReady: false, asked: undefined, timer: undefined, died: undefined }
    this.#threads.add(thread)
    worker.unref()
    worker.on('message', (told: Told) => this.#heard(thread, told))
    worker.once('error', (error) => (thread.died = error))
    worker.once('exit', () => this.#ended(thread))
  }

  #heard(thread: Thread, told: Told): void {
    if (told.kind === 'answer') thread.asked?.resolve(told.answer)
    if (told.kind === 'failed') thread.asked?.reject(errorOf(told.failure))
    thread.isReady = true
    thread.asked = undefined
    clearTimeout(thread.timer)
    thread.timer = setTimeout(() => void thread.worker.terminate(), this.#options.idleMs).unref()
    this.#next()
  }

  #ended(thread: Thread): void {
    clearTimeout(thread.timer)
    this.#threads.delete(thread)
    thread.asked?.reject(new ThreadsError(this.#stopped ? 'stopped' : 'ended', thread.died))
    // One that cannot even start is not tried again and again.
    if (!thread.isReady) this.#refuseAll('full', thread.died)
    this.#next()
  }
}

/** The other side: answers one question after the other. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- what its program is asked
export function answerQuestions<Question>(answer: (question: Question) => unknown): void {
  if (parentPort === null) return
  const port = parentPort
  const tell = (told: Told): void => port.postMessage(told)
  port.on('message', (question: Question) => {
    try {
      tell({ kind: 'answer', answer: answer(question) })
    } catch (error) {
      tell({ kind: 'failed', failure: failureOf(error) })
    }
  })
  tell({ kind: 'ready' })
}
