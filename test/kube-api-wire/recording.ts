import { readFileSync } from 'node:fs'

/** A value of JSON, as it was recorded or answered. */
export type Value = string | number | boolean | null | undefined | readonly Value[] | { readonly [key: string]: Value }
export type Fields = Readonly<Record<string, Value>>

export type RecordedRequest = {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Value
}
/** `body` of a watch is the list of its events. */
export type Answer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  readonly body?: Value
}
/** A step with a request was sent to a real server; one without tells what was done outside the record. */
export type Step = {
  readonly name: string
  readonly as?: string
  readonly note?: string
  readonly request?: RecordedRequest
  readonly response?: Answer & { readonly endedBy?: 'client' | 'server' }
}

export const readSteps = (folder: URL, file: string): readonly Step[] =>
  // oxlint-disable-next-line no-unsafe-type-assertion -- the form that the README beside it gives
  (JSON.parse(readFileSync(new URL(`${file}.json`, folder), 'utf8')) as { steps: readonly Step[] }).steps

/** A value of JSON as it came. */
export const parseValue = (text: string): Value => JSON.parse(text)

export const isList = (value: Value): value is readonly Value[] => Array.isArray(value)

export const isFields = (value: Value): value is Fields => typeof value === 'object' && value !== null && !isList(value)

/** The value at a path of keys; undefined where there is none. */
export function at(value: Value, ...path: readonly string[]): Value {
  let found = value
  for (const key of path) found = isFields(found) ? found[key] : undefined
  return found
}
export const fieldsAt = (value: Value, ...path: readonly string[]): Fields => {
  const found = at(value, ...path)
  return isFields(found) ? found : {}
}
export const listAt = (value: Value, ...path: readonly string[]): readonly Value[] => {
  const found = at(value, ...path)
  return isList(found) ? found : []
}
export const textAt = (value: Value, ...path: readonly string[]): string => {
  const found = at(value, ...path)
  return typeof found === 'string'
    ? found
    : typeof found === 'number' || typeof found === 'boolean'
      ? String(found)
      : ''
}

/** What of a path names objects: `/api/v1/namespaces/wd/pods/a/eviction?dryRun=All`. */
export type Target = {
  readonly group: string
  readonly namespace: string | undefined
  /** Empty where the path is none of objects: `/version`. */
  readonly resource: string
  readonly name: string
  readonly subresource: string
  readonly query: URLSearchParams
  /** Path of the object, or of the collection. */
  readonly path: string
}

export function targetOf(path: string): Target {
  const url = new URL(path, 'http://server')
  const query = url.searchParams
  const match =
    /^(\/api\/v1|\/apis\/([^/]+)\/[^/]+)(?:\/namespaces\/([^/]+)(?=\/[^/]))?\/([^/]+)(?:\/([^/]+))?(?:\/(.+))?$/u.exec(
      url.pathname,
    )
  const [, root = '', group = '', namespace, resource = '', name = '', subresource = ''] = match ?? []
  const inside = namespace === undefined ? '' : `/namespaces/${namespace}`
  const object = `${root}${inside}/${resource}${name === '' ? '' : `/${name}`}`
  return { group, namespace, resource, name, subresource, query, path: match === null ? url.pathname : object }
}
