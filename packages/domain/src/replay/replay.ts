import { LeaveQueue } from './leave-queue.ts'

/** Follows a replay on a fleet of its own, and keeps a score. */
export type ScoreKeeper<Lasting> = {
  /** Time goes by to this moment, with no change before it. */
  pass?(to: number): void
  /** What is recorded under this number comes: work that arrives, or an hour that is over. */
  came?(entry: number, now: number): void
  /** What began in the replay ends, all that ends at this moment. */
  ended?(lasting: readonly Lasting[]): void
  /** The replay is at its end. */
  over?(): void
}

/** What is replayed: when each entry of the record comes, first to last (none any more: undefined), and the end. */
type Recorded = { readonly comesAt: (entry: number) => number | undefined; readonly until: number }

/** A record again, from event to event. Of what happens at one moment the ends come first. */
export class Replay<Lasting extends { readonly at: number } = never> {
  readonly #recorded: Recorded
  readonly #keeper: ScoreKeeper<Lasting>
  readonly #lasting = new LeaveQueue<Lasting>()
  #next = 0

  constructor(recorded: Recorded, keeper: ScoreKeeper<Lasting>) {
    this.#recorded = recorded
    this.#keeper = keeper
  }

  /** What ends by itself, if the replay lasts as long. */
  willEnd(lasting: Lasting): void {
    if (lasting.at <= this.#recorded.until) this.#lasting.add(lasting)
  }

  /** Goes on by at most so many events; false when it has ended. */
  advance(events = Infinity): boolean {
    const { comesAt, until } = this.#recorded
    for (let event = 0; event < events; event += 1) {
      const comes = comesAt(this.#next) ?? Infinity
      const first = this.#lasting.until(Math.min(comes, until))
      if (first !== undefined) this.#end(first)
      else if (comes <= until) {
        this.#keeper.pass?.(comes)
        this.#next += 1
        this.#keeper.came?.(this.#next - 1, comes)
      } else {
        this.#keeper.pass?.(until)
        this.#keeper.over?.()
        return false
      }
    }
    return true
  }

  #end(first: Lasting): void {
    const { at } = first
    this.#keeper.pass?.(at)
    const ended = [first]
    for (let also = this.#lasting.until(at); also !== undefined; also = this.#lasting.until(at)) ended.push(also)
    this.#keeper.ended?.(ended)
  }
}
