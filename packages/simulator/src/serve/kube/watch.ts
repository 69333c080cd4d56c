import type { JsonObject } from './json.ts'
import { textAt } from './json.ts'
import { groupVersionOf } from './kinds.ts'
import { selectionOf, wantsWhole } from './read.ts'
import { isTrue } from './request.ts'
import type { ApiRequest } from './request.ts'
import type { Selects } from './selectors.ts'
import { expired, failure } from './status.ts'
import type { Change } from './store.ts'
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
  const send = (event: WatchEvent): void => {
    if (!options.send(`${JSON.stringify(render(event))}\n`)) stop()
  }
  const tell = (change: Change): void => {
    const event = eventFor(change, selects)
    if (event !== undefined) send(event)
  }
  const bookmark = (initial: boolean): void => send({ type: 'BOOKMARK', object: bookmarkOf(api, request, initial) })
  let stopped = false
  const stops: (() => void)[] = []
  function stop(): void {
    if (stopped) return
    stopped = true
    for (const each of stops) each()
    options.end()
  }
  const from = query.get('resourceVersion') ?? ''
  const initial = isTrue(query, 'sendInitialEvents') && query.has('sendInitialEvents')
  if (from === '' || from === '0' || initial) {
    for (const entry of api.store.list(kind)) {
      const object = entry.read()
      if (selects(object)) send({ type: 'ADDED', object })
    }
    if (initial) bookmark(true)
  } else {
    const missed = Number.isInteger(Number(from)) ? api.store.changesAfter(kind, Number(from)) : undefined
    if (missed === undefined) {
      const message = `too old resource version: ${from} (${api.store.version()})`
      send({ type: 'ERROR', object: failure(expired(message)) })
      stop()
      return stop
    }
    for (const change of missed) tell(change)
  }
  stops.push(api.store.subscribe(kind, tell))
  const timeout = setTimeout(stop, Number(query.get('timeoutSeconds') ?? DEFAULT_TIMEOUT_S) * 1000)
  stops.push(() => clearTimeout(timeout))
  if (isTrue(query, 'allowWatchBookmarks') && query.has('allowWatchBookmarks')) {
    const timer = setInterval(() => bookmark(false), options.bookmarkMs)
    stops.push(() => clearInterval(timer))
  }
  return stop
}

/** An object that begins to match is added for this watcher, one that no longer does is deleted. */
function eventFor({ type, entry, previous }: Change, selects: Selects): WatchEvent | undefined {
  const object = entry.read()
  const is = type !== 'DELETED' && selects(object)
  const was = previous !== undefined && selects(previous.read())
  if (is) return { type: was ? 'MODIFIED' : 'ADDED', object }
  return was ? { type: 'DELETED', object } : undefined
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
  if (!wantsTable(request.accept)) return ({ type, object }) => ({ type, object })
  let head = true
  return ({ type, object }) => {
    if (type === 'ERROR') return { type, object }
    const version = textAt(object, 'metadata', 'resourceVersion')
    const rows = type === 'BOOKMARK' ? [] : [object]
    const table = tableOf(request.kind, rows, { now: api.now(), version, head, whole: wantsWhole(request) })
    head = false
    return { type, object: table }
  }
}
