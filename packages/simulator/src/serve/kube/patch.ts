import { isList, isObject, objectAt, same, textIn, type Json, type JsonObject } from './json.ts'
import { Refused, badRequest, notServed } from './status.ts'

/** RFC 7386. */
export function mergePatch(target: Json | undefined, patch: Json): Json {
  if (!isObject(patch)) return patch
  const result: Record<string, Json | undefined> = isObject(target) ? { ...target } : {}
  for (const [key, value] of Object.entries(patch)) {
    if (value === null || value === undefined) delete result[key]
    else result[key] = mergePatch(result[key], value)
  }
  return result
}

// Lists of these fields are merged by a key of their items, as the built-in types say; all others are replaced.
export const MERGE_KEYS: Readonly<Record<string, string>> = {
  containers: 'name',
  initContainers: 'name',
  env: 'name',
  volumes: 'name',
  conditions: 'type',
  addresses: 'type',
  ownerReferences: 'uid',
}

/** Kubernetes' strategic merge, for the fields of the kinds served here. */
export function strategicPatch(target: Json | undefined, patch: Json, field = ''): Json {
  const key = MERGE_KEYS[field]
  if (isList(patch) && key !== undefined) return mergeList(isList(target) ? target : [], patch, key)
  if (!isObject(patch)) return patch
  if (textIn(patch, '$patch') === 'replace') return withoutDirectives(patch)
  const base: JsonObject = isObject(target) ? target : {}
  const result: Record<string, Json | undefined> = { ...base }
  for (const [name, value] of Object.entries(withoutDirectives(patch))) {
    if (isGone(value)) delete result[name]
    else result[name] = strategicPatch(result[name], value, name)
  }
  return result
}

const isGone = (value: Json | undefined): value is null | undefined =>
  isNothing(value) || textIn(value, '$patch') === 'delete'

export const isNothing = (value: Json | undefined): value is null | undefined => value === null || value === undefined

const withoutDirectives = (object: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([key]) => !key.startsWith('$')))

function mergeList(target: readonly Json[], patch: readonly Json[], key: string): readonly Json[] {
  if (patch.some((item) => textIn(item, '$patch') === 'replace')) {
    return patch.filter((item) => textIn(item, '$patch') === '')
  }
  const result = [...target]
  for (const item of patch) {
    const at = result.findIndex((other) => textIn(other, key) === textIn(item, key))
    if (textIn(item, '$patch') === 'delete') {
      if (at >= 0) result.splice(at, 1)
    } else if (at < 0) result.push(item)
    else result[at] = strategicPatch(result[at], item)
  }
  return result
}

/** RFC 6902. Whatever of it fails, the API server says no more than that. */
export function jsonPatch(target: Json, operations: Json): Json {
  if (!isList(operations)) throw badRequest('a JSON patch is a list of operations')
  return operations.reduce<Json>((result, operation) => {
    const run = OPERATIONS[textIn(operation, 'op')]
    if (run === undefined) throw notServed(`do this JSON patch operation: ${textIn(operation, 'op')}`)
    return run(result, operation, pointer(textIn(operation, 'path')))
  }, target)
}

type Operate = (target: Json, operation: Json, path: readonly string[]) => Json
const valueOf = (operation: Json): Json => objectAt(operation)['value'] ?? null

const OPERATIONS: Readonly<Record<string, Operate>> = {
  test: (target, operation, path) => {
    const parent = read(target, path.slice(0, -1))
    if ((isObject(parent) || isList(parent)) && same(read(target, path) ?? null, valueOf(operation))) return target
    throw failed()
  },
  add: (target, operation, path) => edit(target, path, { value: valueOf(operation), insert: true }),
  replace: (target, operation, path) => edit(target, path, { value: valueOf(operation), insert: false }),
  remove: (target, _operation, path) => {
    if (read(target, path) === undefined) throw failed()
    return edit(target, path, { value: undefined, insert: false })
  },
}

const failed = (): Refused =>
  new Refused(422, 'Invalid', {
    message: 'the server rejected our request due to an error in our request',
    details: {},
  })

const pointer = (text: string): readonly string[] =>
  text
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))

function read(target: Json, path: readonly string[]): Json | undefined {
  let found: Json | undefined = target
  for (const part of path) {
    if (isList(found)) found = found[Number(part)]
    else if (isObject(found)) found = found[part]
    else return undefined
  }
  return found
}

type Edit = { readonly value: Json | undefined; readonly insert: boolean }

function edit(target: Json | undefined, path: readonly string[], change: Edit): Json {
  const [key, ...rest] = path
  if (key === undefined) return change.value ?? null
  if (isList(target)) return editList(target, { key, rest }, change)
  if (!isObject(target)) throw failed()
  const { [key]: old, ...others } = target
  if (rest.length > 0) return { ...target, [key]: edit(old, rest, change) }
  return change.value === undefined ? others : { ...target, [key]: change.value }
}

function editList(target: readonly Json[], at: { key: string; rest: readonly string[] }, change: Edit): Json {
  const copy = [...target]
  const index = at.key === '-' ? copy.length : Number(at.key)
  if (at.rest.length > 0) copy[index] = edit(copy[index], at.rest, change)
  else if (change.value === undefined) copy.splice(index, 1)
  else copy.splice(index, change.insert ? 0 : 1, change.value)
  return copy
}
