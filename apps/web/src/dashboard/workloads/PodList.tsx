import { To } from '../address/To.tsx'
import { ago, dayTime } from '../../ui/time-words.ts'
import { useNow } from '../../ui/use-now.ts'
import { Part } from '../panel/Part.tsx'
import type { WorkloadAnswer } from './use-workloads.ts'

type Pod = WorkloadAnswer['pods'][number]

/** Its pods: where each is, since when, and what it holds. */
export function PodList({ data: { pods, podCount } }: { readonly data: WorkloadAnswer }) {
  if (podCount === 0) return undefined
  return (
    <Part title={podCount === 1 ? 'Pod' : `${podCount} pods`}>
      <ul className="divide-y divide-line border-t border-line">
        {pods.map((pod) => (
          <One key={pod.name} pod={pod} />
        ))}
      </ul>
      {podCount > pods.length && <p className="text-12 text-ink-quiet">The first {pods.length} by name are listed.</p>}
    </Part>
  )
}

function One({ pod }: { readonly pod: Pod }) {
  const now = useNow()
  const since = pod.startedAt ?? pod.createdAt
  return (
    <li className="grid gap-0.5 py-2 text-13">
      <span className="flex items-baseline justify-between gap-3">
        <bdi className="min-w-0 font-mono text-12 wrap-anywhere">{pod.name}</bdi>
        <span className="shrink-0 text-12 text-ink-soft">{pod.phase}</span>
      </span>
      <span className="flex flex-wrap gap-x-2 text-12 text-ink-quiet">
        {pod.node === null ? (
          'no node yet'
        ) : (
          <To path="/fleet" more={{ q: pod.node }} look="accent">
            <bdi>{pod.node}</bdi>
          </To>
        )}
        {pod.holds.length > 0 && <span>{pod.holds.join(', ')}</span>}
        <time dateTime={since} title={dayTime(since)}>
          {pod.startedAt === null ? 'made' : 'started'} {ago(since, now)}
        </time>
      </span>
    </li>
  )
}
