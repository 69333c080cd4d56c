import { duration, grouped } from '@septet/domain/words'

import type { Answer } from '../../api.ts'
import { Badge } from '../../ui/Badge.tsx'

import { Hint } from '../../ui/Hint.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { useNow } from '../../ui/use-now.ts'
import { To } from '../address/To.tsx'
import { useUrlState } from '../address/url-state.ts'
import { useAnswer } from '../client/use-answer.ts'
import { PanelEmpty } from '../panel/PanelEmpty.tsx'
import { WaitReason } from '../words/WaitReason.tsx'
import { Bone } from '../../ui/Bone.tsx'
import { Answered } from '../panel/Answered.tsx'

/** Of each status. */
const SHOWN = 5

type Workload = Answer<'workloadsList'>['workloads'][number]

/** What holds the most GPU time, then what waits longest, each with why. The rest is one press away. */
export function ActiveWorkloadsPanel({ active }: { readonly active: number | undefined }) {
  const { cluster } = useUrlState()
  const running = useAnswer('workloadsList', { cluster, status: 'running', limit: SHOWN })
  const queued = useAnswer('workloadsList', { cluster, status: 'queued', sort: 'duration', limit: SHOWN })
  const both = running.data !== undefined && queued.data !== undefined ? [running.data, queued.data] : undefined
  const rows = both?.flatMap(({ workloads }) => workloads)
  const all = active ?? both?.reduce((sum, { total }) => sum + total, 0)
  const answer = {
    data: rows,
    error: running.error ?? queued.error,
    refetch: () => Promise.all([running.refetch(), queued.refetch()]),
  }
  return (
    // The card above has the same title.
    <Panel
      title="Active Workloads"
      label="List of active workloads"
      aside={
        rows !== undefined &&
        all !== undefined && (
          <To path="/workloads" look="tool">
            {rows.length < all ? `${rows.length} of ${grouped(all)}, see all` : 'See all'}
          </To>
        )
      }
    >
      <Answered answer={answer} waiting={<Bone className="h-80" />}>
        {(shown) => (shown.length === 0 ? <Nobody /> : <Rows rows={shown} />)}
      </Answered>
    </Panel>
  )
}

const Nobody = () => <PanelEmpty>No workload is running on a GPU or waiting for one.</PanelEmpty>

const Rows = ({ rows }: { readonly rows: readonly Workload[] }) => (
  <>
    <Head />
    <ul className="-mb-2 divide-y divide-line border-t border-line">
      {rows.map((workload) => (
        <Row key={workload.id} workload={workload} />
      ))}
    </ul>
  </>
)

const ROW =
  'grid grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-5 gap-y-1 md:grid-cols-[minmax(0,1.6fr)_minmax(0,1fr)_minmax(0,1.4fr)_5.5rem_5.5rem]'

const Head = () => (
  <div aria-hidden className={`${ROW} pb-1.5 text-12 text-ink-quiet max-md:hidden`}>
    <span>Name</span>
    <span>Namespace</span>
    <span>GPUs</span>
    <span>Status</span>
    <span className="text-right">Duration</span>
  </div>
)

/** One workload on one line; below a queued one, why it waits. */
function Row({ workload }: { readonly workload: Workload }) {
  const { name, namespace, gpu, status, waiting } = workload
  return (
    <li className={`${ROW} py-2.5`}>
      <bdi title={name} className="truncate text-13 font-medium">
        {name}
      </bdi>
      <bdi title={namespace} className="truncate text-13 text-ink-soft max-md:order-2">
        {namespace}
      </bdi>
      <span title={gpu} className="truncate font-mono text-12 text-ink-soft max-md:order-4">
        {gpu}
      </span>
      <span className="max-md:order-1 max-md:text-right">
        {status === 'running' ? <Badge tone="good">Running</Badge> : <Badge tone="secondary">Queued</Badge>}
      </span>
      <span className="figure text-right font-mono text-12 text-ink-soft max-md:order-3">
        <Lasting workload={workload} />
      </span>
      {waiting !== null && (
        <span className="col-span-full min-w-0 max-md:order-5">
          <Reason waiting={waiting} />
        </span>
      )}
    </li>
  )
}

/** Since when it runs or waits goes on by itself; a sample has only how long. */
function Lasting({ workload: { since, duration: seconds } }: { readonly workload: Workload }) {
  const now = useNow()
  if (since !== null) return duration(Math.max(0, (now - new Date(since).getTime()) / 1000))
  return seconds === null ? 'unknown' : duration(seconds)
}

/** Why it waits, the cause first; all that the scheduler said is a hover, focus or tap away. */
const Reason = ({ waiting }: { readonly waiting: NonNullable<Workload['waiting']> }) => (
  <Hint content={waiting.message}>
    <button
      type="button"
      dir="auto"
      className="line-clamp-2 text-left text-12 text-ink-soft wrap-anywhere hover:text-ink"
    >
      <WaitReason waiting={waiting} />
    </button>
  </Hint>
)
