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

/** A long list in pieces, each unpacked in a moment that nobody notices. */
export type PackedList<Value> = readonly Packed<readonly Value[]>[]

export function packList<Value>(list: readonly Value[], pieceLength: number): PackedList<Value> {
  const pieces: Packed<readonly Value[]>[] = []
  for (let start = 0; start < list.length; start += pieceLength)
    pieces.push(pack(list.slice(start, start + pieceLength)))
  return pieces
}

/** A list that is being unpacked. */
export type Unpacking<Value> = {
  /** The whole list: what is not unpacked yet, is now. */
  readonly list: () => readonly Value[]
  /** Unpacks one more piece; false when there is none left. */
  readonly step: () => boolean
}

/** Unpacks piece by piece, as somebody calls for it. */
export function unpacking<Value>(pieces: PackedList<Value>): Unpacking<Value> {
  const values: Value[] = []
  const left = [...pieces].toReversed()
  const step = (): boolean => {
    const piece = left.pop()
    if (piece === undefined) return false
    const more: readonly Value[] = deserialize(piece.bytes)
    for (const value of more) values.push(value)
    return true
  }
  return {
    step,
    list: () => {
      while (step());
      return values
    },
  }
}
