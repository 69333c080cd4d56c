/** Questions that are out to another thread, by number: whoever asked waits until the answer names it. */
export class OpenQuestions<Answer> {
  readonly #waiting = new Map<number, PromiseWithResolvers<Answer>>()
  #asked = 0

  /** `send` is handed the number that the answer must name. Rejects with the reason of the signal. */
  ask(send: (number: number) => void, until?: Until): Promise<Answer> {
    until?.signal.throwIfAborted()
    const waiting = Promise.withResolvers<Answer>()
    this.#asked += 1
    const number = this.#asked
    this.#waiting.set(number, waiting)
    send(number)
    return until === undefined ? waiting.promise : this.#answeredUntil(waiting.promise, number, until)
  }

  async #answeredUntil(answer: Promise<Answer>, number: number, { signal, forget }: Until): Promise<Answer> {
    const quit = (): void => {
      this.#take(number)?.reject(signal.reason)
      forget(number)
    }
    signal.addEventListener('abort', quit, { once: true })
    return answer.finally(() => signal.removeEventListener('abort', quit))
  }

  answered(number: number, answer: Answer): void {
    this.#take(number)?.resolve(answer)
  }

  failed(number: number, error: Error): void {
    this.#take(number)?.reject(error)
  }

  /** Nobody will answer any more. */
  abandon(error: Error): void {
    for (const number of this.#waiting.keys()) this.failed(number, error)
  }

  #take(number: number): PromiseWithResolvers<Answer> | undefined {
    const waiting = this.#waiting.get(number)
    this.#waiting.delete(number)
    return waiting
  }
}

/** For how long somebody waits, and whom to tell when they no longer do. */
export type Until = { readonly signal: AbortSignal; readonly forget: (number: number) => void }
