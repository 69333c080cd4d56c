import { deserialize, serialize } from 'node:v8'

import type { ModelSection } from '@septet/domain'

/** A value as bytes that other threads read in place: to hand them over costs nothing, whoever unpacks them. */
export type Packed<Value> = {
  readonly bytes: Uint8Array
  /** Never there: it only says what the bytes are. */
  readonly of?: Value
}

/** What can be cloned can be packed: no functions. */
export const pack = <Value>(value: Value): Packed<Value> => ({ bytes: shared(serialize(value)) })

/** A section whose bytes came from elsewhere, as threads hand it over. */
export const inSharedMemory = ({ bytes, ...section }: ModelSection): ModelSection => ({
  ...section,
  bytes: bytes === undefined ? undefined : shared(bytes),
})

function shared(made: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(new SharedArrayBuffer(made.byteLength))
  bytes.set(made)
  return bytes
}

export const unpack = <Value>({ bytes }: Packed<Value>): Value => deserialize(bytes)

/** Unpacks when first asked, once. */
export function lazily<Value>(packed: Packed<Value>): () => Value {
  let rest: Packed<Value> | undefined = packed
  let value: Value
  return () => {
    if (rest !== undefined) {
      value = unpack(rest)
      rest = undefined
    }
    return value
  }
}
