/** Tells listeners that something changed, not more often than they can follow. */
export type Notices = {
  readonly listen: (listener: () => void) => void
  /** Something has changed: a notice follows within `every` milliseconds. */
  readonly changed: () => void
  /** Moves with each change, so that what was computed before can be told from what is current. */
  version(): number
  close(): void
}

/** `before` runs ahead of each notice, and the notice waits for it. A listener that throws does not cost the others theirs. */
export function openNotices(options: {
  readonly every: number
  readonly before: () => Promise<void>
  readonly onError: (error: unknown) => void
}): Notices {
  const listeners: (() => void)[] = []
  let version = 0
  let told = 0
  let timer: NodeJS.Timeout | undefined
  let closed = false

  const tell = async (): Promise<void> => {
    await options.before()
    told = version
    for (const listener of closed ? [] : listeners) attempt(listener, options.onError)
  }
  const schedule = (): void => {
    if (closed || timer !== undefined) return
    timer = setTimeout(() => {
      tell()
        .catch(options.onError)
        .finally(() => {
          timer = undefined
          if (told !== version) schedule()
        })
    }, options.every)
  }
  return {
    listen: (listener) => {
      listeners.push(listener)
    },
    changed() {
      version += 1
      schedule()
    },
    version: () => version,
    close() {
      closed = true
      clearTimeout(timer)
    },
  }
}

function attempt(listener: () => void, onError: (error: unknown) => void): void {
  try {
    listener()
  } catch (error) {
    onError(error)
  }
}
