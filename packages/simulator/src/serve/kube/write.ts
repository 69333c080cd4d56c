import { mix, suffix, uuidOf } from '../../model/hash.ts'
import { isObject, listIn, numberIn, objectAt, same, textIn, withValue, type Json, type JsonObject } from './json.ts'
import { groupVersionOf, isCustom, type Kind } from './kinds.ts'
import { updated, type Writer } from './managed-fields.ts'
import { jsonPatch, mergePatch, strategicPatch } from './patch.ts'
import { isDryRun, managerOf, type ApiRequest } from './request.ts'
import {
  Refused,
  alreadyExists,
  badRequest,
  conflictOf,
  invalid,
  modified,
  notFound,
  notServed,
  success,
} from './status.ts'
import { keyOf, type KubeStore } from './store.ts'
import { askPolicies, checkPolicy } from './policies.ts'
import { bodyOf, validate, withDefaults } from './validate.ts'

/** What the cluster does about writes. */
export type Hooks = {
  /** Completes an object before it is kept. */
  admit(kind: Kind, object: JsonObject, before: JsonObject | undefined): JsonObject
  /** What controllers make of it at once, of which no policy is asked. */
  settle(kind: Kind, object: JsonObject, before: JsonObject | undefined): JsonObject
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
  const within = textIn(body, 'metadata', 'namespace')
  if (textIn(body, 'metadata', 'resourceVersion') !== '') {
    throw new Refused(500, '', { message: 'resourceVersion should not be set on objects to be created' })
  }
  if (within !== '' && request.namespace !== undefined && within !== request.namespace)
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request')
  const generated = textIn(body, 'metadata', 'generateName')
  const seed = mix(api.seed, api.store.version())
  const name = textIn(body, 'metadata', 'name') || (generated === '' ? '' : generated + suffix(seed, 5))
  const object = complete(api, request, { object: withValue(body, ['metadata', 'name'], name), before: undefined })
  validate(kind, object)
  checkPolicy(kind, object)
  askPolicies(api.store, request, { object, oldObject: undefined })
  api.hooks.permit(kind, object)
  if (api.store.get(kind, keyOf(request.namespace, name)) !== undefined) throw alreadyExists(kind, name)
  return { code: 201, body: keep(api, request, { object, before: undefined }) }
}

export function patch(api: Api, request: ApiRequest): Reply {
  patchOf(request)
  const before = liveObject(api, request)
  return { code: 200, body: replace(api, request, { before, after: patched(request, before) }) }
}

/** An object with the request's patch; throws where the patch is about another object, or another version of it. */
export function patched(request: ApiRequest, before: JsonObject): JsonObject {
  const after = patchOf(request)(before, request.body)
  if (!isObject(after)) throw badRequest('the patched value is not an object')
  if (textIn(after, 'metadata', 'name') !== request.name)
    throw badRequest('the name does not match the name on the URL')
  meansThis(request, after, before)
  return after
}

function patchOf({ contentType, kind }: ApiRequest) {
  const run = contentType.includes('strategic') && isCustom(kind) ? undefined : PATCHES[contentType]
  if (run !== undefined) return run
  const message = `the body of the request was in an unknown format - accepted media types include: ${Object.keys(PATCHES).join(', ')}`
  throw new Refused(415, 'UnsupportedMediaType', { message })
}

/** Throws where what is written names another version than there is, or another uid. */
function meansThis({ kind, name = '', subresource }: ApiRequest, wanted: JsonObject, live: JsonObject): void {
  const [version, uid] = [textIn(wanted, 'metadata', 'resourceVersion'), textIn(wanted, 'metadata', 'uid')]
  if (!['', '0', textIn(live, 'metadata', 'resourceVersion')].includes(version)) throw modified(kind, name)
  if (uid === '' || uid === textIn(live, 'metadata', 'uid')) return
  if (subresource === 'scale')
    throw conflictOf(
      kind,
      name,
      `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${textIn(live, 'metadata', 'uid')}`,
    )
  const message = `Invalid value: "${uid}": field is immutable`
  throw invalid(kind, name, [{ reason: 'FieldValueInvalid', message, field: 'metadata.uid' }])
}

const PATCHES: Readonly<Record<string, (target: JsonObject, body: Json) => Json>> = {
  'application/json-patch+json': jsonPatch,
  'application/merge-patch+json': mergePatch,
  'application/strategic-merge-patch+json': (target, body) => strategicPatch(target, body),
}

/** Deletes at once, or lets the cluster do it a little later. */
export function remove(api: Api, request: ApiRequest): Reply {
  const { kind } = request
  const policy = optionOf(request, 'propagationPolicy') ?? (kind.kind === 'Job' ? 'Orphan' : 'Background')
  if (isObject(request.body)) bodyOf({ ...kind, kind: 'DeleteOptions' }, request.body)
  if (policy !== 'Background')
    throw notServed('leave behind what an object owns: name the propagationPolicy Background, for a Job too')
  const object = liveObject(api, request)
  holdsPreconditions(kind, object, objectAt(request.body, 'preconditions'))
  askPolicies(api.store, request, { object: undefined, oldObject: object })
  const dryRun = isDryRun(request)
  if (kind.kind === 'Pod' && !dryRun) api.hooks.taken('deleted', object)
  return removeObject(api, {
    kind,
    object,
    grace: graceOf(kind, object, optionOf(request, 'gracePeriodSeconds')),
    dryRun,
  })
}

const optionOf = ({ query, body, hasBody }: ApiRequest, name: string): Json | undefined =>
  hasBody ? objectAt(body)[name] : (query.get(name) ?? undefined)

