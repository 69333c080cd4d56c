import { ago, dayTime } from '../../../ui/time-words.ts'
import { useNow } from '../../../ui/use-now.ts'
import type { ActionDetail } from '../../acting/action-words.ts'
import { Part } from '../../panel/Part.tsx'
import { EvidenceLinks } from './EvidenceLinks.tsx'
import { happenedWords } from './happened-words.ts'

type Props = { readonly transitions: ActionDetail['transitions'] }

/** Everything that happened to it, the newest first, a sentence each. */
export function Happened({ transitions }: Props) {
  const now = useNow()
  return (
    <Part title="History">
      <ol reversed className="grid">
        {transitions.toReversed().map(({ number, at, by, because, evidence }) => (
          <li key={number} className="group relative grid gap-0.5 pb-3 pl-5 text-13 last:pb-0">
            <span
              aria-hidden
              className="absolute top-[7px] left-0 size-1.5 rounded-full bg-ink-quiet group-first:bg-accent"
            />
            <span aria-hidden className="absolute top-4 bottom-0 left-[2.5px] w-px bg-line-strong group-last:hidden" />
            <p className="flex flex-wrap items-baseline justify-between gap-x-3">
              <span className="font-medium">{happenedWords(transitions, number)}</span>
              <time dateTime={at} className="text-12 text-ink-quiet">
                {dayTime(at)}, {ago(at, now)}
              </time>
            </p>
            <p className="text-12 text-ink-soft wrap-anywhere">
              {because} <span className="text-ink-quiet">By {by}.</span>
              <EvidenceLinks evidence={evidence} />
            </p>
          </li>
        ))}
      </ol>
    </Part>
  )
}
