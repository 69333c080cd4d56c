import { useAnswer } from '../../client/use-answer.ts'
import { Answered } from '../../panel/Answered.tsx'
import { isOver, type Acting } from '../../acting/action-words.ts'
import type { May } from '../../acting/use-may.ts'
import { useOpenActions } from '../../acting/use-open-actions.ts'
import { ActionPanel } from './ActionPanel.tsx'
import { Inbox } from './Inbox.tsx'
import { LostNotice } from '../../panel/LostNotice.tsx'
import { useCard } from './use-card.ts'
import { StateDot } from '../../../ui/StateDot.tsx'

type ActingLineProps = { readonly acting: Acting; readonly may: May }

/** Why the cluster cannot be changed now, or whoever looks cannot decide on it; else that it can. */
const ActingLine = ({ acting, may }: ActingLineProps) => (
  <p className="mb-4 flex items-baseline gap-2.5 text-13 text-ink-soft">
    <StateDot state={DOTS[acting.state]} />
    <span className="min-w-0 wrap-anywhere">
      {may.whyNot === undefined || acting.state !== 'ready' ? acting.because : may.whyNot}
    </span>
  </p>
)

const DOTS = { ready: 'on', observe: 'off', others: 'off', stopped: 'fault' } as const

type Props = { readonly cluster: string | undefined; readonly may: May }

/** Actions on their way and those that are over, and the card of the one that is open. */
export function ActionCards({ cluster, may }: Props) {
  const [card, openCard] = useCard()
  const openId = card?.kind === 'action' ? card.id : undefined
  const open = useOpenActions(cluster)
  const all = useAnswer('actionsList', { cluster, state: 'all', limit: 100 })
  // What came of the others must not push down what somebody has begun to read.
  const isWhole = all.data !== undefined || all.error !== null
  return (
    <section aria-label="Actions">
      <Answered answer={isWhole ? open : { ...open, data: undefined }}>
        {(list) => (
          <>
            <ActingLine acting={list.acting} may={may} />
            <div className="not-empty:mb-4">
              <LostNotice answer={open}>Actions in progress continue without this page.</LostNotice>
            </div>
            {list.source.kind !== 'sample' && (
              <Inbox
                open={list}
                past={all.data?.actions.filter(isOver) ?? []}
                openId={openId}
                onOpen={(id) => openCard({ kind: 'action', id })}
              />
            )}
          </>
        )}
      </Answered>
      {openId !== undefined && (
        <ActionPanel
          key={openId}
          id={openId}
          cluster={cluster}
          acting={open.data?.acting}
          may={may}
          onClose={() => openCard(undefined)}
        />
      )}
    </section>
  )
}
