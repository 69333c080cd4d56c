import { Button } from '../../ui/Button.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { ago } from '../../ui/time-words.ts'
import { useNow } from '../../ui/use-now.ts'
import type { Recommendation } from '../recommendation/recommendation-words.ts'

type Props = { readonly recommendations: readonly Recommendation[]; readonly onOpen: (id: string) => void }

/** What a person said no to, and why; the card takes it back. */
export function DismissedList({ recommendations, onOpen }: Props) {
  const now = useNow()
  return (
    <Panel title={`Dismissed (${recommendations.length})`}>
      <ul className="divide-y divide-line">
        {recommendations.map(({ id, title, dismissed }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1 py-2.5">
            <div className="min-w-0 flex-1 basis-64">
              <p className="text-13 font-medium wrap-anywhere">{title}</p>
              {dismissed !== null && (
                <p className="text-12 text-ink-soft wrap-anywhere">
                  “{dismissed.reason}”, {ago(dismissed.at, now)}
                </p>
              )}
            </div>
            <Button aria-label={`Open ${title}`} onClick={() => onOpen(id)}>
              Open
            </Button>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
