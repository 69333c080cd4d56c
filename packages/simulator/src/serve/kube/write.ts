import { mix, suffix, uuidOf } from '../../model/hash.ts'
import { isObject, numberIn, objectAt, same, textIn, withValue, type Json, type JsonObject } from './json.ts'
import { groupVersionOf, type Kind } from './kinds.ts'
import { applied, updated, type Writer } from './managed-fields.ts'
import { jsonPatch, mergePatch, strategicPatch } from './patch.ts'
import { isDryRun, isTrueParameter, managerOf, type ApiRequest } from './request.ts'
import { Refused, alreadyExists, badRequest, conflictOf, modified, notFound, success } from './status.ts'
import { keyOf, type KubeStore } from './store.ts'
import { bodyOf, validate, withPodDefaults } from './validate.ts'

/** What the cluster does about writes. */
export type Hooks = {
  /** Completes an object before it is kept. */
  admit(kind: Kind, object: JsonObject, before: JsonObject | undefined): JsonObject
  /** Throws where an object must not be made. */
  permit(kind: Kind, object: JsonObject): void
  written(kind: Kind, object: JsonObject, before: JsonObject | undefined): void
  /** Somebody evicts or deletes a pod. */
  taken(how: 'evicted' | 'deleted', pod: JsonObject): void
  /** True when the cluster takes the object away by itself a little later, as a kubelet does with pods. */
  removesLater(kind: Kind, object: JsonObject): boolean
}

export type Api = {
  readonly store: KubeStore
  readonly hooks: Hooks
  readonly seed: number
  /** Milliseconds since 1970 by the demo's clock. */
  now(): number
}

export type Reply = { readonly code: number; readonly body: JsonObject }

/** The API server's way to write an instant. */
export const kubeTime = (at: number): string => `${new Date(Math.floor(at / 1000) * 1000).toISOString().slice(0, 19)}Z`

/** A condition of a status, true since an instant or false since then. */
export const conditionAt = (at: number, condition: JsonObject): JsonObject => ({
  ...condition,
  lastTransitionTime: kubeTime(at),
})

export function create(api: Api, request: ApiRequest): Reply {
  const { kind } = request
  const body = bodyOf(kind, request.body)
  const generated = textIn(body, 'metadata', 'generateName')
  const seed = mix(api.seed, api.store.version())
  const name = textIn(body, 'metadata', 'name') || (generated === '' ? '' : generated + suffix(seed, 5))
  const object = complete(api, request, { object: withValue(body, ['metadata', 'name'], name), before: undefined })
  validate(kind, object)
  api.hooks.permit(kind, object)
  if (api.store.get(kind, keyOf(request.namespace, name)) !== undefined) throw alreadyExists(kind, name)
  return { code: 201, body: keep(api, request, { object, before: undefined }) }
}

export function update(api: Api, request: ApiRequest): Reply {
  const { kind } = request
  const before = liveObject(api, request)
  const body = bodyOf(kind, request.body)
  const version = textIn(body, 'metadata', 'resourceVersion')
  if (version !== '' && version !== textIn(before, 'metadata', 'resourceVersion'))
    throw modified(kind, request.name ?? '')
  return { code: 200, body: replace(api, request, { before, after: body }) }
}

export function patch(api: Api, request: ApiRequest): Reply {
  if (request.contentType === APPLY) return apply(api, request)
  const before = liveObject(api, request)
  return { code: 200, body: replace(api, request, { before, after: patched(request, before) }) }
}

/** An object with the request's patch; throws where the patch is about another version of it. */
export function patched(request: ApiRequest, before: JsonObject): JsonObject {
  const after = PATCHES[request.contentType]?.(before, request.body)
  if (after === undefined) {
    const message = `the body of the request was in an unknown format - accepted media types include: ${[...Object.keys(PATCHES), APPLY].join(', ')}`
    throw new Refused(415, 'UnsupportedMediaType', { message })
  }
  if (!isObject(after)) throw badRequest('the patched value is not an object')
  const version = textIn(after, 'metadata', 'resourceVersion')
  if (version !== textIn(before, 'metadata', 'resourceVersion')) throw modified(request.kind, request.name ?? '')
  return after
}

