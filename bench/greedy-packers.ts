import { bitCount } from '@septet/domain'

/** Takes workloads one after the other and never looks back; returns how many GPUs it uses. */
export type Packer = (arrivals: readonly string[]) => number

/** What a scheduler without a plan would do, on a GPU with 8 memory slices. */
export const PACKERS: Readonly<Record<string, Packer>> = {
  'first fit, lowest start': (arrivals) => pack(arrivals, { start: 'low', choose: 'first' }),
  'first fit, highest start': (arrivals) => pack(arrivals, { start: 'high', choose: 'first' }),
  'best fit': (arrivals) => pack(arrivals, { start: 'high', choose: 'fullest' }),
  'first fit, lowest start, largest first': (arrivals) =>
    pack(largestFirst(arrivals), { start: 'low', choose: 'first' }),
  'first fit, highest start, largest first': (arrivals) =>
    pack(largestFirst(arrivals), { start: 'high', choose: 'first' }),
  'best fit, largest first': (arrivals) => pack(largestFirst(arrivals), { start: 'high', choose: 'fullest' }),
  'one workload per GPU': (arrivals) => arrivals.length,
}

type Shape = { readonly compute: number; readonly size: number; readonly starts: readonly number[] }

const SHAPES: Readonly<Record<string, Shape>> = {
  '1g': { compute: 1, size: 1, starts: [0, 1, 2, 3, 4, 5, 6] },
  '1g+m': { compute: 1, size: 2, starts: [0, 2, 4, 6] },
  '2g': { compute: 2, size: 2, starts: [0, 2, 4] },
  '3g': { compute: 3, size: 4, starts: [0, 4] },
  '4g': { compute: 4, size: 4, starts: [0] },
  '7g': { compute: 7, size: 8, starts: [0] },
}

const shapeOf = (name: string): Shape => {
  const shape = SHAPES[name]
  if (shape === undefined) throw new Error(`no profile ${name}`)
  return shape
}

const largestFirst = (arrivals: readonly string[]): readonly string[] =>
  arrivals.toSorted((a, b) => shapeOf(b).size - shapeOf(a).size || shapeOf(b).compute - shapeOf(a).compute)

type Rule = { readonly start: 'low' | 'high'; readonly choose: 'first' | 'fullest' }

function pack(arrivals: readonly string[], { start, choose }: Rule): number {
  const gpus: number[] = []
  for (const name of arrivals) {
    const shape = shapeOf(name)
    const starts = start === 'low' ? shape.starts : shape.starts.toReversed()
    const cover = ((1 << shape.size) - 1) >>> 0
    const masks = starts.map((at) => cover << at)
    const index = choose === 'first' ? gpus.findIndex((taken) => hasRoom(taken, masks)) : fullest(gpus, masks)
    const taken = gpus[index] ?? 0
    const mask = masks.find((each) => (each & taken) === 0) ?? 0
    gpus[index < 0 ? gpus.length : index] = taken | mask
  }
  return gpus.length
}

const hasRoom = (taken: number, masks: readonly number[]): boolean => masks.some((mask) => (mask & taken) === 0)

function fullest(gpus: readonly number[], masks: readonly number[]): number {
  let best = -1
  let most = -1
  for (const [index, taken] of gpus.entries()) {
    const used = bitCount(taken)
    if (used > most && hasRoom(taken, masks)) {
      best = index
      most = used
    }
  }
  return best
}
