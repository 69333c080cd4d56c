/** Questions that are out to another thread, by number: whoever asked waits until the answer names it. */
export class OpenQuestions<Answer> {
  readonly #waiting = new Map<number, PromiseWithResolvers<Answer>>()
  #asked = 0

  /** `send` is handed the number that the answer must name. */
  ask(send: (number: number) => void): Promise<Answer> {
    const waiting = Promise.withResolvers<Answer>()
    this.#asked += 1
    this.#waiting.set(this.#asked, waiting)
    send(this.#asked)
    return waiting.promise
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
