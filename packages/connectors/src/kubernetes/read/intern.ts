/** Most values kept; a cluster has far fewer different label maps and lists of tolerations. */
const MOST = 10_000
const known = new Map<string, unknown>()

/** The first equal value that was asked for: thousands of pods with the same tolerations share one list. */
export function intern<Value extends object>(value: Value): Value {
  const key = JSON.stringify(value)
  const found = known.get(key)
  // Equal as JSON is equal in every way for what was read from JSON, so the kept value has the same type.
  if (isSame(value, found)) return found
  if (known.size >= MOST) known.clear()
  known.set(key, value)
  return value
}

const isSame = <Value extends object>(value: Value, found: unknown): found is Value =>
  found !== undefined && Array.isArray(found) === Array.isArray(value)
