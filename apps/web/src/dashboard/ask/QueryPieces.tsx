import type { Answer } from '../../api.ts'
import { STEP } from '../copilot/NextSteps.tsx'

type Read = Answer<'queryAsk'>
type Piece = Read['pieces'][number]

type Props = { readonly read: Read; readonly change: (line: string) => void }

/** What each piece of the line was read as. One that is not understood says why, and what may stand in its place. */
export function QueryPieces({ read, change }: Props) {
  const { line, pieces, assumed } = read
  const without = ({ from, to }: Piece): string =>
    `${line.slice(0, from)}${line.slice(to)}`.replaceAll(/\s+/gu, ' ').trim()
  const open = pieces.filter(({ problem, choices }) => problem !== null || choices.length > 1)
  return (
    <div className="grid gap-3">
      <ul aria-label="What the line was read as" className="flex flex-wrap gap-1.5">
        {pieces.map((piece) => (
          <li
            key={piece.from}
            className={`inline-flex max-w-full items-center gap-2 rounded-control border px-2.5 py-1 text-13 ${piece.problem === null ? 'border-line bg-sunken' : 'border-(--fault) bg-fault-soft text-fault-ink'}`}
          >
            <span className="text-12 text-ink-quiet">{KIND_WORDS[piece.kind]}</span>
            <span className="min-w-0 font-medium wrap-anywhere">{piece.says}</span>
            <button
              type="button"
              aria-label={`Remove ${piece.says}`}
              onClick={() => change(without(piece))}
              className="-mr-1 inline-flex size-6 items-center justify-center rounded-[4px] text-ink-soft hover:bg-surface"
            >
              ×
            </button>
          </li>
        ))}
        {assumed.map((text) => (
          <li key={text}>
            <button
              type="button"
              title="Nothing else was said. Write it into the line to change it."
              onClick={() => change(`${line.trim()} ${text}`)}
              className="inline-flex min-h-8 items-center rounded-control border border-dashed border-line-strong px-2.5 py-1 text-13 text-ink-soft hover:text-ink"
            >
              {text}
            </button>
          </li>
        ))}
      </ul>
      {open.map((piece) => (
        <div key={piece.from} className="flex flex-wrap items-center gap-x-3 gap-y-1.5 text-13">
          <span className={piece.problem === null ? 'text-ink-soft' : 'text-fault-ink'}>
            {piece.problem ?? `“${line.slice(piece.from, piece.to).trim()}” is all of these; choose one:`}
          </span>
          {piece.choices.map((choice) => (
            <button key={choice} type="button" onClick={() => change(choice)} className={STEP}>
              {choice.slice(0, piece.from) === line.slice(0, piece.from) ? choice.slice(piece.from) : choice}
            </button>
          ))}
        </div>
      ))}
    </div>
  )
}

const KIND_WORDS = {
  figure: 'Figure',
  subject: 'Of what',
  condition: 'Which',
  time: 'When',
  compare: 'Compared',
  order: 'Order',
  question: 'Question',
  unknown: 'Not understood',
} satisfies Record<Piece['kind'], string>
