import type { Access } from './kube/access.ts'

/** Requests of one sort, whether they were allowed or not. */
export type RecordedRequest = Access & {
  readonly user: string
  readonly dryRun: boolean
  readonly count: number
}

/** Distinct API requests with their numbers. */
export type RequestLog = {
  add(request: Omit<RecordedRequest, 'count'>): void
  /** In the order in which they first came. */
  all(): readonly RecordedRequest[]
}

// A demo that runs for weeks sees ever new names; nobody compares more than this.
const KEPT = 20_000

export function createRequestLog(): RequestLog {
  const found = new Map<string, RecordedRequest>()
  return {
    add: (request) => {
      const key = JSON.stringify(request)
      const count = (found.get(key)?.count ?? 0) + 1
      if (count > 1 || found.size < KEPT) found.set(key, { ...request, count })
    },
    all: () => [...found.values()],
  }
}
