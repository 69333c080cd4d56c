/** A stretch of a list, written under a number of its own. */
export type ListPiece<Item> = { readonly number: number; readonly items: readonly Item[] }

/** What became of a list: the numbers of its pieces in order, those that are new, and those that are gone. */
export type WrittenList<Item> = {
  readonly order: readonly number[]
  readonly fresh: readonly ListPiece<Item>[]
  readonly gone: readonly number[]
}

/**
 * Cuts a long list into pieces where its items say so, not by counting: what comes or goes changes the piece it is in and
 * no other. A piece that holds the very same objects as before is not written again.
 */
export class ListWriter<Item extends object> {
  readonly #idOf: (item: Item) => string
  readonly #about: number
  #pieces = new Map<Item | undefined, ListPiece<Item>>()
  #numbered = 0

  /** A piece has `about` so many items. */
  constructor(about: number, idOf: (item: Item) => string) {
    this.#about = about
    this.#idOf = idOf
  }

  write(items: readonly Item[]): WrittenList<Item> {
    const before = this.#pieces
    const fresh: ListPiece<Item>[] = []
    const pieces = this.#cut(items).map((stretch) => {
      const known = before.get(stretch[0])
      if (known !== undefined && isSame(known.items, stretch)) return known
      this.#numbered += 1
      const piece = { number: this.#numbered, items: stretch }
      fresh.push(piece)
      return piece
    })
    this.#pieces = new Map(pieces.map((piece) => [piece.items[0], piece]))
    const kept = new Set(pieces)
    const gone = [...before.values()].filter((piece) => !kept.has(piece)).map(({ number }) => number)
    return { order: pieces.map(({ number }) => number), fresh, gone }
  }

  /** Every piece is fresh again. */
  forget(): void {
    this.#pieces = new Map()
  }

  #cut(items: readonly Item[]): readonly (readonly Item[])[] {
    const stretches: (readonly Item[])[] = []
    let start = 0
    for (const [at, item] of items.entries()) {
      const isLast = at === items.length - 1
      if (!isLast && !endsPiece(this.#idOf(item), this.#about) && at - start + 1 < LONGEST * this.#about) continue
      stretches.push(items.slice(start, at + 1))
      start = at + 1
    }
    return stretches
  }
}

/** So many times longer than wanted a piece may get where no item ends it. */
const LONGEST = 4

const isSame = <Item>(a: readonly Item[], b: readonly Item[]): boolean =>
  a.length === b.length && a.every((item, at) => item === b[at])

/** True for about one id in so many; the ends of names differ most. */
function endsPiece(id: string, about: number): boolean {
  let hash = 0
  for (let at = Math.max(0, id.length - 8); at < id.length; at += 1) hash = (hash * 31 + id.charCodeAt(at)) >>> 0
  return hash % about === 0
}
