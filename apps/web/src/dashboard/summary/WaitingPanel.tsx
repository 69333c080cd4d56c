import type { Answer } from '../../api.ts'
import { duration } from '../../ui/figure-format.ts'
import { Hint } from '../../ui/Hint.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { useNow } from '../../ui/use-now.ts'
import { useUrlState } from '../url-state.ts'
import { useAnswer } from '../use-answer.ts'
import { PanelEmpty, PanelError } from './PanelState.tsx'
import { Bone } from './SummarySkeleton.tsx'

const SHOWN = 6

/** Queued workloads, what they want, and why they do not get it. */
export function WaitingPanel() {
  const { cluster } = useUrlState()
  const { data, error, refetch } = useAnswer('workloadsList', { cluster, status: 'queued', limit: SHOWN })
  return (
    <Panel
      title="Workloads waiting"
      aside={
        data !== undefined &&
        data.total > SHOWN && (
          <span className="text-12 text-ink-quiet">
            {data.workloads.length} of {data.total}
          </span>
        )
      }
    >
      {data === undefined && error !== null && <PanelError error={error} retry={() => void refetch()} />}
      {data === undefined && error === null && <Bone className="h-40" />}
      {data?.workloads.length === 0 && <PanelEmpty>Nothing waits for a GPU.</PanelEmpty>}
      <ul className="-mb-2 divide-y divide-line border-t border-line empty:hidden">
        {data?.workloads.map((workload) => (
          <Waiting key={workload.id} workload={workload} />
        ))}
      </ul>
    </Panel>
  )
}

type Workload = Answer<'workloadsList'>['workloads'][number]

/** Schedulers repeat themselves: the part before "preemption:" says why, and all of it is a hover, focus or tap away. */
const Reason = ({ message }: { readonly message: string }) => (
  <Hint content={message}>
    <button type="button" className="line-clamp-2 text-left text-13 text-ink-soft hover:text-ink">
      {message.split(' preemption:')[0]}
    </button>
  </Hint>
)

/** What it is, what it wants, why it does not get it, and for how long. */
function Waiting({ workload }: { readonly workload: Workload }) {
  const now = useNow()
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-5 gap-y-1 py-2.5 md:grid-cols-[9.5rem_11rem_minmax(0,1fr)_auto] xl:grid-cols-[11rem_13rem_minmax(0,1fr)_auto]">
      <span className="min-w-0">
        <span className="block truncate text-13 font-medium">{workload.name}</span>
        <span className="block truncate text-12 text-ink-quiet">{workload.namespace}</span>
      </span>
      <span className="font-mono text-12 text-ink-soft max-md:order-2 max-md:col-span-2">{workload.gpu}</span>
      <span className="min-w-0 max-md:order-3 max-md:col-span-2">
        {workload.waiting !== null && <Reason message={workload.waiting.message} />}
      </span>
      <span className="text-right font-mono text-12 text-ink-soft">
        {workload.since !== null && duration((now - new Date(workload.since).getTime()) / 1000)}
      </span>
    </li>
  )
}
