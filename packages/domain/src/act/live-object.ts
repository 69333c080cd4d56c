import type { LiveObject } from './cluster-writer.ts'

const isObject = (value: unknown): value is LiveObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The value at a path of keys; undefined where there is none. */
export function valueAt(object: unknown, ...path: readonly string[]): unknown {
  let found = object
  for (const key of path) {
    if (!isObject(found)) return undefined
    found = found[key]
  }
  return found
}

/** Text at a path; empty where there is none. */
export const textAt = (object: unknown, ...path: readonly string[]): string => {
  const found = valueAt(object, ...path)
  return typeof found === 'string' ? found : ''
}

export const liveNumberAt = (object: unknown, ...path: readonly string[]): number | undefined => {
  const found = valueAt(object, ...path)
  return typeof found === 'number' ? found : undefined
}

export const listAt = (object: unknown, ...path: readonly string[]): readonly unknown[] => {
  const found = valueAt(object, ...path)
  return Array.isArray(found) ? found : []
}

/** Keys and text values at a path, as labels and annotations are. */
export const textsAt = (object: unknown, ...path: readonly string[]): Readonly<Record<string, string>> => {
  const found = valueAt(object, ...path)
  if (!isObject(found)) return {}
  return Object.fromEntries(
    Object.entries(found).flatMap(([key, value]) => (typeof value === 'string' ? [[key, value]] : [])),
  )
}

/**
 * A merge that names the version it was decided by is refused once anybody has changed the object: also where it arrives late,
 * from one who no longer acts.
 */
export const asRead = (object: LiveObject) => ({ resourceVersion: textAt(object, 'metadata', 'resourceVersion') })
