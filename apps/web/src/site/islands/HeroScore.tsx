import { memo } from 'react'

import { cutAt, MINUTES_PER_TICK, OPENING, PAST, SHOWN, SPAN, type TapeNote, type HeroPicture } from './hero-tape.ts'

/** `turn` tells one run of the tape from another: between them nothing glides. */
type Props = { readonly picture: HeroPicture; readonly turn: string }

/**
 * The score: lanes are GPUs and their memory slices, time runs to the right, notes are workloads. All positions are shares of
 * the window, so the tape moves as one.
 */
export function HeroScore({ picture, turn }: Props) {
  const { from, whole, mig, notes } = picture
  // The tape glides to where it is told to be during the tick that follows; on average it is half a tick behind.
  const now = from + PAST - (from > OPENING ? MINUTES_PER_TICK / 2 : 0)
  const shift = ((from - OPENING) / SPAN) * 100
  return (
    <div aria-hidden className="relative font-mono text-12 leading-none" style={{ height: HEIGHT }}>
      <Label top={0} text="One workload per GPU" more="" />
      {WHOLE_TOPS.map((top, gpu) => (
        <Lane key={top} top={top} height={LANE} name={`gpu ${gpu}`} />
      ))}
      <Rest top={WHOLE_REST} count={whole.gpus - SHOWN.whole} />
      <Label top={MIG_LABEL} text="With Septet" more=", sliced to fit" />
      {MIG_TOPS.map((top, gpu) => (
        <Lane key={top} top={top} height={GPU} name={`gpu ${gpu}`} cut={cutAt(notes.mig, gpu, now)} />
      ))}
      <Rest top={MIG_REST} count={mig.gpus - SHOWN.mig} />
      <div className="absolute inset-y-0 right-0 left-14 overflow-hidden sm:left-16">
        <div
          key={turn}
          className="absolute inset-0 transition-transform duration-1000 ease-linear"
          style={{ transform: `translateX(${-shift}%)` }}
        >
          {notes.whole.map((note) => (
            <Note key={`whole ${note.id}`} note={note} row="whole" planned={note.from > now} />
          ))}
          {notes.mig.map((note) => (
            <Note key={note.id} note={note} row="mig" planned={note.from > now} named={note.from >= from} />
          ))}
        </div>
      </div>
      <div className="pointer-events-none absolute inset-y-0 right-0 left-14 sm:left-16">
        <div className="absolute top-0 bottom-5 w-px -translate-x-1/2 bg-ink" style={{ left: NOW }} />
        <div
          className="absolute top-0 -translate-x-1/2 rounded-full bg-ink px-1.5 py-0.5 text-paper"
          style={{ left: NOW }}
        >
          now
        </div>
      </div>
    </div>
  )
}

// Pixels from the top. A memory slice of a cut GPU is nine high, a GPU eight of them.
const LANE = 15
const GPU = 72
const WHOLE_TOPS = [24, 45, 66, 87]
const WHOLE_REST = 108
const MIG_LABEL = 132
const MIG_TOPS = [154, 234, 314]
const MIG_REST = 392
const HEIGHT = 408
const SLOTS = 8
const NOW = `${(PAST / SPAN) * 100}%`

function Label({ top, text, more }: { readonly top: number; readonly text: string; readonly more: string }) {
  return (
    <span className="absolute left-0 font-sans text-13 leading-4 text-ink-soft" style={{ top }}>
      {text}
      <span className="hidden sm:inline">{more}</span>
    </span>
  )
}

type LaneProps = {
  readonly top: number
  readonly height: number
  readonly name: string
  readonly cut?: string | undefined
}

function Lane({ top, height, name, cut }: LaneProps) {
  return (
    <>
      <span className="absolute left-0 flex flex-col justify-center gap-1.5 text-ink-soft" style={{ top, height }}>
        {name}
        {cut !== undefined && <span className="text-ink-quiet">{cut}</span>}
      </span>
      <div className="absolute right-0 left-14 rounded-[3px] border border-line sm:left-16" style={{ top, height }} />
    </>
  )
}

function Rest({ top, count }: { readonly top: number; readonly count: number }) {
  return (
    <span className="absolute left-0 text-ink-quiet" style={{ top }}>
      {count > 0 ? `… ${count} more` : ''}
    </span>
  )
}

type NoteProps = {
  readonly note: TapeNote
  readonly row: 'whole' | 'mig'
  readonly planned: boolean
  /** Whether to write its name, for which its beginning must be in view. */
  readonly named?: boolean
}

const Note = memo(OneNote, (before, after) => before.planned === after.planned && before.named === after.named)

/** Within one plan a workload never moves; only how it is drawn changes as time passes it. */
function OneNote({ note, row, planned, named = false }: NoteProps) {
  const { from, until, busy, name } = note
  const box = BOXES[row](note)
  const left = ((from - OPENING) / SPAN) * 100
  const width = ((until - from) / SPAN) * 100
  return (
    <div
      className={`absolute overflow-hidden rounded-[2px] ${row === 'whole' ? `hatch-idle ${planned ? 'opacity-50' : ''}` : 'bg-busy-soft'}`}
      style={{ left: percent(left), width: `calc(${percent(width)} - 2px)`, top: box.top, height: box.height }}
    >
      <div
        className={`absolute inset-x-0 bottom-0 transition-colors duration-150 ${planned && row === 'mig' ? 'bg-planned' : 'bg-busy'}`}
        style={{ height: percent(box.filled * busy * 100) }}
      />
      {named && box.height >= 16 && (
        // A name that does not fit wraps under the first, empty item, and so out of sight.
        <div
          className={`absolute inset-x-1.5 bottom-px flex h-3.5 flex-wrap overflow-hidden ${planned ? 'text-ink' : 'text-on-busy'}`}
        >
          <span className="h-full w-px" />
          <span className="leading-3.5">{name}</span>
        </div>
      )}
    </div>
  )
}

const percent = (value: number): string => `${Number(value.toFixed(2))}%`

/** Where a note lies, and which part of its height its compute slices are. */
const BOXES = {
  whole: ({ gpu, slices }: TapeNote) => ({
    top: (WHOLE_TOPS[gpu] ?? 0) + 1,
    height: LANE - 2,
    filled: slices / 7,
  }),
  mig: ({ gpu, start, size }: TapeNote) => ({
    top: (MIG_TOPS[gpu] ?? 0) + (start * GPU) / SLOTS + 1,
    height: (size * GPU) / SLOTS - 2,
    filled: 1,
  }),
} as const
