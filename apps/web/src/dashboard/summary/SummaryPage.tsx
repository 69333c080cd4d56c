import { figureInWords } from '@septet/contract/figure-words'
import { agree, grouped, plural, wholePercent } from '@septet/domain/words'
import type { UseQueryResult } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'

import { type Answer, isNotReady } from '../../api.ts'
import { Bone } from '../../ui/Bone.tsx'
import { Button } from '../../ui/Button.tsx'
import { FigureText } from '../../ui/FigureText.tsx'
import { LoadedLater } from '../../ui/LoadedLater.tsx'
import { Meter } from '../../ui/Meter.tsx'
import { useNow } from '../../ui/use-now.ts'
import { usePageTitle } from '../../ui/use-page-title.ts'
import { useWidth } from '../../ui/use-width.ts'
import { useUrlChoice, useUrlState } from '../address/url-state.ts'
import { failureWords } from '../client/failure-words.ts'
import { isStale } from '../client/freshness.ts'
import { chosenCluster, type Cluster, historyWords } from '../client/sources.ts'
import { useAnswer, useAskedFirst } from '../client/use-answer.ts'
import { ScreenHead } from '../panel/ScreenHead.tsx'
import { CostPanel } from './CostPanel.tsx'
import { DistributionPanel } from './DistributionPanel.tsx'
import { FleetLine } from './FleetLine.tsx'
import { MigCard } from './MigCard.tsx'
import { MonthsPanel } from './MonthsPanel.tsx'
import { hasNoGpus, NoGpus } from './NoGpus.tsx'
import { SavingsCard } from './SavingsCard.tsx'
import { StatCard } from './StatCard.tsx'
import { StatusBadge } from './StatusBadge.tsx'
import { SummaryNotices } from './SummaryNotices.tsx'
import { TrendPanel } from './TrendPanel.tsx'

const TITLES = ['Total Cost Savings', 'GPU Utilization', 'Active Workloads', 'MIG Efficiency']

/** The four cards before their numbers: same places, same heights. */
const CardsSkeleton = () =>
  TITLES.map((title) => (
    <section key={title} aria-busy className="min-h-48 rounded-card border border-line bg-surface px-4 py-4 sm:px-5">
      <h2 className="h-5 text-13 text-ink-soft">{title}</h2>
      <Bone className="mt-2.5 h-6 w-28" />
      <Bone className="mt-3 h-3 w-40" />
      <Bone className="mt-8 h-4 w-full" />
    </section>
  ))

// Below what is seen first.
const LastPanels = lazy(async () => ({ default: (await import('./LastPanels.tsx')).LastPanels }))

/** GPU Optimization Summary: the specification's page, in its order and with its words. */
export function SummaryPage() {
  usePageTitle('GPU Optimization Summary · Septet')
  const { cluster, range, zone } = useUrlState()
  const now = useNow()
  useAskedFirst('summaryGet', { cluster, range, zone })
  const summary = useAnswer('summaryGet', { cluster, range, zone })
  const clusters = useAnswer('clustersList', {}).data?.clusters
  const chosen = chosenCluster(clusters, cluster)
  return (
    <div data-stale={isStale(summary.data, now)}>
      <ScreenHead
        title="GPU Optimization Summary"
        lead="Real-time insights into your GPU infrastructure performance"
        docs="using-the-dashboard#summary"
        aside={
          summary.data && (
            <>
              <StatusBadge status={summary.data.status} trouble={troubleOf(summary, now)} />
              <ExportReport />
            </>
          )
        }
      />
      {chosen !== undefined && isFirstRun(chosen, summary) ? (
        <FirstRun cluster={chosen} sample={clusters?.find(({ kind }) => kind === 'sample')} />
      ) : (
        <>
          <FleetLine summary={summary} now={now} />
          <SummaryNotices summary={summary} cluster={chosen} now={now} />
          {summary.data === undefined && summary.error !== null ? (
            <NoSummary
              error={summary.error}
              retry={() => void summary.refetch()}
              others={clusters?.filter(({ id }) => id !== chosen?.id) ?? []}
            />
          ) : (
            <Body data={summary.data} refreshing={summary.isPlaceholderData} history={historyWords(chosen)} />
          )}
        </>
      )}
    </div>
  )
}

