import { openApiAt, discoveryAt, VERSION } from './discovery.ts'
import { evict } from './evict.ts'
import type { JsonObject } from './json.ts'
import { kindFor, type Kind } from './kinds.ts'
import { getOne, listAll, type Pages } from './read.ts'
import { isTrue, type ApiRequest } from './request.ts'
import { reviewOf, type Forbidden } from './reviews.ts'
import { ApiError, forbidden, noSuchPath } from './status.ts'
import { create, patch, remove, update, type Answer, type Api } from './write.ts'

/** What came over HTTP. */
export type RawRequest = Pick<ApiRequest, 'body' | 'contentType' | 'accept' | 'userAgent'> & {
  readonly method: string
  readonly url: URL
}
export type Routed = { readonly answer: Answer } | { readonly watch: ApiRequest }

/** Finds what a request is for and answers it; a watch is handed back, for it needs a stream. */
export function route(api: Api, raw: RawRequest, of: { pages: Pages; denied: Forbidden; address: string }): Routed {
  const path = raw.url.pathname.replace(/\/$/, '')
  const fixed = documentAt(path, of.address)
  if (fixed !== undefined) return { answer: { code: 200, body: fixed } }
  const review = /^\/apis\/authorization\.k8s\.io\/v1\/(selfsubject(?:access|rules)reviews)$/.exec(path)
  if (review !== null && raw.method === 'POST') {
    const request = {
      ...raw,
      query: raw.url.searchParams,
      namespace: undefined,
      subresource: '',
      verb: 'create',
    } as const
    return { answer: reviewOf(api, { ...request, name: review[1] }, of.denied) }
  }
  const request = parse(path, raw)
  if (of.denied.has(request.kind.plural)) {
    throw forbidden({ user: 'demo', verb: verbName(request), kind: request.kind, namespace: request.namespace })
  }
  const watching = request.verb === 'get' && isTrue(request.query, 'watch') && request.query.has('watch')
  return watching ? { watch: request } : { answer: answer(api, request, of.pages) }
}

const documentAt = (path: string, address: string): JsonObject | undefined =>
  path === '/version' ? VERSION : (discoveryAt(path, address) ?? openApiAt(path))

const METHODS: Readonly<Record<string, ApiRequest['verb']>> = {
  GET: 'get',
  POST: 'create',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
}

const PATH = /^\/(?:api\/(v1)|apis\/([^/]+\/[^/]+))\/(?:namespaces\/([^/]+)\/)?([^/]+)(?:\/([^/]+))?(?:\/([^/]+))?$/

function parse(path: string, raw: RawRequest): ApiRequest {
  const match = PATH.exec(decodeURIComponent(path))
  const verb = METHODS[raw.method]
  if (match === null || verb === undefined) throw noSuchPath()
  const [, core, group, namespace, plural = '', name, subresource = ''] = match
  const kind = kindFor(core ?? group ?? '', plural)
  if (kind === undefined || !isServed(kind, { namespace, subresource })) throw noSuchPath()
  return { ...raw, verb, kind, namespace, name, subresource, query: raw.url.searchParams }
}

const isServed = (kind: Kind, of: { namespace: string | undefined; subresource: string }): boolean =>
  (of.namespace === undefined || kind.namespaced) &&
  (of.subresource === '' || kind.subresources.includes(of.subresource))

const verbName = ({ verb, name, query }: ApiRequest): string =>
  verb !== 'get' ? verb : query.has('watch') ? 'watch' : name === undefined ? 'list' : 'get'

function answer(api: Api, request: ApiRequest, pages: Pages): Answer {
  if (request.name === undefined) {
    if (request.verb === 'get') return listAll(api, request, pages)
    if (request.verb === 'create') return create(api, withNamespace(request))
    throw notAllowed()
  }
  if (request.subresource === 'eviction') {
    if (request.verb !== 'create') throw notAllowed()
    return evict(api, request)
  }
  const handler = ONE[request.verb]
  if (handler === undefined) throw notAllowed()
  return handler(api, request)
}

const ONE: Partial<Record<ApiRequest['verb'], (api: Api, request: ApiRequest) => Answer>> = {
  get: getOne,
  update,
  patch,
  delete: remove,
}

function withNamespace(request: ApiRequest): ApiRequest {
  return request.kind.namespaced && request.namespace === undefined ? { ...request, namespace: 'default' } : request
}

const notAllowed = (): ApiError =>
  new ApiError(405, 'MethodNotAllowed', {
    message: 'the server does not allow this method on the requested resource',
    details: {},
  })
