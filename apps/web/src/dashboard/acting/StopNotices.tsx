import { useState } from 'react'

import { Button } from '../../ui/Button.tsx'
import { NoticeBox } from '../../ui/Notice.tsx'
import { ago, dayTime } from '../../ui/time-words.ts'
import { useNow } from '../../ui/use-now.ts'
import type { Acting, ActionList } from './action-words.ts'
import { ResumeDialog } from './ResumeDialog.tsx'
import { useMay } from './use-may.ts'

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