/** What the server's last word on the status cannot know: that it is old, or that the server no longer answers. */
function troubleOf(
  { data, error, failureReason }: UseQueryResult<Answer<'summaryGet'>>,
  now: number,
): string | undefined {
  if ((error ?? failureReason) !== null) return 'Septet is not responding'
  return isStale(data, now) ? 'Data is stale' : undefined
}

type FiguresProps = {
  readonly data: Answer<'summaryGet'> | undefined
  readonly refreshing: boolean
  readonly history: string | undefined
}

const Body = (figures: FiguresProps) =>
  figures.data !== undefined && hasNoGpus(figures.data) ? <NoGpus summary={figures.data} /> : <Figures {...figures} />

/** The real layout whether or not the numbers are there yet, so that nothing jumps when they come. */
function Figures({ data, refreshing, history }: FiguresProps) {
  // Sample data has no cost by part; the months then take the whole width.
  const isSample = data?.source.kind === 'sample'
  return (
    <div aria-busy={refreshing} className={`grid gap-4 transition-opacity ${refreshing ? 'opacity-60' : ''}`}>
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2 xl:grid-cols-4">
        {data === undefined ? <CardsSkeleton /> : <Cards data={data} />}
      </div>
      <div className={WIDE_AND_NARROW}>
        <TrendPanel target={data?.utilization.target} history={history} />
        <DistributionPanel distribution={data?.distribution} isSample={isSample} />
      </div>
      <div className={WIDE_AND_NARROW}>
        <MonthsPanel className={isSample ? 'xl:col-span-2' : ''} />
        {!isSample && <CostPanel cost={data?.cost} />}
      </div>
      <LoadedLater name="The rest of the summary" fallback={null}>
        <LastPanels active={data?.workloads.active} />
      </LoadedLater>
    </div>
  )
}

const Cards = ({ data }: { readonly data: Answer<'summaryGet'> }) => (
  <>
    <SavingsCard savings={data.savings} />
    <UtilizationCard utilization={data.utilization} />
    <WorkloadsCard workloads={data.workloads} />
    <MigCard mig={data.mig} />
  </>
)

const WIDE_AND_NARROW = 'grid grid-cols-1 gap-4 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]'

/** Nothing has been read from the cluster yet: it is being connected, or its first analysis is still to come. */
const isFirstRun = (cluster: Cluster, { data, error, failureReason }: UseQueryResult<Answer<'summaryGet'>>): boolean =>
  data === undefined &&
  cluster.kind !== 'sample' &&
  (cluster.state === 'connecting' || isNotReady(error ?? failureReason))

type Props = { readonly cluster: Cluster; readonly sample: Cluster | undefined }

/** Before the first reading of a cluster: how far it is, and one thing to do meanwhile. */
function FirstRun({ cluster, sample }: Props) {
  const { choose } = useUrlState()
  const { history, problems } = cluster
  return (
    <section className="enters grid justify-items-start gap-4 rounded-card border border-line bg-surface px-6 py-10 sm:px-10">
      <h2 className="text-20 font-semibold tracking-tight">Connecting to {cluster.name}</h2>
      <output className="max-w-xl text-ink-soft">{problems[0]?.message ?? words(cluster)}</output>
      {history !== null && history.of > 0 && (
        <div className="w-full max-w-md">
          <Meter value={history.done / history.of} label="History loaded" words={`${history.done} of ${history.of}`} />
          <p className="mt-2 font-mono text-12 text-ink-quiet">
            {history.done} of {history.of} · {history.detail}
          </p>
        </div>
      )}
      {sample !== undefined && (
        <Button className="min-h-8" onClick={() => choose({ cluster: sample.id })}>
          View sample data meanwhile
        </Button>
      )}
    </section>
  )
}

function words({ nodes, gpus }: Cluster): string {
  if (nodes === null) return 'Reading nodes and pods. First figures appear within about a minute.'
  const found = [plural(nodes, 'node'), ...(gpus === null ? [] : [plural(gpus, 'GPU')])].join(' with ')
  return `Found ${found}. First figures appear once their metrics are read.`
}

type NoSummaryProps = { readonly error: Error; readonly retry: () => void; readonly others: readonly Cluster[] }

