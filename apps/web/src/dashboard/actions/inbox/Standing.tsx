import type { Ref } from 'react'

import { Badge } from '../../../ui/Badge.tsx'
import { NoticeBox } from '../../../ui/Notice.tsx'
import { ago, dayTime } from '../../../ui/time-words.ts'
import { useNow } from '../../../ui/use-now.ts'
import { badgeOf, isRunning, untilWords, type Acting, type ActionDetail } from '../../acting/action-words.ts'
import { PhaseBars } from './PhaseBars.tsx'
import { clusterWords } from './cluster-words.ts'

type Props = {
  readonly detail: ActionDetail
  readonly acting: Acting | undefined
  readonly ref: Ref<HTMLElement>
}

/** Where it stands, since when and why; and where it went wrong, how the cluster is and who has to do something. */
export function ActionStanding({ detail, acting, ref }: Props) {
  const { action, outlook } = detail
  const now = useNow()
  const until = untilWords(action, now)
  const left = clusterWords(detail)
  return (
    <section ref={ref} tabIndex={-1} aria-label="Status" className="grid gap-3 outline-none">
      <div aria-live="polite" className="grid gap-1">
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <Badge tone={badgeOf(action).tone}>{badgeOf(action).words}</Badge>
          {until !== undefined && <span className="text-12 font-medium text-idle-ink">{until}</span>}
        </p>
        <p className="text-13 wrap-anywhere">{action.because}</p>
        <p className="text-12 text-ink-quiet">
          Since <time dateTime={action.since}>{dayTime(action.since)}</time>, {ago(action.since, now)}
        </p>
      </div>
      <Shortfall action={action} />
      {outlook.waits !== null && <NoticeBox tone="quiet">Once approved, it waits. {outlook.waits}</NoticeBox>}
      <PhaseBars state={action.state} labels />
      {acting?.state === 'stopped' && isRunning(action) && (
        <NoticeBox tone="warning">Acting is stopped: this action is frozen until an admin resumes.</NoticeBox>
      )}
      {left !== undefined && (
        <NoticeBox tone={left.needsSomebody ? 'fault' : 'quiet'}>
          <p className={left.needsSomebody ? 'font-medium' : ''}>{left.state}</p>
          <p>{left.todo}</p>
          {left.byHand.length > 0 && (
            <ol className="mt-1.5 grid list-decimal gap-1 pl-5">
              {left.byHand.map((line, index) => (
                // The same sentence can stand twice, and the order is what counts.
                // oxlint-disable-next-line react/no-array-index-key -- the list is replaced as a whole
                <li key={index}>{line}</li>
              ))}
            </ol>
          )}
        </NoticeBox>
      )}
    </section>
  )
}

/** What an appointment lacks, unless that is what was said last. */
const Shortfall = ({ action: { shortfall, because } }: { readonly action: ActionDetail['action'] }) =>
  shortfall === null || shortfall === because ? undefined : <NoticeBox tone="fault">{shortfall}</NoticeBox>