/** The media type of server-side apply. */
export const APPLY = 'application/apply-patch+yaml'

const PATCHES: Readonly<Record<string, (target: JsonObject, body: Json) => Json>> = {
  'application/json-patch+json': jsonPatch,
  'application/merge-patch+json': mergePatch,
  'application/strategic-merge-patch+json': (target, body) => strategicPatch(target, body),
}

function apply(api: Api, request: ApiRequest): Reply {
  const { kind, name = '' } = request
  if (!request.query.has('fieldManager')) {
    throw new Refused(400, 'BadRequest', {
      message: 'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch',
    })
  }
  const body = bodyOf(kind, request.body)
  const live = api.store.get(kind, keyOf(request.namespace, name))?.read()
  const writer = writerOf(api, request, 'Apply')
  const merged = applied(live, body, { writer, force: isTrueParameter(request.query, 'force') })
  const object = complete(api, request, { object: withValue(merged, ['metadata', 'name'], name), before: live })
  validate(kind, object)
  if (live !== undefined && sameButTimes(live, object)) return { code: 200, body: live }
  return { code: live === undefined ? 201 : 200, body: keep(api, request, { object, before: live }) }
}

/** Deletes at once, or lets the cluster do it a little later. */
export function remove(api: Api, request: ApiRequest): Reply {
  const { kind } = request
  const object = liveObject(api, request)
  holdsPreconditions(kind, object, objectAt(request.body, 'preconditions'))
  if (isDryRun(request)) return { code: 200, body: kind.kind === 'Pod' ? object : removed(kind, object) }
  if (kind.kind === 'Pod') api.hooks.taken('deleted', object)
  return removeObject(api, { kind, object, grace: graceOf(request, object) })
}

/** Throws when the object is not the one that is meant, or no longer as it was. */
export function holdsPreconditions(kind: Kind, object: JsonObject, wanted: JsonObject): void {
  for (const [field, words] of PRECONDITIONS) {
    const [meant, found] = [textIn(wanted, field), textIn(object, 'metadata', field)]
    if (meant !== '' && meant !== found) {
      const why = `Precondition failed: ${words} in precondition: ${meant}, ${words} in object meta: ${found}`
      throw conflictOf(kind, textIn(object, 'metadata', 'name'), why)
    }
  }
}
const PRECONDITIONS = [
  ['uid', 'UID'],
  ['resourceVersion', 'ResourceVersion'],
] as const

function graceOf(request: ApiRequest, object: JsonObject): number {
  const { query, body, hasBody } = request
  const asked = hasBody ? numberIn(body, 'gracePeriodSeconds') : query.get('gracePeriodSeconds')
  return Number(asked ?? numberIn(object, 'spec', 'terminationGracePeriodSeconds') ?? 30)
}

export function removeObject(api: Api, of: { kind: Kind; object: JsonObject; grace: number }): Reply {
  const { kind, object } = of
  const key = keyOf(textIn(object, 'metadata', 'namespace') || undefined, textIn(object, 'metadata', 'name'))
  if (of.grace > 0 && api.hooks.removesLater(kind, object)) {
    if (textIn(object, 'metadata', 'deletionTimestamp') !== '') return { code: 200, body: object }
    const leaving = {
      ...object,
      metadata: {
        ...objectAt(object, 'metadata'),
        deletionTimestamp: kubeTime(api.now() + of.grace * 1000),
        deletionGracePeriodSeconds: of.grace,
      },
    }
    const entry = api.store.put(kind, key, () => leaving)
    api.hooks.written(kind, entry.read(), object)
    return { code: 200, body: entry.read() }
  }
  const entry = api.store.remove(kind, key)
  api.hooks.written(
    kind,
    { ...object, metadata: { ...objectAt(object, 'metadata'), deletionTimestamp: kubeTime(api.now()) } },
    object,
  )
  return { code: 200, body: kind.kind === 'Pod' ? (entry?.read() ?? object) : removed(kind, object) }
}

/** The answer for most kinds; a dry run's is the same. */
const removed = (kind: Kind, object: JsonObject): JsonObject =>
  success(200, {
    name: textIn(object, 'metadata', 'name'),
    kind: kind.plural,
    uid: textIn(object, 'metadata', 'uid'),
  })

