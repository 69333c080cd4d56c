import { deserialize, serialize } from 'node:v8'

/** A value as bytes, for another thread: to take it over costs nothing until somebody looks. */
export type Packed<Value> = {
  readonly bytes: Uint8Array
  /** Never there: it only says what the bytes are. */
  readonly of?: Value
}

/** What can be cloned can be packed: no functions. */
export const pack = <Value>(value: Value): Packed<Value> => ({ bytes: serialize(value) })

/** Unpacks when first asked, once. */
export function lazily<Value>(packed: Packed<Value>): () => Value {
  let rest: Packed<Value> | undefined = packed
  let value: Value
  return () => {
    if (rest !== undefined) {
      value = deserialize(rest.bytes)
      rest = undefined
    }
    return value
  }
}
