import { parseJson, textIn, type Json, type JsonObject } from './json.ts'
import { groupVersionOf, type Kind } from './kinds.ts'
import type { ApiRequest } from './request.ts'
import { fieldSelector, labelSelector, type Selects } from './selectors.ts'
import { Refused, badRequest, expired } from './status.ts'
import type { Entry } from './store.ts'
import { tableOf, wantsTable } from './table.ts'
import { liveObject, type Reply, type Api } from './write.ts'

/** Which objects of a kind a request is about. */
export function selectionOf({ query, namespace, name, kind }: ApiRequest): Selects {
  const labels = labelSelector(query.get('labelSelector') ?? '')
  const fields = fieldSelector(query.get('fieldSelector') ?? '', kind)
  const inside = (object: JsonObject): boolean =>
    (!kind.namespaced || namespace === undefined || textIn(object, 'metadata', 'namespace') === namespace) &&
    (name === undefined || textIn(object, 'metadata', 'name') === name)
  return (object) => inside(object) && labels(object) && fields(object)
}

export function getOne(api: Api, request: ApiRequest): Reply {
  const object = liveObject(api, request)
  if (!wantsTable(request.accept)) return { code: 200, body: object }
  const version = textIn(object, 'metadata', 'resourceVersion')
  const body = tableOf(request.kind, [object], { now: api.now(), version, head: true, whole: wantsWhole(request) })
  return { code: 200, body }
}

export const wantsWhole = ({ query }: ApiRequest): boolean => query.get('includeObject') === 'Object'

/** Throws where the options of a list or a watch are none, or ask for what only a longer memory could tell. */
// oxlint-disable-next-line complexity -- each option
export function checkOptions(api: Api, { verb, name, query }: ApiRequest, isWatch: boolean): void {
  if (verb !== 'get') return
  const version = query.get('resourceVersion') ?? ''
  const match = query.get('resourceVersionMatch')
  if (query.has('sendInitialEvents') ? !isWatch || match !== 'NotOlderThan' : match !== null) {
    const options = 'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden'
    throw new Refused(422, 'Invalid', { message: `${options}: the demo cluster takes it with initial events alone` })
  }
  if (!/^-?\d*$/u.test(query.get('limit') ?? '')) throw badRequest('strconv.ParseInt: invalid syntax')
  if (name === undefined && (query.get('continue') ?? '') !== '' && Number(version) > 0)
    throw badRequest('specifying resource version is not allowed when using continue')
  checkVersion(api, version, isWatch)
}

function checkVersion(api: Api, version: string, isWatch: boolean): void {
  if (!/^\d*$/u.test(version)) throw badRequest(`invalid resource version: Invalid value: "${version}"`)
  if (isWatch || Number(version) <= api.store.version()) return
  const message = `Timeout: Too large resource version: ${version}`
  throw new Refused(504, 'Timeout', { message, details: { retryAfterSeconds: 1 } })
}

/** Lists that were begun in pages, so that later pages belong to the same moment. */
export type Pages = Map<string, { readonly kind: Kind; readonly entries: readonly Entry[] }>
const KEPT_PAGES = 16

export function listAll(api: Api, request: ApiRequest, pages: Pages): Reply {
  const { kind, query } = request
  const token = query.get('continue') ?? ''
  const { version, start, entries } = token === '' ? begin(api, kind) : resume(kind, token, pages)
  const { found, next } = take(request, entries, start)
  const more = next < entries.length
  if (more) remember(pages, version, { kind, entries })
  const continueAt = more ? Buffer.from(JSON.stringify({ v: version, at: next })).toString('base64url') : undefined
  return { code: 200, body: listBody(api, request, { found, version, continueAt, left: entries.length - next }) }
}

/** One page: what the request selects, from an index on, and the index to go on at. */
function take(request: ApiRequest, entries: readonly Entry[], start: number) {
  const limit = Number(request.query.get('limit') ?? 0)
  // From the server's cache everything comes at once.
  const most = limit <= 0 || request.query.get('resourceVersion') === '0' ? Infinity : limit
  const selects = selectionOf(request)
  const prefix = request.namespace === undefined ? '' : `${request.namespace}/`
  const found: JsonObject[] = []
  let next = start
  for (const entry of entries.slice(start)) {
    if (found.length >= most) break
    next++
    const object = entry.key.startsWith(prefix) ? entry.read() : undefined
    if (object !== undefined && selects(object)) found.push(object)
  }
  return { found, next }
}

const begin = (api: Api, kind: Kind) => ({
  version: String(api.store.version()),
  start: 0,
  entries: api.store.list(kind),
})

function resume(kind: Kind, token: string, pages: Pages) {
  const { version, start } = readToken(token)
  const kept = pages.get(`${kind.kind}/${version}`)
  if (kept === undefined) {
    throw expired(
      'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter.',
    )
  }
  return { version, start, entries: kept.entries }
}

function readToken(token: string): { version: string; start: number } {
  let value: Json
  try {
    value = parseJson(Buffer.from(token, 'base64url').toString('utf8'))
  } catch {
    throw badRequest('continue key is not valid: illegal base64 data')
  }
  return { version: textIn(value, 'v'), start: Number(textIn(value, 'at')) }
}

function remember(pages: Pages, version: string, page: { kind: Kind; entries: readonly Entry[] }): void {
  const key = `${page.kind.kind}/${version}`
  pages.delete(key)
  pages.set(key, page)
  for (const old of pages.keys()) {
    if (pages.size <= KEPT_PAGES) return
    pages.delete(old)
  }
}

type Found = {
  readonly found: readonly JsonObject[]
  readonly version: string
  readonly continueAt: string | undefined
  readonly left: number
}

function listBody(api: Api, request: ApiRequest, { found, version, continueAt, left }: Found): JsonObject {
  const { kind, query } = request
  const more = continueAt === undefined ? {} : { continue: continueAt }
  if (wantsTable(request.accept)) {
    const continued = continueAt === undefined ? {} : { continueAt }
    return tableOf(kind, found, { now: api.now(), version, head: true, whole: wantsWhole(request), ...continued })
  }
  const counted = continueAt !== undefined && !query.has('labelSelector') && !query.has('fieldSelector')
  return {
    kind: `${kind.kind}List`,
    apiVersion: groupVersionOf(kind),
    metadata: { resourceVersion: version, ...more, ...(counted ? { remainingItemCount: left } : {}) },
    // Items of a list carry no kind and apiVersion of their own.
    items: found.map(({ kind: _kind, apiVersion: _version, ...rest }) => rest),
  }
}
