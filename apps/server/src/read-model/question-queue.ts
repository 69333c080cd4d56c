import { setImmediate as hearing } from 'node:timers/promises'

type Waiting = { readonly run: () => Promise<void> } & PromiseWithResolvers<void>

/**
 * Answers questions that take long one after the other, and listens in between: one that nobody waits for any more is not
 * begun.
 */
export class QuestionQueue {
  readonly #waiting = new Map<string, Waiting>()
  #isRunning = false

  /** Resolves once it was answered or forgotten. */
  add(key: string, run: () => Promise<void>): Promise<void> {
    const waiting = { run, ...Promise.withResolvers<void>() }
    this.#waiting.set(key, waiting)
    if (!this.#isRunning) void this.#run()
    return waiting.promise
  }

  /** What has begun goes on to its end, which is soon. */
  forget(key: string): void {
    this.#waiting.get(key)?.resolve()
    this.#waiting.delete(key)
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    for (;;) {
      await hearing()
      const [next] = this.#waiting
      if (next === undefined) break
      const [key, { run, resolve, reject }] = next
      this.#waiting.delete(key)
      await run().then(resolve, reject)
    }
    this.#isRunning = false
  }
}
