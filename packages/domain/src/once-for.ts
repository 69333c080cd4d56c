/** `make`, asked once, when somebody first wants to know. */
export function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined
  return () => (made ??= { value: make() }).value
}

/**
 * `make`, asked once for each object and forgotten with it. For what is made of snapshots, pictures, analyses and boards,
 * which are replaced and never changed: many questions look at the same one.
 */
export function onceFor<Key extends WeakKey, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new WeakMap<Key, { readonly value: Value }>()
  return (key) => {
    const known = made.get(key)
    if (known !== undefined) return known.value
    const value = make(key)
    made.set(key, { value })
    return value
  }
}
