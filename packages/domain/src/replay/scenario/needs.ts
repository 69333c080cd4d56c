import { plainProfiles, profileOf, sliceShare, type Board, type MigProfile } from '../../gpu/board.ts'
import { memoryOfDevice } from '../../plan/recommend/memory-of-device.ts'
import { boardFor } from '../../gpu/known-boards.ts'
import type { ScenarioShape } from './scenario.ts'

/** What a shape asks of one model. */
export type ScenarioNeed =
  | { readonly kind: 'whole'; readonly gpus: number }
  /** A part of one GPU: the smallest profile that will do where the model has MIG, and its thousandths. */
  | { readonly kind: 'part'; readonly profile: MigProfile | undefined; readonly milli: number }

/** What the shape asks of a GPU of this model; undefined where it does not fit one, or may not run there. */
export function needOn(shape: ScenarioShape, model: string, boards: 'same' | 'any'): ScenarioNeed | undefined {
  if (shape.model === model) return ownNeed(shape)
  if (boards === 'same') return undefined
  const { compute, memory, gpus } = amountsOf(shape)
  const room = memoryOfDevice({ model, profile: '' })
  if (memory === undefined || room === undefined || room < memory * FITS) return undefined
  if (gpus > 1 || compute >= 1) return { kind: 'whole', gpus }
  const board = boardFor(model)
  if (board === undefined) return partOf(undefined, Math.max(compute, memory / room))
  const profile = fitting(board, compute, memory)
  return profile === undefined ? { kind: 'whole', gpus: 1 } : partOf(profile, sliceShare(board, profile))
}

/** Boards of one size differ by what their driver keeps back. */
const FITS = 0.97

function ownNeed({ size, model }: ScenarioShape): ScenarioNeed {
  if (size.kind === 'whole') return size
  const board = boardFor(model)
  if (size.kind === 'share') {
    return partOf(board === undefined ? undefined : fitting(board, size.milli / 1000, 0), size.milli / 1000)
  }
  const profile = board === undefined ? undefined : profileOf(board, size.profile)
  if (board === undefined || profile === undefined) return { kind: 'whole', gpus: 1 }
  const plain = fitting(board, sliceShare(board, profile), profile.memory ?? 0) ?? profile
  return plain.computeSlices === board.computeSlices
    ? { kind: 'whole', gpus: 1 }
    : partOf(plain, sliceShare(board, plain))
}

const partOf = (profile: MigProfile | undefined, share: number): ScenarioNeed => {
  const milli = Math.min(1000, Math.ceil(share * 1000 - 1e-9))
  return milli >= 1000 ? { kind: 'whole', gpus: 1 } : { kind: 'part', profile, milli }
}

/** The smallest profile with as much compute and memory. */
function fitting(board: Board, compute: number, memory: number): MigProfile | undefined {
  return plainProfiles(board)
    .filter((profile) => sliceShare(board, profile) >= compute - 1e-9 && (profile.memory ?? Infinity) >= memory * FITS)
    .toSorted((a, b) => a.computeSlices - b.computeSlices || a.size - b.size)[0]
}

type Amounts = { readonly compute: number; readonly memory: number | undefined; readonly gpus: number }

/** Compute as a part of its own GPU, memory in MiB for each GPU. */
function amountsOf({ model, size }: ScenarioShape): Amounts {
  const whole = memoryOfDevice({ model, profile: '' })
  if (size.kind === 'whole') return { compute: 1, memory: whole, gpus: size.gpus }
  if (size.kind === 'share') {
    const part = size.milli / 1000
    return { compute: part, memory: whole === undefined ? undefined : whole * part, gpus: 1 }
  }
  const board = boardFor(model)
  const profile = board === undefined ? undefined : profileOf(board, size.profile)
  if (board === undefined || profile === undefined) return { compute: 1, memory: whole, gpus: 1 }
  return { compute: sliceShare(board, profile), memory: profile.memory, gpus: 1 }
}
