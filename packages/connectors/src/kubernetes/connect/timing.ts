/** How long the reader waits for what, milliseconds. */
export type ReaderTiming = {
  /** First and longest delay between two tries. */
  readonly backOffBase: number
  readonly backOffCap: number
  /** An answer's first byte must come within this. */
  readonly response: number
  /** A body or a watch that hears nothing for this long is cut. Servers send a bookmark about once a minute. */
  readonly silence: number
  /** A watch that lived this long went well: the next failure starts again from the first delay. */
  readonly steady: number
  /** A resource that was forbidden is tried again after this: whoever grants it waits for it to appear. */
  readonly retryForbidden: number
  /** A resource that the server does not have is tried again after this. */
  readonly retryAbsent: number
  /**
   * With nothing heard for this long, the server is asked for its version, to notice early that it is gone. It is looked as
   * often: after twice as long at the latest it is asked.
   */
  readonly heartbeat: number
  /** Then its version must come within this. It costs a server nothing, so that one that is slow gives it at once. */
  readonly probe: number
  /** Which APIs exist is asked again after this. */
  readonly rediscover: number
  /** At most one notice of change in this time. */
  readonly debounce: number
  /** `start` gives up waiting for the first full sync after this; reading goes on. */
  readonly firstSync: number
}

export const DEFAULT_TIMING: ReaderTiming = {
  backOffBase: 500,
  backOffCap: 30_000,
  response: 30_000,
  silence: 150_000,
  steady: 5000,
  retryForbidden: 20_000,
  retryAbsent: 300_000,
  heartbeat: 8000,
  probe: 10_000,
  rediscover: 600_000,
  debounce: 250,
  firstSync: 60_000,
}

/** Resolves after `milliseconds`, or at once when the signal aborts; never rejects. */
export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, milliseconds)
    signal.addEventListener('abort', done)
  })
}