/** The page without any figure: why, and the sources that can still be shown. */
function NoSummary({ error, retry, others }: NoSummaryProps) {
  const { choose } = useUrlState()
  return (
    <section
      role="alert"
      className="enters grid justify-items-start gap-4 rounded-card border border-line bg-surface px-6 py-10 sm:px-10"
    >
      <h2 className="text-20 font-semibold tracking-tight">No data</h2>
      <p className="max-w-xl text-ink-soft">{failureWords(error)}</p>
      <div className="flex flex-wrap gap-2">
        <Button look="strong" className="min-h-8" onClick={retry}>
          Try again
        </Button>
        {others.map(({ id, name }) => (
          <Button key={id} className="min-h-8 max-w-full" onClick={() => choose({ cluster: id })}>
            Show <bdi className="truncate">{name}</bdi>
          </Button>
        ))}
      </div>
    </section>
  )
}

/** Busy GPU time over ready GPU time, against what the fleet aims at. */
function UtilizationCard({ utilization }: { readonly utilization: Answer<'summaryGet'>['utilization'] }) {
  const { busy, busyOfAllocated, target, note } = utilization
  return (
    <StatCard
      title="GPU Utilization"
      headline={<FigureText figure={busy} name="GPU utilization" size="headline" />}
      note={
        busy.value === null ? (
          note
        ) : (
          <>
            Target {wholePercent(target)} · <span className="font-medium text-ink">{note}</span>
          </>
        )
      }
    >
      <Meter
        value={busy.value ?? undefined}
        target={target}
        label="GPU utilization"
        words={figureInWords(busy).value}
      />
      <p className="mt-2.5 flex min-h-5 items-baseline justify-between gap-3 text-12 text-ink-soft">
        {busy.quality !== 'sample' && (
          <>
            of held GPUs
            <FigureText figure={busyOfAllocated} name="Busy share of held GPUs" />
          </>
        )}
      </p>
    </StatCard>
  )
}

const ReportDialog = lazy(async () => ({ default: (await import('../report/ReportDialog.tsx')).ReportDialog }))

/** Opens the files that a report of what is shown can be kept as. */
function ExportReport() {
  const [open, setOpen] = useUrlChoice('report')
  return (
    <>
      <Button look="strong" aria-haspopup="dialog" className="min-h-8" onClick={() => setOpen('open')}>
        Export Report
      </Button>
      {open !== undefined && (
        <Suspense>
          <ReportDialog close={() => setOpen(undefined)} />
        </Suspense>
      )}
    </>
  )
}

type Workloads = Answer<'summaryGet'>['workloads']

/** How many workloads hold or want GPUs, each a tick: solid runs, outlined waits. */
function WorkloadsCard({ workloads }: { readonly workloads: Workloads }) {
  const { active, running, queued, unmetGpuRequests } = workloads
  return (
    <StatCard
      title="Active Workloads"
      headline={<span className="figure text-28 font-semibold tracking-[-0.03em]">{grouped(active)}</span>}
      note={
        <>
          {grouped(running)} running · {grouped(queued)} queued
        </>
      }
    >
      <Ticks running={running} queued={queued} />
      <p className="mt-2 min-h-5 text-12 text-ink-soft">
        {unmetGpuRequests > 0
          ? `${grouped(unmetGpuRequests, 1)} ${agree(unmetGpuRequests, 'GPU or slice', 'GPUs or slices')} requested`
          : ''}
      </p>
    </StatCard>
  )
}

const NARROWEST = 3
const WIDEST = 6

/** One tick per workload, on whole pixels; when there is no room for all, in the same proportion. */
function Ticks({ running, queued }: Pick<Workloads, 'running' | 'queued'>) {
  const [box, width = 0] = useWidth<HTMLDivElement>()
  const all = running + queued
  const pitch = Math.min(WIDEST, Math.max(NARROWEST, Math.floor(width / Math.max(1, all))))
  const ticks = Math.min(all, Math.floor(width / pitch))
  const solid = all === 0 ? 0 : Math.round((running / all) * ticks)
  return (
    <div ref={box} className="h-4">
      <svg aria-hidden width="100%" height="16" shapeRendering="crispEdges" className="block">
        {Array.from({ length: ticks }, (_, tick) => (
          <rect
            key={tick}
            x={tick * pitch}
            y={tick < solid ? 0 : 7}
            width={pitch - 1}
            height={tick < solid ? 16 : 9}
            fill={tick < solid ? 'var(--busy)' : 'var(--free)'}
          />
        ))}
      </svg>
    </div>
  )
}
