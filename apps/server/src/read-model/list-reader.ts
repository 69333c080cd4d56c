import { setImmediate as turn } from 'node:timers/promises'

/** A long list in pieces, each unpacked once, when somebody looks or a moment is free. */
export class ListReader<Item> {
  readonly #unpack: (bytes: Uint8Array) => readonly Item[]
  #order: readonly number[] = []
  #items: readonly Item[] | undefined
  readonly #packed = new Map<number, Uint8Array>()
  readonly #unpacked = new Map<number, readonly Item[]>()

  constructor(unpack: (bytes: Uint8Array) => readonly Item[]) {
    this.#unpack = unpack
  }

  arrange(order: readonly number[]): void {
    this.#order = order
    this.#items = undefined
  }

  put(piece: number, bytes: Uint8Array | undefined): void {
    this.#items = undefined
    this.#unpacked.delete(piece)
    if (bytes === undefined) this.#packed.delete(piece)
    else this.#packed.set(piece, bytes)
  }

  /** The whole list, in its order; the same object until something of it has changed. */
  items(): readonly Item[] {
    return (this.#items ??= this.#order.flatMap((piece) => this.#piece(piece)))
  }

  /** Unpacks what nobody has looked at yet, with a turn for others between two pieces. */
  async settle(): Promise<void> {
    for (const piece of this.#order) {
      if (this.#unpacked.has(piece)) continue
      await turn()
      this.#piece(piece)
    }
  }

  #piece(piece: number): readonly Item[] {
    const known = this.#unpacked.get(piece)
    if (known !== undefined) return known
    const bytes = this.#packed.get(piece)
    const items = bytes === undefined ? [] : this.#unpack(bytes)
    this.#unpacked.set(piece, items)
    // What was unpacked is what is read from now on; its bytes would be there twice.
    this.#packed.delete(piece)
    return items
  }
}
