import { textIn, withValue, type JsonObject } from './json.ts'
import { groupVersionOf } from './kinds.ts'
import { selectionOf, wantsWhole } from './read.ts'
import { asAsked, isAsked, type ApiRequest } from './request.ts'
import type { Selects } from './selectors.ts'
import { expired, failure } from './status.ts'
import type { StoreChange } from './store.ts'
import { tableOf, wantsTable } from './table.ts'
import type { Api } from './write.ts'

/** One line of a watch. */
type WatchEvent = {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR'
  readonly object: JsonObject
}

export type WatchOptions = {
  readonly bookmarkMs: number
  /** Sends a line; false when the client reads too slowly. */
  send(line: string): boolean
  end(): void
}

// The API server ends watches after 30 to 60 minutes when the client names no time.
const DEFAULT_TIMEOUT_S = 1800

/** Streams changes until the client leaves, the time is over or it lags too far. Returns what stops it. */
export function watch(api: Api, request: ApiRequest, options: WatchOptions): () => void {
  const { query, kind } = request
  const render = renderer(api, request)
  const selects = selectionOf(request)
  const stops: (() => void)[] = []
  let stopped = false
  const stop = (): void => {
    if (stopped) return
    stopped = true
    for (const each of stops) each()
    options.end()
  }
  const send = (event: WatchEvent): void => {
    if (!stopped && !options.send(`${JSON.stringify(render(event))}\n`)) stop()
  }
  const tell = (change: StoreChange): void => {
    const event = eventFor(change, selects)
    if (event !== undefined) send(event)
  }
  const first = beginning(api, request, selects)
  for (const event of first) send(event)
  if (first.at(-1)?.type === 'ERROR') stop()
  else {
    stops.push(api.store.subscribe(kind, tell))
    const timeout = setTimeout(stop, Number(query.get('timeoutSeconds') ?? DEFAULT_TIMEOUT_S) * 1000)
    stops.push(() => clearTimeout(timeout))
    if (isAsked(query, 'allowWatchBookmarks')) {
      const bookmark = (): void => send({ type: 'BOOKMARK', object: bookmarkOf(api, request, false) })
      const timer = setInterval(bookmark, options.bookmarkMs)
      stops.push(() => clearInterval(timer))
    }
  }
  return stop
}

/** What a watcher gets at once: all objects, what it missed, or that it missed too much. */
function beginning(api: Api, request: ApiRequest, selects: Selects): readonly WatchEvent[] {
  const from = request.query.get('resourceVersion') ?? ''
  const wanted = isAsked(request.query, 'sendInitialEvents')
  const initial = wanted || ((from === '' || from === '0') && request.query.get('sendInitialEvents') !== 'false')
  if (initial) {
    const objects = api.store.list(request.kind).map((entry) => entry.read())
    const added = objects.filter(selects).map((object) => ({ type: 'ADDED', object }) as const)
    // Their end is told to whoever takes bookmarks, asked for or not.
    const isTold = isAsked(request.query, 'allowWatchBookmarks')
    return isTold ? [...added, { type: 'BOOKMARK', object: bookmarkOf(api, request, true) }] : added
  }
  if (from === '' || from === '0') return []
  const missed = api.store.changesAfter(request.kind, Number(from))
  if (missed !== undefined) return missed.flatMap((change) => eventFor(change, selects) ?? [])
  const message = `too old resource version: ${from} (${api.store.version()})`
  return [{ type: 'ERROR', object: failure(expired(message)) }]
}

/** An object that begins to match is added for this watcher, one that no longer does is deleted. */
function eventFor({ type, entry, previous }: StoreChange, selects: Selects): WatchEvent | undefined {
  const object = entry.read()
  const is = type !== 'DELETED' && selects(object)
  const was = previous !== undefined && selects(previous.read())
  if (is) return { type: was ? 'MODIFIED' : 'ADDED', object }
  // As it was while it still matched, at the version that took it away.
  const gone = withValue(previous?.read() ?? object, ['metadata', 'resourceVersion'], String(entry.version))
  return was ? { type: 'DELETED', object: gone } : undefined
}

function bookmarkOf(api: Api, { kind }: ApiRequest, initial: boolean): JsonObject {
  const annotations = initial ? { annotations: { 'k8s.io/initial-events-end': 'true' } } : {}
  return {
    kind: kind.kind,
    apiVersion: groupVersionOf(kind),
    metadata: { resourceVersion: String(api.store.version()), creationTimestamp: null, ...annotations },
  }
}

function renderer(api: Api, request: ApiRequest): (event: WatchEvent) => JsonObject {
  if (!wantsTable(request.accept)) return ({ type, object }) => ({ type, object: asAsked(request, object) })
  let head = true
  return ({ type, object }) => {
    if (type === 'ERROR') return { type, object }
    const version = textIn(object, 'metadata', 'resourceVersion')
    const rows = type === 'BOOKMARK' ? [] : [object]
    const table = tableOf(request.kind, rows, { now: api.now(), version, head, whole: wantsWhole(request) })
    head = false
    return { type, object: table }
  }
}
