/** One thing that can be done with a GPU: the lower `first`, then `second`, the sooner it is tried. */
export type Option = { readonly first: number; readonly second: number }

/** An option of one GPU, by its place among the GPU's options. */
export type Choice = { readonly gpu: number; readonly option: number }

/** Options of equal worth, in the order of their GPUs. */
type Level = Option & { readonly gpus: number[]; readonly options: number[] }

/** The options of a whole fleet, by worth; made in one pass, without sorting GPUs. */
export type OptionTable = readonly Level[]

export type TableQuestion = {
  /** GPUs by number, in the order that decides between options of equal worth. */
  readonly order: Iterable<number>
  /** The kind of each GPU, by number; GPUs of one kind have equal options. */
  readonly kindOf: (gpu: number) => number
  readonly optionsOf: (gpu: number) => readonly Option[]
}

export function optionTable({ order, kindOf, optionsOf }: TableQuestion): OptionTable {
  const levels = new Map<number, Map<number, Level>>()
  const byKind: Level[][] = []
  for (const gpu of order) {
    const own = (byKind[kindOf(gpu)] ??= optionsOf(gpu).map((option) => levelOf(levels, option)))
    for (let option = 0; option < own.length; option += 1) {
      own[option]?.gpus.push(gpu)
      own[option]?.options.push(option)
    }
  }
  return [...levels.values()]
    .flatMap((each) => [...each.values()])
    .toSorted((a, b) => a.first - b.first || a.second - b.second)
}

function levelOf(levels: Map<number, Map<number, Level>>, { first, second }: Option): Level {
  const bySecond = levels.get(first) ?? new Map<number, Level>()
  const level = bySecond.get(second) ?? { first, second, gpus: [], options: [] }
  levels.set(first, bySecond)
  bySecond.set(second, level)
  return level
}

export type OrderQuestion = {
  readonly table: OptionTable
  /** GPUs that are otherwise than the table says. */
  readonly changed: ReadonlyMap<number, unknown>
  /** Their options now. */
  readonly optionsOf: (gpu: number) => readonly Option[]
  /** Each GPU's place in the order that decides between options of equal worth; undefined: its number. */
  readonly places: Int32Array | undefined
  readonly admits: (gpu: number) => boolean
}

/** Every option of the fleet as it is now, best first. */
export function* optionsInOrder({
  table,
  changed,
  optionsOf,
  places,
  admits,
}: OrderQuestion): Generator<Choice & Option, void> {
  const place = (gpu: number): number => (places === undefined ? gpu : (places[gpu] ?? 0))
  const own = [...changed.keys()]
    .filter(admits)
    .flatMap((gpu) => optionsOf(gpu).map((each, option) => ({ ...each, gpu, option })))
    .toSorted((a, b) => a.first - b.first || a.second - b.second || place(a.gpu) - place(b.gpu) || a.option - b.option)
  let next = 0
  for (const { first, second, gpus, options } of table) {
    for (let index = 0; index < gpus.length; index += 1) {
      const gpu = gpus[index] ?? 0
      if (!admits(gpu) || changed.has(gpu)) continue
      for (let one = own[next]; one !== undefined && isBefore(one, { first, second, gpu }); one = own[next]) {
        next += 1
        yield one
      }
      yield { first, second, gpu, option: options[index] ?? 0 }
    }
  }
  yield* own.slice(next)

  function isBefore(one: Choice & Option, { first, second, gpu }: Option & Pick<Choice, 'gpu'>): boolean {
    return (one.first - first || one.second - second || place(one.gpu) - place(gpu)) < 0
  }
}
