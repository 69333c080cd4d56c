import { listIn, textIn, type Json, type JsonObject } from './json.ts'
import { groupVersionOf, type Kind } from './kinds.ts'
import { unsupportedDryRun } from './status.ts'

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
}

/** An object, or a list, in the version that was asked for. */
export const asAsked = ({ kind, groupVersion }: ApiRequest, object: JsonObject): JsonObject =>
  object['apiVersion'] === groupVersionOf(kind) ? { ...object, apiVersion: groupVersion } : object

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

export const isTrueParameter = (query: URLSearchParams, name: string): boolean => {
  const value = query.get(name)
  return value === '1' || value === 'true' || value === ''
}
