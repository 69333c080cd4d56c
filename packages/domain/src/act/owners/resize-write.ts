import { pointerKey } from '../../plan/documents/json-pointer.ts'
import type { GpuRequest } from '../../cluster/workload.ts'
import type { ClusterWrite, LiveObject, ObjectRef } from '../cluster-writer.ts'
import { asRead, listAt, textAt, valueAt } from '../live-object.ts'
import type { GpuAsk } from './gpu-asks.ts'

/** What containers asked for before, with the run that changed it, so that anyone can set it again as it was. */
const REQUESTS_BEFORE = 'septet.io/requests-before'

type Resize = {
  readonly run: string
  readonly isUndo: boolean
  readonly to: readonly GpuRequest[]
  /** What it asked for or asks for then. */
  readonly resources: ReadonlySet<string>
}

/**
 * Gives the containers of a live object's template other GPUs, and leaves all else as it is. Refused by the API server where
 * somebody changed the object meanwhile. The way back sets exactly what was written down, where it still is.
 */
export function resizeWrite(
  { object, live }: { readonly object: ObjectRef; readonly live: LiveObject },
  asks: readonly GpuAsk[],
  resize: Resize,
): ClusterWrite {
  const before = resize.isUndo ? beforeOf(live, resize.run) : undefined
  const note = valueAt(live, 'metadata', 'annotations')
  const remember: readonly Operation[] = resize.isUndo
    ? textAt(live, 'metadata', 'annotations', REQUESTS_BEFORE) === ''
      ? []
      : [{ op: 'remove', path: NOTE }]
    : [
        ...(note === undefined ? [{ op: 'add', path: '/metadata/annotations', value: {} }] : []),
        { op: 'add', path: NOTE, value: noteOf(asks, resize) },
      ]
  return {
    verb: 'patch',
    object,
    type: 'json',
    body: [
      // Whoever changed it since it was read keeps their change: the API server calls this a conflict.
      { op: 'replace', path: '/metadata/resourceVersion', value: asRead(live).resourceVersion },
      ...asks.flatMap((ask) => changesOf(ask, resize, before?.get(ask.path))),
      ...remember,
    ],
  }
}

type Operation = { readonly op: string; readonly path: string; readonly value?: unknown }
type Quantities = Readonly<Record<string, unknown>>
/** `requests` is left out where it was not written. */
type Asked = { readonly limits: Quantities; readonly requests?: Quantities }

function changesOf(ask: GpuAsk, resize: Resize, before: Asked | undefined): readonly Operation[] {
  const wanted = before ?? wantedOf(ask, resize)
  return [
    ...(ask.name === '' ? [] : [{ op: 'test', path: `${ask.path}/name`, value: ask.name }]),
    ...edits(`${ask.path}/resources/limits`, { from: ask.limits, to: wanted.limits }, resize.resources),
    ...(ask.requests === undefined
      ? []
      : edits(
          `${ask.path}/resources/requests`,
          { from: ask.requests, to: wanted.requests ?? wanted.limits },
          resize.resources,
        )),
  ]
}

/** What runs before the main container gets no more than it asked for. */
function wantedOf(ask: GpuAsk, { to, resources }: Resize): Asked {
  const has = [...resources].reduce((sum, resource) => sum + Number(ask.limits[resource] ?? 0), 0)
  const limits = Object.fromEntries(
    to.map(({ resource, count }) => [resource, String(ask.isMain ? count : Math.min(count, has))]),
  )
  return { limits, requests: limits }
}

const edits = (
  path: string,
  { from, to }: { readonly from: Quantities; readonly to: Quantities },
  resources: ReadonlySet<string>,
): readonly Operation[] =>
  [...resources].toSorted().flatMap((resource): Operation[] => {
    const place = `${path}/${pointerKey(resource)}`
    if (to[resource] !== undefined) return [{ op: 'add', path: place, value: to[resource] }]
    return from[resource] === undefined ? [] : [{ op: 'remove', path: place }]
  })

const NOTE = `/metadata/annotations/${pointerKey(REQUESTS_BEFORE)}`

const noteOf = (asks: readonly GpuAsk[], { run, resources }: Resize): string =>
  JSON.stringify({
    run,
    containers: asks.map(({ path, limits, requests }) => ({
      path,
      limits: among(limits, resources),
      ...(requests === undefined ? {} : { requests: among(requests, resources) }),
    })),
  })

const among = (quantities: Quantities, resources: ReadonlySet<string>): Quantities =>
  Object.fromEntries(Object.entries(quantities).filter(([resource]) => resources.has(resource)))

/** What that run wrote down, by container; undefined where it is gone or of another run. */
function beforeOf(live: LiveObject, run: string): ReadonlyMap<string, Asked> | undefined {
  const note = parsed(textAt(live, 'metadata', 'annotations', REQUESTS_BEFORE))
  if (textAt(note, 'run') !== run) return undefined
  return new Map(
    listAt(note, 'containers').map((container) => [
      textAt(container, 'path'),
      { limits: recordAt(container, 'limits') ?? {}, requests: recordAt(container, 'requests') ?? {} },
    ]),
  )
}

function recordAt(object: unknown, key: string): Quantities | undefined {
  const found = valueAt(object, key)
  return typeof found === 'object' && found !== null ? { ...found } : undefined
}

/** Anyone may have written it. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
