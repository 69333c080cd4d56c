import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { dollars, duration } from '@septet/domain/words'

import { To } from '../address/To.tsx'
import { Badge } from '../../ui/Badge.tsx'
import { NoticeBox } from '../../ui/Notice.tsx'
import { isNotFound } from '../../api.ts'
import { Answered } from '../panel/Answered.tsx'
import { Bones } from '../panel/Bones.tsx'
import { Gone } from '../panel/Gone.tsx'
import { SidePanel } from '../panel/SidePanel.tsx'
import { useAnswer } from '../client/use-answer.ts'
import { EventList } from './EventList.tsx'
import { OwnerChainPart } from './OwnerChain.tsx'
import { SizePart } from './SizePart.tsx'
import type { Workload, WorkloadAnswer } from './use-workloads.ts'
import { WhyItWaits } from './WhyItWaits.tsx'
import { WorkloadNow } from './WorkloadNow.tsx'
import { classWords, STATUS_WORDS } from './workload-words.ts'
import { Part, Line } from '../panel/Part.tsx'
import { FigureText } from '../../ui/FigureText.tsx'
import { WaitCauses } from '../panel/WaitCauses.tsx'
import { windowWords, ago, dayTime } from '../../ui/time-words.ts'
import { MeasuredChart } from '../chart/MeasuredChart.tsx'
import { UseCharts } from '../gpu/UseCharts.tsx'
import { useNow } from '../../ui/use-now.ts'

type Props = {
  readonly id: string
  readonly cluster: string | undefined
  readonly range: string
  /** As the list has it: what is known before the card's own answer. */
  readonly listed: Workload | undefined
  readonly onClose: () => void
}

/** The card of one workload, as long as the address names it. */
export function WorkloadPanel({ id, cluster, range, listed, onClose }: Props) {
  const answer = useAnswer('workloadsGet', { cluster, range, id })
  // While another one's card comes, the one before it is not shown as if it were this one.
  const data = answer.data?.workload.id === id ? answer.data : undefined
  const known = data?.workload ?? listed
  return (
    <SidePanel title={known?.name ?? nameOf(id)} lead={<Lead id={id} workload={known} />} onClose={onClose}>
      {data === undefined ? (
        <NotYet answer={answer} onClose={onClose} />
      ) : (
        <Known data={data} gone={isNotFound(answer.error)} waits={<WorkloadWaits {...{ id, cluster, range }} />} />
      )}
    </SidePanel>
  )
}

type NotYetProps = { readonly answer: UseQueryResult<WorkloadAnswer>; readonly onClose: () => void }

function NotYet({ answer, onClose }: NotYetProps) {
  if (isNotFound(answer.error))
    return (
      <Gone what="This workload" back="Back to the workloads" onClose={onClose}>
        {answer.error?.message} It may have ended before this range, or be in a namespace you cannot see.
      </Gone>
    )
  return (
    <Answered answer={{ ...answer, data: undefined }} waiting={<Bones heights={['h-16', 'h-44', 'h-28']} />}>
      {() => undefined}
    </Answered>
  )
}

const nameOf = (id: string): string => id.split('/').slice(2).join('/') || id

function Lead({ id, workload }: { readonly id: string; readonly workload: Workload | undefined }) {
  const [namespace = '', kind = ''] = id.split('/')
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-1 wrap-anywhere">
      <span>
        <bdi>{workload?.kind ?? kind}</bdi> in <bdi>{workload?.namespace ?? namespace}</bdi>
      </span>
      {workload !== undefined && (
        <>
          <span>{classWords(workload.class)}</span>
          {workload.tenant !== null && (
            <span>
              tenant <bdi>{workload.tenant}</bdi>
            </span>
          )}
          <Badge tone={STATUS_WORDS[workload.status].tone}>{STATUS_WORDS[workload.status].words}</Badge>
        </>
      )}
    </span>
  )
}

type KnownProps = { readonly data: WorkloadAnswer; readonly gone: boolean; readonly waits: ReactNode }

const Known = ({ data, gone, waits }: KnownProps) => (
  <div className="grid content-start gap-5 [&>section:first-child]:border-t-0 [&>section:first-child]:pt-0">
    {gone && (
      <NoticeBox tone="warning">It ended and held no GPU in this range. Below is its last known state.</NoticeBox>
    )}
    {data.workload.status === 'ended' && !gone && (
      <NoticeBox tone="quiet">It ended. Usage and cost in this range are still shown.</NoticeBox>
    )}
    {data.wait !== null && <WhyItWaits data={data} wait={data.wait} />}
    {waits}
    <WorkloadNow data={data} />
    <WorkloadUse use={data.use} queued={data.workload.status === 'queued'} />
    {(data.hours.value ?? 0) > 0 && <WorkloadCost data={data} />}
    {data.workload.status !== 'queued' && <SizePart data={data} />}
    <WorkloadAdvice data={data} />
    <OwnerChainPart data={data} />
    <PodList data={data} />
    <EventList data={data} />
  </div>
)

