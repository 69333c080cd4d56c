import type { Timeline } from './playback.ts'

/**
 * What the planner answered for every position of the slider when the site was built, to be played back: all workloads of
 * the stream, and for each position how they were placed and what every tick comes to. Minutes since the stream began.
 */
export type HeroTape = {
  /** When they run, how busy they are, and which GPU each has where it takes a whole one: the same in every mix. */
  readonly jobs: readonly (readonly [from: number, until: number, busy: number, gpu: number])[]
  readonly mixes: readonly HeroMix[]
}

export type HeroMix = {
  readonly jobs: readonly (readonly [name: string, slices: number, gpu: number, start: number, size: number])[]
  /** Those of a tick are the last that do not begin after it. */
  readonly figures: readonly (readonly [tick: number, figures: TapeFigures])[]
}

/** What a window comes to; `busy` is in per cent, and absent where no GPU is used. */
export type TapeFigures = {
  readonly workloads: number
  /** GPUs below which no layout can serve them; absent where that was not proven. */
  readonly bound?: number | undefined
  readonly whole: HeroRow
  readonly mig: HeroRow
}
type HeroRow = { readonly gpus: number; readonly busy?: number | undefined }

/** The score that is shown: a window of time from its left edge, what is in it, and what it comes to. */
export type HeroPicture = TapeFigures & {
  readonly from: number
  readonly notes: Readonly<Record<'whole' | 'mig', readonly TapeNote[]>>
}

/** One workload on one GPU, like a note on a lane: from when to when, and on which memory slices. */
export type TapeNote = {
  readonly id: number
  readonly name: string
  readonly from: number
  readonly until: number
  readonly busy: number
  readonly slices: number
  readonly gpu: number
  readonly start: number
  readonly size: number
}

/** Minutes in the window, and how many of them are past. */
export const SPAN = 210
export const PAST = 150
/** Planned beyond the right edge, so that what comes into view is there already. */
export const LEAD = 8
/** Where the window begins when the page opens: late enough that all teams are at work. */
export const OPENING = 120
/** Minutes of the score that go by in a tick, how long a tick is, and after how many the tape begins again. */
export const MINUTES_PER_TICK = 2
const TICK_MILLISECONDS = 1000
export const TICKS = 90
/** GPUs that are drawn; the others are counted. */
export const SHOWN = { whole: 4, mig: 3 } as const
/** Positions of the slider, from small workloads to large ones. */
export const POSITIONS = 21

/** Milliseconds since the tape began. */
export const HERO_TIMELINE: Timeline<number> = {
  start: 0,
  later: (elapsed, by) => elapsed + by,
  untilChange: (elapsed) => TICK_MILLISECONDS - (elapsed % TICK_MILLISECONDS),
}

/** How often the tape was played to its end, and the tick that it is at. */
export function tapePlaceAt(elapsed: number): { readonly round: number; readonly tick: number } {
  const ticks = Math.floor(elapsed / TICK_MILLISECONDS)
  return { round: Math.floor(ticks / TICKS), tick: ticks % TICKS }
}

/** What the tape shows at a position of the slider so many ticks after its beginning. */
export function pictureAt({ jobs, mixes }: HeroTape, position: number, tick: number): HeroPicture {
  const mix = mixes[position]
  const figures = mix?.figures.findLast(([since]) => since <= tick)?.[1]
  if (mix === undefined || figures === undefined) throw new Error(`the tape has no position ${position}`)
  const from = OPENING + tick * MINUTES_PER_TICK
  const rows = jobs.map(([begins, until, busy, gpu], id) => {
    const [name = '', slices = 0, cut = 0, start = 0, size = 0] = mix.jobs[id] ?? []
    const job = { id, name, from: begins, until, busy, slices }
    return { whole: { ...job, gpu, start: 0, size: 8 }, mig: { ...job, gpu: cut, start, size } }
  })
  const shown = (row: 'whole' | 'mig'): readonly TapeNote[] =>
    rows.flatMap(({ [row]: note }) => (note.gpu < SHOWN[row] && note.until > from && begun(note, from) ? [note] : []))
  return { ...figures, from, notes: { whole: shown('whole'), mig: shown('mig') } }
}

const begun = (note: TapeNote, from: number): boolean => note.from <= from + SPAN + LEAD

/** How a GPU is cut at a moment, by compute slices, large ones first: `4+2+1`, `3+4×1`. Undefined where nothing is on it. */
export function cutAt(notes: readonly TapeNote[], gpu: number, time: number): string | undefined {
  const there = notes.filter((note) => note.gpu === gpu && note.from <= time && time < note.until)
  const cut = SIZES.flatMap((size) => {
    const count = there.filter(({ slices }) => slices === size).length
    if (count === 0) return []
    return count > 1 ? `${count}×${size}` : `${size}`
  })
  return cut.length === 0 ? undefined : cut.join('+')
}

const SIZES = [7, 4, 3, 2, 1]
