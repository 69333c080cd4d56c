import { isList, listIn, objectAt, textIn, type Json, type JsonObject } from './json.ts'
import { groupVersionOf, type Kind } from './kinds.ts'
import { Refused, unsupportedDryRun } from './status.ts'

/** A request for objects, after routing. */
export type ApiRequest = {
  readonly verb: 'get' | 'create' | 'update' | 'patch' | 'delete'
  readonly kind: Kind
  /** As it was asked for, where a kind has several. */
  readonly groupVersion: string
  readonly namespace: string | undefined
  readonly name: string | undefined
  readonly subresource: string
  readonly query: URLSearchParams
  readonly body: Json
  /** Of a DELETE the body's options count, and of the query none, as soon as a byte of a body was sent. */
  readonly hasBody: boolean
  /** Media type of the body, without parameters. */
  readonly contentType: string
  readonly accept: string
  readonly userAgent: string
  /** Who asks. */
  readonly user: string
  /** Has the answer say this in a header. */
  readonly warn: (text: string) => void
}

/** An object, or a list, in the version that was asked for, or its metadata alone. */
export function asAsked({ kind, groupVersion, accept, verb }: ApiRequest, object: JsonObject): JsonObject {
  if (object['apiVersion'] !== groupVersionOf(kind)) return object
  if (verb !== 'get' || !accept.includes('as=PartialObjectMetadata')) return { ...object, apiVersion: groupVersion }
  const { metadata, items } = object
  const partial = { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1' }
  if (isList(items) && !/PartialObjectMetadataList|,/u.test(accept))
    throw new Refused(406, 'NotAcceptable', {
      message: 'you requested PartialObjectMetadata, but the requested object is a list',
    })
  if (!isList(items)) return { ...partial, metadata }
  const parts = items.map((item) => ({ ...partial, metadata: objectAt(item, 'metadata') }))
  return { kind: 'PartialObjectMetadataList', apiVersion: 'meta.k8s.io/v1', metadata, items: parts }
}

const JSON_FORM =
  /^\s*(?:application\/(?:json|\*)|\*\/\*)(?:;(?!.*as=).*|;.*as=Table.*|;(?=.*v=v1(?:;|$)).*as=PartialObjectMetadata.*)?$/u

/** What can be answered of what a request accepts: JSON, as it is or as one of these. */
export const isAcceptable = (accept: string): boolean =>
  accept === '' || accept.split(',').some((each) => JSON_FORM.test(each))

/** Nothing is kept, only answered. */
export function isDryRun(request: ApiRequest): boolean {
  const wishes = dryRunOf(request)
  if (wishes.some((wish) => wish !== 'All')) throw unsupportedDryRun(OPTIONS[request.verb], wishes)
  return wishes.length > 0
}

/** What a request asks for of its dry run, as it is written. */
export function dryRunOf({ verb, subresource, query, body, hasBody }: ApiRequest): readonly string[] {
  if (verb === 'delete' && hasBody) return textsAt(body, 'dryRun')
  const evicts = subresource === 'eviction' ? textsAt(body, 'deleteOptions', 'dryRun') : []
  return [...query.getAll('dryRun'), ...evicts]
}

const textsAt = (value: Json, ...path: readonly string[]): readonly string[] =>
  listIn(value, ...path).map((each) => textIn(each))

const OPTIONS: Readonly<Record<ApiRequest['verb'], string>> = {
  get: 'GetOptions',
  create: 'CreateOptions',
  update: 'UpdateOptions',
  patch: 'PatchOptions',
  delete: 'DeleteOptions',
}

/** The name that owns what this request writes. */
export const managerOf = ({ query, userAgent }: Pick<ApiRequest, 'query' | 'userAgent'>): string =>
  query.get('fieldManager') ?? (userAgent.split('/')[0] || 'unknown')

export const isAsked = (query: URLSearchParams, name: string): boolean =>
  ['1', 'true', ''].includes(query.get(name) ?? 'not said')
