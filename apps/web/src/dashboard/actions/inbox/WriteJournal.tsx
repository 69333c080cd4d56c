import { plural } from '@septet/domain/words'

import { Badge } from '../../../ui/Badge.tsx'
import { clockTime } from '../../../ui/time-words.ts'
import type { ActionDetail } from '../../acting/action-words.ts'
import { Part } from '../../panel/Part.tsx'
import { EvidenceLinks } from './EvidenceLinks.tsx'
import { journalOf, type JournalLine } from './journal.ts'

/** Every write to the cluster, as it was sent. */
export function WriteJournal({ writes }: { readonly writes: ActionDetail['writes'] }) {
  return (
    <Part
      title="Writes to the cluster"
      aside={writes.length > 0 && <span className="text-12 text-ink-quiet">{plural(writes.length, 'write')}</span>}
    >
      {writes.length === 0 ? (
        <p className="text-13 text-ink-soft">None: nothing was changed so far.</p>
      ) : (
        <ol className="divide-y divide-line">
          {journalOf(writes).map((line) => (
            <WriteLine key={line.write.number} line={line} />
          ))}
        </ol>
      )}
    </Part>
  )
}

function WriteLine({ line: { write, tries } }: { readonly line: JournalLine }) {
  const { number, at, step, isUndo, what, says, outcome, evidence } = write
  return (
    <li id={`write-${number}`} className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-3 py-1.5 text-12">
      <code className="font-mono wrap-anywhere">{what}</code>
      <span className="flex items-baseline gap-2 justify-self-end">
        {tries > 1 && <span className="text-ink-quiet">{tries} tries</span>}
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

function placeWords(isUndo: boolean, step: number): string {
  if (step === 0) return 'Before the first step'
  return isUndo ? `Takes step ${step} back` : `Step ${step}`
}

const OUTCOMES = { done: 'done', refused: 'refused', unknown: 'no answer yet' } as const
const TONES = { done: 'good', refused: 'destructive', unknown: 'warning' } as const
