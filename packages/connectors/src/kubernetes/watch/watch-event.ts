import { z } from 'zod'

/** One line of a watch. */
export type WatchEvent =
  | { readonly kind: 'changed' | 'deleted'; readonly object: unknown; readonly resourceVersion: string | undefined }
  | { readonly kind: 'bookmark'; readonly resourceVersion: string | undefined }
  /** Arrives with HTTP 200, for instance as code 410: the resource version is too old. */
  | { readonly kind: 'error'; readonly status: unknown }
  | { readonly kind: 'unreadable' }

/** Never throws: a line that is no event is `unreadable`. */
export function readWatchEvent(line: string): WatchEvent {
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
