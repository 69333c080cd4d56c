export type Repeating = {
  /** Stops after the turn that is going on. */
  stop(): Promise<void>
}

type RepeatOptions = {
  readonly everyMs: number
  /** Before the first turn; at once when left out. */
  readonly startMs?: number
  readonly onError: (error: unknown) => void
}

/** Runs one turn after the other, never two at a time; a turn that took too long is followed at once by the next. */
export function repeat(turn: () => Promise<void>, { everyMs, startMs = 0, onError }: RepeatOptions): Repeating {
  let stopped = false
  let running = Promise.resolve()
  let timer = setTimeout(run, startMs)
  function run(): void {
    running = once()
  }
  async function once(): Promise<void> {
    const started = performance.now()
    await turn().catch(onError)
    if (!stopped) timer = setTimeout(run, Math.max(0, everyMs - (performance.now() - started)))
  }
  return {
    stop: async () => {
      stopped = true
      clearTimeout(timer)
      await running
    },
  }
}
