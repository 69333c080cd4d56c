import { asError } from '@septet/domain/words'
import type { Instant } from '@septet/domain'
import { ApiError, NotKubernetesError, readApiError, StreamCutError, TooLargeError } from '../connect/api-error.ts'
import type { ApiClient, ApiQuery } from '../connect/api-client.ts'
import { createBackOff, type BackOff } from '../connect/back-off.ts'
import { listPages } from '../connect/list-pages.ts'
import type { FilledStore } from './object-store.ts'
import { pause, type ReaderTiming } from '../connect/timing.ts'
import { z } from 'zod'

/** One line of a watch. */
type WatchEvent =
  | { readonly kind: 'changed' | 'deleted'; readonly object: unknown; readonly resourceVersion: string | undefined }
  | { readonly kind: 'bookmark'; readonly resourceVersion: string | undefined }
  /** Arrives with HTTP 200, for instance as code 410: the resource version is too old. */
  | { readonly kind: 'error'; readonly status: unknown }
  | { readonly kind: 'unreadable' }

/** Never throws: a line that is not an event is `unreadable`. */
function readWatchEvent(line: string): WatchEvent {
  const event = EventSchema.safeParse(parse(line))
  if (!event.success) return { kind: 'unreadable' }
  const { type, object } = event.data
  if (type === 'ERROR') return { kind: 'error', status: object }
  const version = VersionSchema.safeParse(object)
  const resourceVersion = version.success ? version.data.metadata.resourceVersion : undefined
  if (type === 'BOOKMARK') return { kind: 'bookmark', resourceVersion }
  return { kind: type === 'DELETED' ? 'deleted' : 'changed', object, resourceVersion }
}

const EventSchema = z.object({
  type: z.enum(['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK', 'ERROR']),
  object: z.unknown(),
})
const VersionSchema = z.object({ metadata: z.object({ resourceVersion: z.string() }) })