/** What was found about it, and what is recommended. */
function WorkloadAdvice({ data: { findings, recommendations } }: { readonly data: WorkloadAnswer }) {
  if (findings.length === 0 && recommendations.length === 0) return undefined
  return (
    <Part title="Findings and recommendations">
      <ul className="grid gap-2.5 text-13">
        {recommendations.map(({ id, title, message }) => (
          <li key={id}>
            <To path="/actions" more={{ recommendation: id }} look="accent" className="font-medium wrap-anywhere">
              <bdi>{title}</bdi>
            </To>
            <bdi className="block text-12 wrap-anywhere text-ink-soft">{message}</bdi>
          </li>
        ))}
        {findings.map(({ id, message, costPerMonth }) => (
          <li key={id} className="text-12 text-ink-soft">
            <bdi className="wrap-anywhere">{message}</bdi>
            {costPerMonth !== null && (
              <span className="block text-ink-quiet">
                At this rate <span className="font-mono">{dollars(costPerMonth)}/mo</span>
              </span>
            )}
          </li>
        ))}
      </ul>
    </Part>
  )
}

/** What it cost over the range, and what of that was for nothing. */
const WorkloadCost = ({ data }: { readonly data: WorkloadAnswer }) => (
  <Part title="Cost in this range">
    <dl className="text-13">
      <Line name="Cost">
        <FigureText figure={data.workload.cost} name="Cost" unknown={data.workload.cost.because ?? 'Unknown'} />
      </Line>
      <Line name="of which idle">
        <FigureText figure={data.workload.idleCost} name="Idle cost" unknown="Unknown" />
      </Line>
      <Line name="Held">
        <FigureText figure={data.hours} name="GPU-hours held" />
      </Line>
      <Line name="of which idle">
        <FigureText figure={data.idleHours} name="GPU-hours idle" />
      </Line>
      <Line name="Busy while held">
        <FigureText figure={data.workload.busy} name="Busy" />
      </Line>
    </dl>
  </Part>
)

type WorkloadWaitsProps = { readonly id: string; readonly cluster: string | undefined; readonly range: string }

/** For what one workload waited over the range, with the change that ends each wait; nothing where it did not wait. */
function WorkloadWaits({ id, cluster, range }: WorkloadWaitsProps) {
  const answer = useAnswer('queueWaits', { cluster, range, workload: id, limit: 1 })
  const { data, error } = answer
  if (error === null && (data?.causes ?? []).length === 0) return undefined
  return (
    <Part
      title="What it waited for"
      aside={data && <span className="font-mono text-12 text-ink-soft">{duration(data.seconds)}</span>}
    >
      <Answered answer={answer}>{({ causes }) => <WaitCauses causes={causes} />}</Answered>
    </Part>
  )
}

type Use = NonNullable<WorkloadAnswer['use']>

/** What it used over the range: busy, memory, and how much of GPUs it held. */
function WorkloadUse({ use, queued }: { readonly use: Use | null; readonly queued: boolean }) {
  if (use === null) {
    if (queued) return undefined
    return (
      <Part title="Use">
        <p className="text-13 text-ink-soft">Nothing measured in this range yet.</p>
      </Part>
    )
  }
  return (
    <Part title="Use" aside={<span className="text-12 text-ink-quiet">{windowWords(use.window)}</span>}>
      <UseCharts use={use} of={OF}>
        {changes(use.held) && (
          <MeasuredChart
            title="GPUs held"
            at={use.at}
            of={OF}
            unit="GPU"
            series={[{ name: 'Held', tone: 'ink', values: use.held }]}
          />
        )}
      </UseCharts>
    </Part>
  )
}

const OF = 'of this workload over the range'

/** A line that never moves says no more than the number above it. */
const changes = (values: readonly (number | null)[]): boolean => {
  const known = values.filter((value) => value !== null)
  return Math.max(...known) - Math.min(...known) > 0.01
}

type Pod = WorkloadAnswer['pods'][number]

/** Its pods: where each is, since when, and what it holds. */
function PodList({ data: { pods, podCount } }: { readonly data: WorkloadAnswer }) {
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
