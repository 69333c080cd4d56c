import type { KubeCaller } from '../callers.ts'
import { openApiAt, discoveryAt } from './discovery.ts'
import { evict } from './evict.ts'
import type { JsonObject } from './json.ts'
import { kindFor, type Kind } from './kinds.ts'
import { checkOptions, getOne, listAll, type Pages } from './read.ts'
import { asAsked, dryRunOf, isAsked, type ApiRequest } from './request.ts'
import type { Access } from './access.ts'
import { accessOf } from './rbac.ts'
import { reviewOf } from './reviews.ts'
import { getScale, patchScale } from './scale.ts'
import { Refused, forbidden, noSuchGroup, noSuchPath } from './status.ts'
import { tokenAnswer, type TokenRequests } from './tokens.ts'
import { create, patch, remove, type Reply, type Api } from './write.ts'

/** What came over HTTP. */
export type RawRequest = Pick<ApiRequest, 'body' | 'hasBody' | 'contentType' | 'accept' | 'userAgent'> & {
  readonly method: string
  readonly url: URL
}
export type Routed = { readonly answer: Reply } | { readonly watch: ApiRequest } | { readonly lost: true }

export type Router = {
  readonly pages: Pages
  readonly caller: KubeCaller
  readonly tokens: TokenRequests['tokens']
  readonly address: string
  /** Told of everything that the answer is to warn of. */
  readonly warn: (text: string) => void
  /** Told of every request for an object, before it is decided on. */
  readonly record: (access: Access, dryRun: boolean) => void
  /** Comes before an answer is made; may throw another one. */
  readonly before: (request: ApiRequest) => void
  /** Comes after; true when nobody shall get the answer. */
  readonly after: (request: ApiRequest) => boolean
}

/** Finds what a request is for and answers it; a watch is handed back, for it needs a stream. */
export function route(api: Api, raw: RawRequest, of: Router): Routed {
  const path = raw.url.pathname.replace(/\/$/, '')
  const fixed = documentAt(path, of.address)
  if (fixed !== undefined) return { answer: { code: 200, body: fixed } }
  const review = /^\/apis\/authorization\.k8s\.io\/v1\/(selfsubject(?:access|rules)reviews)$/.exec(path)
  if (review !== null && raw.method === 'POST') {
    return { answer: answerReview(api, raw, { ...of, plural: review[1] ?? '' }) }
  }
  const token = tokenAnswer({ method: raw.method, path, body: raw.body }, of)
  if (token !== undefined) return { answer: token }
  const request = parse(path, raw, of)
  authorize(request, of)
  const isWatch = request.verb === 'get' && request.name === undefined && isAsked(request.query, 'watch')
  checkOptions(api, request, isWatch)
  if (isWatch) return { watch: request }
  of.before(request)
  const { code, body } = answer(api, request, of.pages)
  return of.after(request) ? { lost: true } : { answer: { code, body: asAsked(request, body) } }
}

function answerReview(api: Api, raw: RawRequest, of: Router & { plural: string }): Reply {
  const { caller, plural } = of
  const asked = { verb: 'create', namespace: undefined, name: undefined } as const
  of.record({ ...asked, group: 'authorization.k8s.io', resource: plural }, false)
  return reviewOf(api, { ...raw, name: plural, query: raw.url.searchParams }, caller)
}

function authorize(request: ApiRequest, { caller, record }: Router): void {
  const { kind } = request
  const asked = accessOf(request)
  record(asked, dryRunOf(request).includes('All'))
  if (!caller.may(asked)) throw forbidden(caller.user, kind, asked)
}

const documentAt = (path: string, address: string): JsonObject | undefined =>
  discoveryAt(path, address) ?? openApiAt(path)

const METHODS: Readonly<Record<string, ApiRequest['verb']>> = {
  GET: 'get',
  POST: 'create',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
}

const PATH = /^\/(?:api\/(v1)|apis\/([^/]+\/[^/]+))\/(?:namespaces\/([^/]+)\/)?([^/]+)(?:\/([^/]+))?(?:\/([^/]+))?$/

// oxlint-disable-next-line complexity -- each part of a path
function parse(path: string, raw: RawRequest, { caller, warn }: Router): ApiRequest {
  const match = PATH.exec(decodeURIComponent(path))
  const verb = METHODS[raw.method]
  if (verb === undefined) throw notAllowed()
  if (match === null) throw nothingAt(path)
  const [, core, version, namespace, plural = '', name, subresource = ''] = match
  const groupVersion = core ?? version ?? ''
  const asked = {
    ...raw,
    verb,
    groupVersion,
    namespace,
    name,
    subresource,
    query: raw.url.searchParams,
    user: caller.user,
    warn,
  }
  const kind = kindFor(groupVersion, plural)
  if (kind !== undefined && isServed(kind, asked)) return { ...asked, kind }
  const named = { group: core === undefined ? groupVersion.replace(/\/.*/u, '') : '', plural }
  // Whoever may not is told that, and not what there is.
  const access = accessOf({ ...asked, kind: named })
  throw caller.may(access) ? nothingAt(path) : forbidden(caller.user, named, access)
}

const nothingAt = (path: string): Refused =>
  path.startsWith('/apis/') && discoveryAt(path.split('/').slice(0, 3).join('/'), '') === undefined
    ? noSuchGroup()
    : noSuchPath()

const isServed = (kind: Kind, of: { namespace: string | undefined; subresource: string }): boolean =>
  (of.namespace === undefined || kind.namespaced) &&
  (of.subresource === '' || kind.subresources.includes(of.subresource))

function answer(api: Api, request: ApiRequest, pages: Pages): Reply {
  if (request.name === undefined) {
    if (request.verb === 'get') return listAll(api, request, pages)
    if (request.verb === 'create') return create(api, withNamespace(request))
    throw notAllowed()
  }
  if (request.subresource === 'eviction') {
    if (request.verb !== 'create') throw notAllowed()
    return evict(api, request)
  }
  const handler = (request.subresource === 'scale' ? SCALE : ONE)[request.verb]
  if (handler === undefined || (request.subresource === 'status' && request.verb === 'delete')) throw notAllowed()
  return handler(api, request)
}

type Handlers = Partial<Record<ApiRequest['verb'], (api: Api, request: ApiRequest) => Reply>>
// Nothing is put: whoever changes an object says what of it.
const ONE: Handlers = { get: getOne, patch, delete: remove }
const SCALE: Handlers = { get: getScale, patch: patchScale }

function withNamespace(request: ApiRequest): ApiRequest {
  return request.kind.namespaced && request.namespace === undefined ? { ...request, namespace: 'default' } : request
}

const notAllowed = (): Refused =>
  new Refused(405, 'MethodNotAllowed', {
    message: 'the server does not allow this method on the requested resource',
    details: {},
  })
