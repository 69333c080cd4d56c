import { instant, type Instant } from '@septet/domain'
import { errorText } from '@septet/domain/words'

/** What runs by itself, in a pipeline or beside them. */
export const LOOP_NAMES = [
  'collect',
  'store',
  'upkeep',
  'settle',
  'months',
  'retention',
  'recommend',
  'backfill',
  'read-model',
  'savings',
  'actor',
  'follow',
  'alerts',
  'alert-retention',
  'notifications',
  'action-notices',
  'reports',
  'admission-records',
  'clusters',
  'leads',
  'database',
] as const
export type LoopName = (typeof LOOP_NAMES)[number]

/** How the runs of something have gone since it began. */
export type RunState = {
  readonly since: Instant
  readonly okAt: Instant | undefined
  readonly failedAt: Instant | undefined
  /** What the last failure said; undefined before the first. */
  readonly because: string | undefined
  /** Failures in a row, and all of them. */
  readonly failures: number
  readonly failed: number
  /** When it turned from good to bad or back; `since` before that. */
  readonly turnedAt: Instant
  /** Of the last run that ended. */
  readonly tookMs: number | undefined
  /** When the run began that is going on; undefined between runs. */
  readonly runningSince: Instant | undefined
}

export type LoopState = RunState & {
  readonly name: LoopName
  /** Undefined: it runs when there is something to do. */
  readonly everyMs: number | undefined
}

/** A loop beside the pipelines; `cluster`: it is about that one alone. */
export type ServerLoop = LoopState & { readonly cluster?: string }

/** Keeps how the runs of one thing go. */
export class RunRecord {
  #state: RunState

  constructor() {
    const none = { okAt: undefined, failedAt: undefined, because: undefined, tookMs: undefined }
    const since = now()
    this.#state = { since, turnedAt: since, ...none, failures: 0, failed: 0, runningSince: undefined }
  }

  state(): RunState {
    return this.#state
  }

  /** Runs it once and keeps how that went. Throws what it throws. */
  async run<Result>(turn: () => Promise<Result>): Promise<Result> {
    const started = performance.now()
    const end = (went: Partial<RunState>): void => {
      const tookMs = Math.round(performance.now() - started)
      const turned = this.#state.failures > 0 !== (went.failures ?? 0) > 0
      const turnedAt = turned ? now() : this.#state.turnedAt
      this.#state = { ...this.#state, ...went, turnedAt, tookMs, runningSince: undefined }
    }
    this.#state = { ...this.#state, runningSince: now() }
    try {
      const result = await turn()
      end({ okAt: now(), failures: 0 })
      return result
    } catch (error) {
      const { failures, failed } = this.#state
      end({ failedAt: now(), because: errorText(error), failures: failures + 1, failed: failed + 1 })
      throw error
    }
  }
}

/** Keeps how the turns of a loop go. */
export class LoopRecord extends RunRecord {
  readonly #named: Pick<LoopState, 'name' | 'everyMs'>

  constructor(name: LoopName, everyMs?: number) {
    super()
    this.#named = { name, everyMs }
  }

  override state(): LoopState {
    return { ...this.#named, ...super.state() }
  }
}

const now = (): Instant => instant(Date.now())

export type Repeating = {
  state(): LoopState
  /** Stops after the turn that is going on. */
  stop(): Promise<void>
}

type RepeatOptions = {
  readonly name: LoopName
  readonly everyMs: number
  /** Before the first turn; at once when left out. */
  readonly startMs?: number
  readonly onError: (error: unknown) => void
}

/** Runs one turn after the other, never two at a time; a turn that took too long is followed at once by the next. */
export function repeat(turn: () => Promise<void>, { name, everyMs, startMs = 0, onError }: RepeatOptions): Repeating {
  const record = new LoopRecord(name, everyMs)
  let stopped = false
  let running = Promise.resolve()
  let timer = setTimeout(run, startMs)
  function run(): void {
    running = once()
  }
  async function once(): Promise<void> {
    const started = performance.now()
    await record.run(turn).catch(onError)
    if (!stopped) timer = setTimeout(run, Math.max(0, everyMs - (performance.now() - started)))
  }
  return {
    state: () => record.state(),
    stop: async () => {
      stopped = true
      clearTimeout(timer)
      await running
    },
  }
}
