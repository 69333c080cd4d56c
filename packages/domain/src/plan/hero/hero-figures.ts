import type { Board } from '../../gpu/board.ts'
import { ratio, type Ratio } from '../../units.ts'
import { provenGpus } from '../layout/proven-gpus.ts'
import type { HeroNote } from './hero-stream.ts'

/** Minutes, as the notes count them. */
export type HeroWindow = { readonly from: number; readonly to: number }

export type HeroFigures = {
  /** The most GPUs that hold anything at one time in the window: so many are needed. */
  readonly gpus: number
  /** Compute kept busy, over the compute of the GPUs needed through the window; undefined where none is needed. */
  readonly busy: Ratio | undefined
}

/** What a row of GPUs comes to over a window. */
export function heroFigures(notes: readonly HeroNote[], window: HeroWindow, board: Board): HeroFigures {
  const gpus = Math.max(0, ...startsIn(notes, window).map((time) => gpusAt(notes, time)))
  const busySlices = notes.reduce((sum, note) => sum + note.slices * note.busy * minutesIn(note, window), 0)
  const minutes = gpus * board.computeSlices * (window.to - window.from)
  return { gpus, busy: minutes === 0 ? undefined : ratio(busySlices / minutes) }
}

/**
 * GPUs below which nobody can serve what runs at the window's busiest time, whatever they cut and move: proven by a
 * certificate that is checked here. Undefined where nothing was proven.
 */
export function heroBound(notes: readonly HeroNote[], window: HeroWindow, board: Board): number | undefined {
  const [busiest] = startsIn(notes, window)
    .map((time) => ({ time, gpus: gpusAt(notes, time), slots: slotsAt(notes, time) }))
    .toSorted((a, b) => b.gpus - a.gpus || b.slots - a.slots || a.time - b.time)
  if (busiest === undefined) return undefined
  const counts = new Map<string, number>()
  for (const { profile } of runningAt(notes, busiest.time)) counts.set(profile, (counts.get(profile) ?? 0) + 1)
  return provenGpus(board, counts)
}

/** When something begins in the window, and its first moment: between these, nothing can grow. */
const startsIn = (notes: readonly HeroNote[], { from, to }: HeroWindow): readonly number[] => [
  from,
  ...notes.flatMap((note) => (note.from > from && note.from < to ? [note.from] : [])),
]

const runningAt = (notes: readonly HeroNote[], time: number): readonly HeroNote[] =>
  notes.filter(({ from, until }) => from <= time && time < until)

const gpusAt = (notes: readonly HeroNote[], time: number): number =>
  new Set(runningAt(notes, time).map(({ gpu }) => gpu)).size

const slotsAt = (notes: readonly HeroNote[], time: number): number =>
  runningAt(notes, time).reduce((sum, { size }) => sum + size, 0)

const minutesIn = ({ from, until }: HeroNote, window: HeroWindow): number =>
  Math.max(0, Math.min(until, window.to) - Math.max(from, window.from))