/** The object a request names; throws when there is none. */
export function liveObject(api: Api, { kind, namespace, name = '' }: ApiRequest): JsonObject {
  const entry = api.store.get(kind, keyOf(namespace, name))
  if (entry === undefined) throw notFound(kind, name)
  return entry.read()
}

type Pair = { readonly before: JsonObject; readonly after: JsonObject }

/** Keeps what an object has become, as far as the request may write it. */
export function replace(api: Api, request: ApiRequest, { before, after }: Pair): JsonObject {
  // A write to the status touches nothing else, and a write to the object does not touch the status.
  const scoped =
    request.subresource === 'status'
      ? withValue(before, ['status'], after['status'])
      : withValue(after, ['status'], before['status'])
  const completed = complete(api, request, { object: scoped, before })
  const owned = updated(before, completed, writerOf(api, request, 'Update'))
  if (sameButTimes(before, owned)) return before
  validate(request.kind, owned)
  return keep(api, request, { object: owned, before })
}

const comparable = (object: JsonObject): JsonObject =>
  withValue(withValue(object, ['metadata', 'managedFields'], undefined), ['metadata', 'resourceVersion'], undefined)
const sameButTimes = (a: JsonObject, b: JsonObject): boolean =>
  same(comparable(a), comparable(b)) && same(ownership(a), ownership(b))
const ownership = (object: JsonObject): Json => {
  const entries = object['metadata']
  const list = isObject(entries) ? entries['managedFields'] : undefined
  return Array.isArray(list) ? list.map((entry: Json) => withValue(objectAt(entry), ['time'], undefined)) : []
}

const writerOf = (api: Api, request: ApiRequest, operation: Writer['operation']): Writer => ({
  manager: managerOf(request),
  operation,
  subresource: request.subresource,
  time: kubeTime(api.now()),
})

/** Fills in what the server decides. */
function complete(
  api: Api,
  request: ApiRequest,
  of: { object: JsonObject; before: JsonObject | undefined },
): JsonObject {
  const { kind, namespace } = request
  const { before } = of
  const server =
    before === undefined
      ? {
          ...(namespace === undefined ? {} : { namespace }),
          uid: uuidOf(mix(api.seed, api.store.version() ^ 0x7a11)),
          creationTimestamp: kubeTime(api.now()),
        }
      : Object.fromEntries(FIXED.flatMap((key) => fixed(before, key)))
  const object: JsonObject = {
    ...of.object,
    kind: kind.kind,
    apiVersion: groupVersionOf(kind),
    metadata: { ...objectAt(of.object, 'metadata'), ...server },
  }
  const defaulted = kind.kind === 'Pod' ? withPodDefaults(object) : object
  const admitted = api.hooks.admit(kind, defaulted, before)
  return before === undefined ? updatedIfNew(api, request, admitted) : withGeneration(before, admitted)
}
const FIXED = ['name', 'namespace', 'uid', 'creationTimestamp', 'generation'] as const
const fixed = (before: JsonObject, key: string): [string, Json][] => {
  const value = objectAt(before, 'metadata')[key]
  return value === undefined ? [] : [[key, value]]
}

const updatedIfNew = (api: Api, request: ApiRequest, object: JsonObject): JsonObject =>
  request.verb === 'create' ? updated(undefined, object, writerOf(api, request, 'Update')) : object

/** An object that was changed, with the next generation where what is wanted has. */
export function withGeneration(before: JsonObject, object: JsonObject): JsonObject {
  const generation = numberIn(before, 'metadata', 'generation')
  if (generation === undefined || same(before['spec'], object['spec'])) return object
  return withValue(object, ['metadata', 'generation'], generation + 1)
}

function keep(api: Api, request: ApiRequest, of: { object: JsonObject; before: JsonObject | undefined }): JsonObject {
  if (isDryRun(request)) return of.object
  const name = textIn(of.object, 'metadata', 'name')
  const entry = api.store.put(request.kind, keyOf(request.namespace, name), () => of.object)
  const kept = entry.read()
  api.hooks.written(request.kind, kept, of.before)
  return kept
}
