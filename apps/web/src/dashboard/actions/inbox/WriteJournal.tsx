import { plural } from '@septet/domain/words'

import { Badge } from '../../../ui/Badge.tsx'
import { clockTime } from '../../../ui/time-words.ts'
import type { ActionDetail } from '../../acting/action-words.ts'
import { Part } from '../../panel/Part.tsx'
import { EvidenceLinks } from './EvidenceLinks.tsx'

/** Every dry run and every write to the cluster, as it was sent. */
export const WriteJournal = ({ rehearsals, writes }: Pick<ActionDetail, 'rehearsals' | 'writes'>) => (
  <>
    {rehearsals.length > 0 && (
      <Part title="Dry runs" aside={<Count of={plural(rehearsals.length, 'dry run')} />}>
        <WriteLines writes={rehearsals} />
      </Part>
    )}
    <Part title="Writes to the cluster" aside={writes.length > 0 && <Count of={plural(writes.length, 'write')} />}>
      {writes.length === 0 ? (
        <p className="text-13 text-ink-soft">None: nothing has changed so far.</p>
      ) : (
        <WriteLines writes={writes} />
      )}
    </Part>
  </>
)

const Count = ({ of }: { readonly of: string }) => <span className="text-12 text-ink-quiet">{of}</span>

const WriteLines = ({ writes }: Pick<ActionDetail, 'writes'>) => (
  <ol className="divide-y divide-line">
    {journalOf(writes).map((line) => (
      <WriteLine key={line.write.number} line={line} />
    ))}
  </ol>
)

function WriteLine({ line: { write, before } }: { readonly line: JournalLine }) {
  const { number, at, step, isUndo, what, says, outcome, evidence } = write
  return (
    <li id={writeAnchor(number)} className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-3 py-1.5 text-12">
      <code className="font-mono wrap-anywhere">
        {/* Evidence names single tries; they are all on this line. */}
        {before.map((each) => (
          <span key={each} id={writeAnchor(each)} />
        ))}
        {what}
      </code>
      <span className="flex items-baseline gap-2 justify-self-end">
        {before.length > 0 && <span className="text-ink-quiet">{before.length + 1} tries</span>}
        <Badge tone={TONES[outcome?.kind ?? 'unknown']}>{OUTCOMES[outcome?.kind ?? 'unknown']}</Badge>
      </span>
      <span className="col-span-2 text-ink-soft wrap-anywhere">
        {says}
        {outcome?.kind === 'refused' && ` ${outcome.because}`}{' '}
        <span className="text-ink-quiet">
          {placeWords(isUndo, step)}, {clockTime(at)}
        </span>
        <EvidenceLinks evidence={evidence} />
      </span>
    </li>
  )
}

const writeAnchor = (number: number): string => `write-${number}`

function placeWords(isUndo: boolean, step: number): string {
  if (step === 0) return isUndo ? 'Afterwards' : 'Before step 1'
  return isUndo ? `Reverts step ${step}` : `Step ${step}`
}

const OUTCOMES = { done: 'done', refused: 'rejected', unknown: 'no response yet' } as const
const TONES = { done: 'good', refused: 'destructive', unknown: 'warning' } as const

type Write = ActionDetail['writes'][number]

/** One write, and the numbers of the tries before it in a row; its outcome is the last one's. */
type JournalLine = { readonly write: Write; readonly before: readonly number[] }

/** The writes first to last, the same one in a row as one line. */
export function journalOf(writes: readonly Write[]): readonly JournalLine[] {
  const lines: JournalLine[] = []
  for (const write of writes) {
    const last = lines.at(-1)
    const isAgain = last !== undefined && isSame(last.write, write) && last.write.outcome?.kind !== 'done'
    if (isAgain) lines[lines.length - 1] = { write, before: [...last.before, last.write.number] }
    else lines.push({ write, before: [] })
  }
  return lines
}

const isSame = (a: Write, b: Write): boolean => a.step === b.step && a.isUndo === b.isUndo && a.what === b.what
