import { useState } from 'react'
import { plural } from '@septet/domain/words'

import { Button } from '../../ui/Button.tsx'
import { NoticeBox } from '../../ui/Notice.tsx'
import { ago, dayTime } from '../../ui/time-words.ts'
import { useNow } from '../../ui/use-now.ts'
import { type Acting, type ActionList, isRunning } from './action-words.ts'
import { useMay } from './use-may.ts'
import { tell } from '../../api.ts'
import { ProblemBox } from '../form/Problem.tsx'
import { useSending } from '../client/use-sending.ts'
import { Confirm } from '../form/Confirm.tsx'
import { useActionsAnew } from './use-open-actions.ts'

/** Each stop that is in force: by whom, since when and why, and the way to lift it. */
export const StopNotices = ({ list }: { readonly list: ActionList }) => (
  <div className="mb-4 grid gap-2">
    {list.acting.stops.map((stop) => (
      <StopNotice key={String(stop.everywhere)} list={list} stop={stop} />
    ))}
  </div>
)

type Props = { readonly list: ActionList; readonly stop: Acting['stops'][number] }

function StopNotice({ list, stop }: Props) {
  const { isAdmin } = useMay()
  const now = useNow()
  const [asks, setAsks] = useState(false)
  return (
    <NoticeBox
      tone="warning"
      action={
        isAdmin ? (
          <Button onClick={() => setAsks(true)}>Resume…</Button>
        ) : (
          <span className="text-12 text-ink-soft">An admin can resume.</span>
        )
      }
    >
      <p className="font-medium">Acting is stopped {stop.everywhere ? 'on every cluster' : `on ${list.source.name}`}</p>
      <p>
        By {stop.by},{' '}
        <time dateTime={stop.at} title={dayTime(stop.at)}>
          {ago(stop.at, now)}
        </time>
        : “{stop.because}”. Nothing is written to the cluster.
      </p>
      {asks && <ResumeDialog list={list} stop={stop} onClose={() => setAsks(false)} />}
    </NoticeBox>
  )
}

type ResumeDialogProps = {
  readonly list: ActionList
  readonly stop: Acting['stops'][number]
  readonly onClose: () => void
}

/** Lifts one stop, after saying what goes on at once. */
function ResumeDialog({ list, stop, onClose }: ResumeDialogProps) {
  const { busy, problem, run } = useSending()
  const anew = useActionsAnew()
  const { source, actions } = list
  const goOn = actions.filter(isRunning).length
  const where = stop.everywhere ? 'on every cluster' : `on ${source.name}`
  const resume = (): Promise<void> =>
    run(async () => {
      await tell('actingResume', { cluster: source.id, everywhere: stop.everywhere ? 'true' : 'false' })
      await anew()
      onClose()
      // The button that asked is gone with the banner.
      document.querySelector<HTMLElement>('#main')?.focus()
      return { done: `Septet may act ${where} again.` }
    })
  return (
    <Confirm title={`Resume acting ${where}?`} onClose={onClose}>
      <p className="text-ink-soft">
        {goOn === 0
          ? `Nothing is in progress on ${source.name}, so nothing changes at once.`
          : `On ${source.name} ${plural(goOn, 'action resumes', 'actions resume')} right away.`}{' '}
        Expired approvals do not resume.
      </p>
      <p className="rounded-control bg-sunken px-3 py-2 wrap-anywhere">
        Stopped by {stop.by}: “{stop.because}”
      </p>
      {isMadeInCluster(stop) && (
        <p className="text-ink-soft">
          It was stopped in the cluster itself: delete that ConfigMap first, or it stops again.
        </p>
      )}
      <ProblemBox words={problem} />
      <div className="flex flex-wrap gap-2">
        <Button look="strong" className="h-10 px-4" disabled={busy} onClick={() => void resume()}>
          {busy ? 'Resuming…' : 'Resume acting'}
        </Button>
        <Button className="h-10" onClick={onClose}>
          Leave it stopped
        </Button>
      </div>
    </Confirm>
  )
}

const isMadeInCluster = ({ by }: ResumeDialogProps['stop']): boolean => by.startsWith('ConfigMap ')
