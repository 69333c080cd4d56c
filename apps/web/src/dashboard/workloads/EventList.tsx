import { grouped } from '@septet/domain/words'
import { Badge } from '../../ui/Badge.tsx'
import { ago, dayTime } from '../../ui/time-words.ts'
import { useNow } from '../../ui/use-now.ts'
import { Part } from '../panel/Part.tsx'
import type { WorkloadAnswer } from './use-workloads.ts'

/** What Kubernetes reported of its pods and owners, newest first, word for word. */
export function EventList({ data: { events, eventsMissing, workload } }: { readonly data: WorkloadAnswer }) {
  return (
    <Part title="Kubernetes events">
      {events.length === 0 && eventsMissing === null && (
        <p className="text-13 text-ink-soft">
          None in the last hour (Kubernetes keeps events for an hour)
          {workload.status === 'running' ? ': running without incident.' : '.'}
        </p>
      )}
      {eventsMissing !== null && <p className="text-13 wrap-anywhere text-ink-soft">{eventsMissing}</p>}
      {events.length > 0 && (
        <ol className="divide-y divide-line border-t border-line">
          {events.map((event) => (
            <One key={JSON.stringify(event)} event={event} />
          ))}
        </ol>
      )}
    </Part>
  )
}

function One({ event }: { readonly event: WorkloadAnswer['events'][number] }) {
  const now = useNow()
  return (
    <li className="grid gap-0.5 py-2 text-12">
      <span className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="flex min-w-0 items-baseline gap-2">
          <bdi className="font-medium wrap-anywhere text-ink">{event.reason}</bdi>
          {event.type === 'Warning' && <Badge tone="warning">Warning</Badge>}
          {event.count > 1 && (
            <span className="font-mono whitespace-nowrap text-ink-quiet">× {grouped(event.count)}</span>
          )}
        </span>
        <time dateTime={event.at} title={dayTime(event.at)} className="font-mono whitespace-nowrap text-ink-quiet">
          {ago(event.at, now)}
        </time>
      </span>
      <span dir="auto" className="wrap-anywhere whitespace-pre-line text-ink-soft">
        {event.message}
      </span>
      <span className="wrap-anywhere text-ink-quiet">
        <bdi>{event.object.kind}</bdi> <bdi>{event.object.name}</bdi>
        {event.source !== '' && (
          <>
            , <bdi>{event.source}</bdi>
          </>
        )}
      </span>
    </li>
  )
}
