import { parse } from 'yaml'

/** A JSON value as it came over the wire. Never changed in place. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject
export type JsonObject = { readonly [key: string]: Json | undefined }

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !isList(value)

export const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value)

/** The value at a path of keys; undefined when there is none. */
export function valueIn(value: Json | undefined, ...path: readonly string[]): Json | undefined {
  let found = value
  for (const key of path) {
    if (!isObject(found)) return undefined
    found = found[key]
  }
  return found
}

export function textIn(value: Json | undefined, ...path: readonly string[]): string {
  const found = valueIn(value, ...path)
  return typeof found === 'string' ? found : typeof found === 'number' || typeof found === 'boolean' ? `${found}` : ''
}
export const numberIn = (value: Json | undefined, ...path: readonly string[]): number | undefined => {
  const found = valueIn(value, ...path)
  return typeof found === 'number' ? found : undefined
}
export const objectAt = (value: Json | undefined, ...path: readonly string[]): JsonObject => {
  const found = valueIn(value, ...path)
  return isObject(found) ? found : {}
}
export const listIn = (value: Json | undefined, ...path: readonly string[]): readonly Json[] => {
  const found = valueIn(value, ...path)
  return isList(found) ? found : []
}

/** Texts by key; numbers and truth values as they are written. */
export const textRecord = (object: JsonObject): Record<string, string> =>
  Object.fromEntries(Object.keys(object).map((key) => [key, textIn(object, key)]))

/** A copy with the value at the path replaced; undefined takes the key away. */
export function withValue(object: JsonObject, path: readonly string[], value: Json | undefined): JsonObject {
  const [key, ...rest] = path
  if (key === undefined) return object
  const next = rest.length === 0 ? value : withValue(objectAt(object, key), rest, value)
  if (next !== undefined) return { ...object, [key]: next }
  const { [key]: _gone, ...kept } = object
  return kept
}

/** Whether two values are the same, whatever the order of keys. */
export function same(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true
  if (isList(a) && isList(b)) return a.length === b.length && a.every((item, index) => same(item, b[index]))
  if (!isObject(a) || !isObject(b)) return false
  const keys = new Set([...Object.keys(a), ...Object.keys(b)])
  return [...keys].every((key) => same(a[key], b[key]))
}

export const parseJson = (text: string): Json => JSON.parse(text)

/** YAML, as configuration files and `kubectl apply` have it; JSON, as most bodies are, without that detour. */
export const parseYaml = (text: string): Json => (/^\s*[{[]/.test(text) ? parseJson(text) : parse(text))
