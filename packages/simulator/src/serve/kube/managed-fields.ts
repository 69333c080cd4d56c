import { isList, isObject, listIn, objectAt, same, textIn, withValue, type Json, type JsonObject } from './json.ts'
import { MERGE_KEYS } from './patch.ts'

/** Who writes, and when. */
export type Writer = {
  readonly manager: string
  readonly operation: 'Apply' | 'Update'
  readonly subresource: string
  readonly time: string
}

/** One leaf that a manager owns: the keys of fieldsV1, `['f:data', 'f:k']`. */
type Path = readonly string[]

// Lists that are maps by a key of their items; every other list is one value.
const LIST_KEYS = MERGE_KEYS

// The server's own fields belong to nobody.
const UNOWNED = new Set(['apiVersion', 'kind', 'metadata.name', 'metadata.namespace', 'metadata.uid'])
const SERVER_METADATA = new Set([
  'name',
  'namespace',
  'uid',
  'resourceVersion',
  'creationTimestamp',
  'generation',
  'managedFields',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
])

/** After an update: the writer owns what it changed, and everybody else no longer does. */
export function updated(before: JsonObject | undefined, after: JsonObject, writer: Writer): JsonObject {
  const changed = leavesOf(after).filter((path) => !same(valueOf(before, path), valueOf(after, path)))
  const gone = before === undefined ? [] : leavesOf(before).filter((path) => valueOf(after, path) === undefined)
  if (changed.length === 0 && gone.length === 0) return withManaged(after, entriesOf(before))
  const mine = entriesOf(before).find((entry) => isSame(entry, writer))
  const others = entriesOf(before).filter((entry) => !isSame(entry, writer))
  const kept = others.map((entry) => without(entry, [...changed, ...gone])).filter((entry) => hasFields(entry))
  const earlier = leavesOfFields(objectAt(mine, 'fieldsV1')).filter((path) => valueOf(after, path) !== undefined)
  const paths = [...earlier.filter((path) => !changed.some((other) => covers(other, path))), ...changed]
  return withManaged(after, paths.length === 0 ? kept : [...kept, entryFor(writer, { object: after, paths })])
}

const withManaged = (object: JsonObject, entries: readonly Json[]): JsonObject =>
  withValue(object, ['metadata', 'managedFields'], entries.length === 0 ? undefined : entries)

const entriesOf = (object: JsonObject | undefined): readonly JsonObject[] =>
  listIn(object, 'metadata', 'managedFields').filter((entry) => isObject(entry))

const isSame = (entry: JsonObject, writer: Writer): boolean =>
  textIn(entry, 'manager') === writer.manager &&
  textIn(entry, 'operation') === writer.operation &&
  textIn(entry, 'subresource') === writer.subresource

function entryFor(writer: Writer, of: { object: JsonObject; paths: readonly Path[] }): JsonObject {
  let fields: JsonObject = {}
  for (const path of of.paths) fields = mark(fields, path)
  return {
    manager: writer.manager,
    operation: writer.operation,
    apiVersion: textIn(of.object, 'apiVersion'),
    time: writer.time,
    fieldsType: 'FieldsV1',
    fieldsV1: fields,
    ...(writer.subresource === '' ? {} : { subresource: writer.subresource }),
  }
}

const mark = (fields: JsonObject, path: Path): JsonObject => {
  const [key, ...rest] = path
  return key === undefined ? fields : { ...fields, [key]: mark(objectAt(fields, key), rest) }
}

/** The leaves of an object that can be owned. */
function leavesOf(object: JsonObject): readonly Path[] {
  const { metadata, ...rest } = object
  const own = Object.fromEntries(Object.entries(objectAt(metadata)).filter(([key]) => !SERVER_METADATA.has(key)))
  const found: Path[] = []
  collect(own, ['f:metadata'], found)
  for (const [key, value] of Object.entries(rest)) if (!UNOWNED.has(key)) collect(value, [`f:${key}`], found)
  return found.filter((path) => path.length > 1 || path[0] !== 'f:metadata')
}

function collect(value: Json | undefined, path: Path, found: Path[]): void {
  const parts = value === undefined ? [] : partsOf(value, LIST_KEYS[path.at(-1)?.slice(2) ?? ''])
  for (const [key, part] of parts) collect(part, [...path, key], found)
  if (value !== undefined && parts.length === 0) found.push(path)
}

/** What is inside a value that managers can own apart; nothing for a scalar, an atomic list or an empty value. */
function partsOf(value: Json, listKey: string | undefined): readonly (readonly [string, Json | undefined])[] {
  if (isObject(value)) return Object.entries(value).map(([key, part]) => [`f:${key}`, part])
  if (!isList(value) || listKey === undefined) return []
  return value.map((item) => [`k:${JSON.stringify({ [listKey]: textIn(item, listKey) })}`, item])
}

function leavesOfFields(fields: JsonObject, path: Path = []): readonly Path[] {
  const keys = Object.keys(fields).filter((key) => key !== '.')
  if (keys.length === 0) return path.length === 0 ? [] : [path]
  return keys.flatMap((key) => leavesOfFields(objectAt(fields, key), [...path, key]))
}

const hasFields = (entry: JsonObject): boolean => leavesOfFields(objectAt(entry, 'fieldsV1')).length > 0
const covers = (a: Path, b: Path): boolean =>
  (a.length <= b.length ? a : b).every((key, index) => key === (a.length <= b.length ? b : a)[index])
const without = (entry: JsonObject, paths: readonly Path[]): JsonObject => {
  const left = leavesOfFields(objectAt(entry, 'fieldsV1')).filter((path) => !paths.some((gone) => covers(gone, path)))
  let fields: JsonObject = {}
  for (const path of left) fields = mark(fields, path)
  return { ...entry, fieldsV1: fields }
}

function valueOf(object: JsonObject | undefined, path: Path): Json | undefined {
  let found: Json | undefined = object
  for (const key of path) found = step(found, key)
  return found
}

function step(value: Json | undefined, key: string): Json | undefined {
  if (key.startsWith('f:')) return isObject(value) ? value[key.slice(2)] : undefined
  return isList(value) ? value[indexIn(value, key)] : undefined
}

function indexIn(list: readonly Json[], key: string): number {
  const [[name, text] = ['', '']] = Object.entries<string>(JSON.parse(key.slice(2)))
  return list.findIndex((item) => textIn(item, name) === text)
}
