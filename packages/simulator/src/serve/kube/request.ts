import type { Json, JsonObject } from './json.ts'
import { groupVersionOf, type Kind } from './kinds.ts'
import { badRequest } from './status.ts'

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
  /** Media type of the body, without parameters. */
  readonly contentType: string
  readonly accept: string
  readonly userAgent: string
}

/** An object, or a list, in the version that was asked for. */
export const asAsked = ({ kind, groupVersion }: ApiRequest, object: JsonObject): JsonObject =>
  object['apiVersion'] === groupVersionOf(kind) ? { ...object, apiVersion: groupVersion } : object

/** Nothing is kept, only answered. */
export function isDryRun({ query }: ApiRequest): boolean {
  const wish = query.get('dryRun')
  if (wish === null || wish === '') return false
  if (wish !== 'All') throw badRequest(`Invalid value: "${wish}": dryRun supports only "All"`)
  return true
}

/** The name that owns what this request writes. */
export const managerOf = ({ query, userAgent }: Pick<ApiRequest, 'query' | 'userAgent'>): string =>
  query.get('fieldManager') ?? (userAgent.split('/')[0] || 'unknown')

export const isTrue = (query: URLSearchParams, name: string): boolean => {
  const value = query.get(name)
  return value === '1' || value === 'true' || value === ''
}