function parse(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

/** A local copy of one resource, kept current by list and watch. */
export type Mirror = {
  /** Why it cannot be read now; undefined while all is well. */
  trouble(): Error | undefined
  synced(): boolean
  /** Resolves at the first full list, or when it is clear that there will be none soon: forbidden, absent, optional. */
  readonly settled: Promise<void>
  /** Breaks off a running watch, to begin another: the line is suspected dead. */
  cut(): void
  stop(): Promise<void>
}

export type MirrorOptions = {
  readonly client: ApiClient
  readonly path: string
  readonly query: ApiQuery
  /** Where the objects go. It outlives the mirror. */
  readonly store: FilledStore
  /** An optional resource that fails does not hold up the first sync. */
  readonly optional: boolean
  readonly timing: ReaderTiming
  readonly clock: () => Instant
  readonly random: () => number
  readonly onChange: () => void
  readonly onError: (error: unknown) => void
}

/** Starts at once and never gives up until `stop`; it waits longer after each failure in a row. */
export function openMirror(options: MirrorOptions): Mirror {
  const stopping = new AbortController()
  const { promise: settled, resolve: settle } = Promise.withResolvers<void>()
  const { timing, random } = options
  const loop: Loop = {
    options,
    backOff: createBackOff({ base: timing.backOffBase, cap: timing.backOffCap, random }),
    stopping: stopping.signal,
    watching: new AbortController(),
    resourceVersion: undefined,
    trouble: undefined,
    synced: false,
    settle,
  }
  const running = run(loop)
  return {
    trouble: () => loop.trouble,
    synced: () => loop.synced,
    settled,
    cut: () => loop.watching.abort(),
    async stop() {
      stopping.abort()
      loop.watching.abort()
      await running
      settle()
    },
  }
}

type Loop = {
  readonly options: MirrorOptions
  readonly backOff: BackOff
  readonly stopping: AbortSignal
  watching: AbortController
  /** Where the watch goes on; undefined when a full list is due. */
  resourceVersion: string | undefined
  trouble: Error | undefined
  synced: boolean
  readonly settle: () => void
}

async function run(loop: Loop): Promise<void> {
  while (!loop.stopping.aborted) {
    const delay = await turn(loop).then(
      () => loop.backOff.next(),
      (error: unknown) => afterFailure(loop, error),
    )
    await pause(delay, loop.stopping)
  }
}

async function turn(loop: Loop): Promise<void> {
  loop.resourceVersion ??= await relist(loop)
  await watch(loop)
}

async function relist(loop: Loop): Promise<string> {
  const { client, path, query } = loop.options
  const fill = loop.options.store.refill()
  const resourceVersion = await listPages({ client, path, query, signal: loop.stopping, onItem: fill.take })
  fill.done()
  loop.synced = true
  recovered(loop)
  loop.settle()
  loop.options.onChange()
  return resourceVersion
}

function recovered(loop: Loop): void {
  if (loop.trouble === undefined) return
  loop.trouble = undefined
  loop.options.onChange()
}

async function watch(loop: Loop): Promise<void> {
  const { client, path, query, clock, random, timing } = loop.options
  const began = clock()
  const errors: Error[] = []
  let events = 0
  loop.watching = new AbortController()
  const signal = AbortSignal.any([loop.stopping, loop.watching.signal])
  const stop = (error: Error): void => {
    errors.push(error)
    loop.watching.abort()
  }
  // The server ends each watch between 5 and 10 minutes, so that many watches do not all end together.
  const timeoutSeconds = String(Math.round(300 * (1 + random())))
  const watchQuery = { ...query, watch: 'true', allowWatchBookmarks: 'true', timeoutSeconds }
  try {
    await client.lines(path, {
      query: { ...watchQuery, resourceVersion: loop.resourceVersion ?? '' },
      signal,
      onOpen: () => recovered(loop),
      onLine: (line) => {
        if (errors.length > 0) return false
        const event = readWatchEvent(line)
        if (event.kind === 'unreadable' && events === 0) stop(notAnEvent())
        else apply(loop, event, stop)
        if (event.kind === 'unreadable') return false
        events += 1
        return true
      },
      onOversized: (bytes) => stop(new TooLargeError(bytes, `a watch event of ${bytes} bytes was not read`)),
    })
  } catch (error) {
    throw errors[0] ?? error
  } finally {
    if (clock() - began >= timing.steady) loop.backOff.reset()
  }
  if (errors[0] !== undefined) throw errors[0]
}

const notAnEvent = (): Error => new NotKubernetesError('the server answers a watch, but not as a Kubernetes API does')

function apply(loop: Loop, event: WatchEvent, stop: (error: Error) => void): void {
  switch (event.kind) {
    case 'error':
      return stop(readApiError(200, event.status))
    case 'unreadable':
      return stop(new StreamCutError('cut', 'a watch event is not whole'))
    case 'bookmark':
      break
    case 'changed':
      if (loop.options.store.put(event.object)) loop.options.onChange()
      break
    case 'deleted':
      if (loop.options.store.remove(event.object)) loop.options.onChange()
      break
  }
  loop.resourceVersion = event.resourceVersion ?? loop.resourceVersion
}

/** Decides what a failure means: list again, ask again later, or just go on. Returns the delay, milliseconds. */
function afterFailure(loop: Loop, error: unknown): number {
  if (loop.stopping.aborted) return 0
  const { timing, random, store, optional } = loop.options
  const { outdated, refused, absent, ordinary } = natureOf(error)
  if (outdated) loop.resourceVersion = undefined
  if (!ordinary || !loop.synced) suffer(loop, error)
  if (absent) store.clear()
  if (optional || refused) loop.settle()
  const rest = absent ? timing.retryAbsent : timing.retryForbidden
  return refused ? rest * (0.5 + random() / 2) : Math.max(loop.backOff.next(), askedDelay(error))
}

type Nature = {
  readonly outdated: boolean
  readonly refused: boolean
  readonly absent: boolean
  readonly ordinary: boolean
}

function natureOf(error: unknown): Nature {
  const status = error instanceof ApiError ? error.status : 0
  const refused = status === 403 || status === 404
  const expired = status === 410
  return {
    // Whoever answered instead of the server would go on answering the watch: a list tells.
    outdated: refused || expired || error instanceof TooLargeError || error instanceof NotKubernetesError,
    refused,
    absent: status === 404,
    // An outdated version or a stream that breaks off is an ordinary event: list again, or go on where it stopped.
    ordinary: expired || error instanceof StreamCutError,
  }
}

function suffer(loop: Loop, error: unknown): void {
  const before = loop.trouble?.message
  loop.trouble = asError(error)
  if (loop.trouble.message !== before) loop.options.onChange()
  loop.options.onError(error)
}

const askedDelay = (error: unknown): number => (error instanceof ApiError ? (error.retryAfter ?? 0) : 0)