/** Throws when the object is not the one that is meant, or no longer as it was. */
export function holdsPreconditions(kind: Kind, object: JsonObject, wanted: JsonObject): void {
  for (const [field, words] of PRECONDITIONS) {
    const [meant, found] = [textIn(wanted, field), textIn(object, 'metadata', field)]
    if (meant !== '' && meant !== found) {
      const why = `the ${words} in the precondition (${meant}) does not match the ${words} in record (${found})`
      // Here alone the server says `Pod`, and not `pods`.
      throw conflictOf({ ...kind, group: '', plural: kind.kind }, textIn(object, 'metadata', 'name'), why)
    }
  }
}
const PRECONDITIONS = [
  ['uid', 'UID'],
  ['resourceVersion', 'ResourceVersion'],
] as const

/** Seconds that a pod has to end; none has what is bound to no node, or ended, or is no pod. */
export function graceOf(kind: Kind, object: JsonObject, asked: Json | undefined): number {
  const phase = textIn(object, 'status', 'phase')
  if (kind.kind !== 'Pod' || textIn(object, 'spec', 'nodeName') === '' || phase === 'Succeeded' || phase === 'Failed')
    return 0
  const seconds = Number(asked ?? numberIn(object, 'spec', 'terminationGracePeriodSeconds') ?? 30)
  return seconds < 0 ? 1 : seconds
}

type Removal = { readonly kind: Kind; readonly object: JsonObject; readonly grace: number; readonly dryRun: boolean }

// oxlint-disable-next-line complexity -- what stays, and for how long
export function removeObject(api: Api, { kind, object, grace, dryRun }: Removal): Reply {
  const { metadata } = object
  const key = keyOf(textIn(metadata, 'namespace') || undefined, textIn(metadata, 'name'))
  const later = grace > 0 && api.hooks.removesLater(kind, object)
  const stays = later || listIn(metadata, 'finalizers').length > 0
  // A shorter time shortens, a longer one changes nothing.
  if (stays && grace >= (numberIn(metadata, 'deletionGracePeriodSeconds') ?? Infinity))
    return { code: 200, body: object }
  const leaving = leavingIn(api, object, later ? grace : 0)
  if (!dryRun) {
    if (stays) api.store.put(kind, key, () => leaving)
    else api.store.remove(kind, key)
    api.hooks.written(kind, leaving, object)
  }
  const version = dryRun ? textIn(metadata, 'resourceVersion') : String(api.store.version())
  const tells = stays || kind.kind === 'Pod'
  return { code: 200, body: tells ? withValue(leaving, VERSION_PATH, version) : removed(kind, object) }
}

const leavingIn = (api: Api, object: JsonObject, seconds: number): JsonObject => ({
  ...object,
  metadata: {
    ...objectAt(object, 'metadata'),
    deletionTimestamp: kubeTime(api.now() + seconds * 1000),
    deletionGracePeriodSeconds: seconds,
  },
})
const VERSION_PATH = ['metadata', 'resourceVersion']
const TELLS_WHAT_GOES = new Set(['ResourceQuota', 'ResourceClaim', 'ResourceClaimTemplate', 'ResourceSlice'])

/** The answer for most kinds; a dry run's is the same. */
const removed = (kind: Kind, object: JsonObject): JsonObject => {
  if (TELLS_WHAT_GOES.has(kind.kind)) return object
  const { name, uid } = objectAt(object, 'metadata')
  return success(200, { name, kind: kind.plural, uid })
}

/** The object a request names; throws when there is none. */
export function liveObject(api: Api, { kind, namespace, name = '' }: ApiRequest): JsonObject {
  const entry = api.store.get(kind, keyOf(namespace, name))
  if (entry === undefined) throw notFound(kind, name)
  return entry.read()
}

type Pair = {
  readonly before: JsonObject
  readonly after: JsonObject
  /** What of it policies are shown, where that is not the object itself. */
  readonly shown?: (object: JsonObject) => JsonObject
}

/** Keeps what an object has become, as far as the request may write it. */
export function replace(
  api: Api,
  request: ApiRequest,
  { before, after, shown = (object) => object }: Pair,
): JsonObject {
  // A write to the status touches nothing else, and a write to the object does not touch the status.
  const scoped =
    request.subresource === 'status'
      ? { ...before, metadata: (request.kind.group === '' ? after : before)['metadata'], status: after['status'] }
      : withValue(after, ['status'], before['status'])
  const completed = complete(api, request, { object: scoped, before })
  const owned = updated(before, completed, writerOf(api, request, 'Update'))
  const isSame = sameButTimes(before, owned)
  if (!isSame) validate(request.kind, owned, before)
  checkPolicy(request.kind, owned)
  askPolicies(api.store, request, { object: shown(owned), oldObject: shown(before) })
  if (isSame) return before
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
  const defaulted = withDefaults(kind, object, before === undefined)
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

function keep(
  api: Api,
  request: ApiRequest,
  { object, before }: { object: JsonObject; before: JsonObject | undefined },
): JsonObject {
  const of = { object: api.hooks.settle(request.kind, object, before), before }
  if (isDryRun(request)) return of.object
  const name = textIn(of.object, 'metadata', 'name')
  // Whatever only finalizers kept is gone with the last of them.
  if (
    numberIn(of.object, 'metadata', 'deletionGracePeriodSeconds') === 0 &&
    listIn(of.object, 'metadata', 'finalizers').length === 0
  ) {
    api.store.remove(request.kind, keyOf(request.namespace, name))
    api.hooks.written(request.kind, of.object, of.before)
    return of.object
  }
  const entry = api.store.put(request.kind, keyOf(request.namespace, name), () => of.object)
  const kept = entry.read()
  api.hooks.written(request.kind, kept, of.before)
  return kept
}
