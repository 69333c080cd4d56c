import type { IndexFrame, GpuOrder } from './index-frame.ts'
import { optionTable, type Option, type OptionTable } from './options-in-order.ts'
import type { GpuSpace } from './gpu-space.ts'
import type { SpaceKind } from './space-kind.ts'

/** What can be done with GPUs of one kind, under a name by which it is remembered. */
export type KindQuestion = { readonly name: string; readonly of: (like: GpuSpace) => readonly Option[] }

/** All GPUs of a fleet at one moment, with tables of what can be done with them, made as they are asked for. */
export class IndexTables {
  readonly frame: IndexFrame
  /** By number. */
  readonly spaces: readonly GpuSpace[]
  #kinds: SpaceKind[] | undefined
  readonly #tables = new Map<string, OptionTable>()
  readonly #capacities = new Map<string, Uint16Array>()
  readonly #mates = new Map<number, string>()

  constructor(frame: IndexFrame, spaces: readonly GpuSpace[]) {
    this.frame = frame
    this.spaces = spaces
  }

  /** The same fleet with other GPUs under these numbers. */
  with(changed: ReadonlyMap<number, GpuSpace>): IndexTables {
    const spaces = [...this.spaces]
    for (const [gpu, space] of changed) spaces[gpu] = space
    const next = new IndexTables(this.frame, spaces)
    if (this.#kinds !== undefined) {
      next.#kinds = [...this.#kinds]
      for (const [gpu, space] of changed) next.#kinds[gpu] = this.frame.kinds.of(space)
    }
    return next
  }

  #kindsNow(): readonly SpaceKind[] {
    this.#kinds ??= this.spaces.map((space) => this.frame.kinds.of(space))
    return this.#kinds
  }

  table(question: KindQuestion, order?: GpuOrder): OptionTable {
    const known = this.#tables.get(question.name)
    if (known !== undefined) return known
    const kinds = this.#kindsNow()
    const made = optionTable({
      order: order?.order ?? this.spaces.keys(),
      kindOf: (gpu) => kinds[gpu]?.id ?? 0,
      optionsOf: (gpu) => {
        const kind = kinds[gpu]
        return kind === undefined ? [] : optionsOfKind(kind, question)
      },
    })
    this.#tables.set(question.name, made)
    return made
  }

  /** Of each GPU, how many more of something it could give at most. */
  capacities(name: string, of: (like: GpuSpace) => number): Uint16Array {
    const known = this.#capacities.get(name)
    if (known !== undefined) return known
    const byKind: number[] = []
    const made = Uint16Array.from(this.#kindsNow(), (kind) => (byKind[kind.id] ??= capacityOfKind(kind, name, of)))
    this.#capacities.set(name, made)
    return made
  }

  /** Equal for nodes with the same kinds of GPUs. */
  mates(node: number): string {
    const known = this.#mates.get(node)
    if (known !== undefined) return known
    const made = matesText(this.frame, node, (gpu) => this.spaces[gpu])
    this.#mates.set(node, made)
    return made
  }
}

export function optionsOfKind(kind: SpaceKind, { name, of }: KindQuestion): readonly Option[] {
  const known = kind.options.get(name)
  if (known !== undefined) return known
  const options = of(kind.like).map(({ first, second }) => ({ first, second }))
  kind.options.set(name, options)
  return options
}

export function capacityOfKind(kind: SpaceKind, name: string, of: (like: GpuSpace) => number): number {
  const capacity = kind.capacities.get(name) ?? of(kind.like)
  kind.capacities.set(name, capacity)
  return capacity
}

export function matesText(
  { gpusOf, kinds }: IndexFrame,
  node: number,
  spaceOf: (gpu: number) => GpuSpace | undefined,
): string {
  const ids = (gpusOf[node] ?? []).flatMap((gpu) => {
    const space = spaceOf(gpu)
    return space === undefined ? [] : [kinds.of(space).id]
  })
  return ids.toSorted((a, b) => a - b).join(',')
}
