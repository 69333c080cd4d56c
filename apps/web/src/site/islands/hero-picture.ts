import { heroBound, heroFigures, type Board, type HeroFigures, type HeroFrame, type HeroNote } from '@septet/domain'

/** The score that is shown: a window of time, what is in it, and what it comes to. Minutes since the stream began. */
export type HeroPicture = {
  /** The left edge. */
  readonly from: number
  readonly whole: HeroRowPicture
  readonly mig: HeroRowPicture
  /** Workloads in the window. */
  readonly workloads: number
  /** GPUs below which nobody can serve them; undefined where that was not proven. */
  readonly bound: number | undefined
}

/** One way to run the workloads: the GPUs that are drawn, and what all of them come to. */
type HeroRowPicture = HeroFigures & { readonly notes: readonly HeroNote[] }

/** Minutes in the window, and how many of them are past. */
export const SPAN = 210
export const PAST = 150
/** Planned beyond the right edge, so that what comes into view is there already. */
export const LEAD = 8
/** Where the window begins when the page opens: late enough that all teams are at work. */
export const OPENING = 120
/** Minutes of the score that go by in a tick, and how long a tick is. */
export const MINUTES_PER_TICK = 2
export const TICK_MILLISECONDS = 1000
/** GPUs that are drawn; the others are counted. */
export const SHOWN = { whole: 4, mig: 3 } as const

/** What a window of a planned stream shows. */
export function pictureOf(frame: HeroFrame, from: number, board: Board): HeroPicture {
  const window = { from, to: from + SPAN }
  return {
    from,
    whole: { ...heroFigures(frame.whole, window, board), notes: shown(frame.whole, { from, gpus: SHOWN.whole }) },
    mig: { ...heroFigures(frame.mig, window, board), notes: shown(frame.mig, { from, gpus: SHOWN.mig }) },
    workloads: frame.mig.filter((note) => note.until > window.from && note.from < window.to).length,
    bound: heroBound(frame.mig, window, board),
  }
}

const shown = (
  notes: readonly HeroNote[],
  { from, gpus }: { readonly from: number; readonly gpus: number },
): readonly HeroNote[] => notes.filter((note) => note.gpu < gpus && note.until > from)

/** How a GPU is cut at a moment, by compute slices, large ones first: `4+2+1`, `3+4×1`. Undefined where nothing is on it. */
export function cutAt(notes: readonly HeroNote[], gpu: number, time: number): string | undefined {
  const there = notes.filter((note) => note.gpu === gpu && note.from <= time && time < note.until)
  const cut = SIZES.flatMap((size) => {
    const count = there.filter(({ slices }) => slices === size).length
    if (count === 0) return []
    return count > 1 ? `${count}×${size}` : `${size}`
  })
  return cut.length === 0 ? undefined : cut.join('+')
}

const SIZES = [7, 4, 3, 2, 1]
