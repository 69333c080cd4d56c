/** Tells listeners that something changed, not more often than they can follow. */
export type Notices = {
  readonly listen: (listener: () => void) => void
  /** Something has changed: a notice follows within `every` milliseconds. */
  readonly changed: () => void
  /** Moves with each change, so that what was computed before can be told from what is current. */
  version(): number
  close(): void
}

/** `before` runs ahead of each notice, and the notice waits for it. */
export function openNotices(options: { readonly every: number; readonly before: () => Promise<void> }): Notices {
  const listeners: (() => void)[] = []
  let version = 0
  let told = 0
  let timer: NodeJS.Timeout | undefined
  let closed = false

  const tell = async (): Promise<void> => {
    await options.before()
    told = version
    if (!closed) for (const listener of listeners) listener()
  }
  const schedule = (): void => {
    if (closed || timer !== undefined) return
    timer = setTimeout(() => {
      // `before` does not throw, and a listener that does must not stop the others' notices.
      tell()
        .catch(() => undefined)
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
