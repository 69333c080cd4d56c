import type { ReactNode } from 'react'

import type { Answer } from '../../api.ts'
import { useNow } from '../../ui/use-now.ts'
import { usePageTitle } from '../../ui/use-page-title.ts'
import { chosenCluster, historyWords } from '../sources.ts'
import { useUrlState } from '../url-state.ts'
import { useAnswer } from '../use-answer.ts'
import { CostPanel } from './CostPanel.tsx'
import { FirstRun, isFirstRun } from './FirstRun.tsx'
import { isStale } from './freshness.ts'
import { MigCard } from './MigCard.tsx'
import { NoSummary } from './NoSummary.tsx'
import { PartitionPanel } from './PartitionPanel.tsx'
import { RecommendationPanel } from './RecommendationPanel.tsx'
import { SavingsCard } from './SavingsCard.tsx'
import { StatusBadge } from './StatusBadge.tsx'
import { SummaryNotices } from './SummaryNotices.tsx'
import { CardsSkeleton } from './SummarySkeleton.tsx'
import { TrendPanel } from './TrendPanel.tsx'
import { UtilizationCard } from './UtilizationCard.tsx'
import { WaitingPanel } from './WaitingPanel.tsx'
import { WorkloadsCard } from './WorkloadsCard.tsx'

/** GPU Optimization Summary: the specification's page, in its order and with its words. */
export function SummaryPage() {
  usePageTitle('GPU Optimization Summary · Septet')
  const { cluster, range } = useUrlState()
  const now = useNow()
  const summary = useAnswer('summaryGet', { cluster, range })
  const clusters = useAnswer('clustersList', {}).data?.clusters
  const chosen = chosenCluster(clusters, cluster)
  return (
    <div data-stale={isStale(summary.data, now)}>
      <PageHead badge={summary.data && <StatusBadge status={summary.data.status} />} />
      {chosen !== undefined && isFirstRun(chosen, summary) ? (
        <FirstRun cluster={chosen} sample={clusters?.find(({ kind }) => kind === 'sample')} />
      ) : (
        <>
          <SummaryNotices summary={summary} cluster={chosen} now={now} />
          {summary.data === undefined && summary.error !== null ? (
            <NoSummary
              error={summary.error}
              retry={() => void summary.refetch()}
              others={clusters?.filter(({ id }) => id !== chosen?.id) ?? []}
            />
          ) : (
            <Figures data={summary.data} refreshing={summary.isPlaceholderData} history={historyWords(chosen)} />
          )}
        </>
      )}
    </div>
  )
}

const PageHead = ({ badge }: { readonly badge: ReactNode }) => (
  <div className="mb-5 flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
    <div>
      <h1 className="text-20 sm:text-28 font-semibold tracking-[-0.025em]">GPU Optimization Summary</h1>
      <p className="mt-0.5 text-13 text-ink-soft">Real-time insights into your GPU infrastructure performance</p>
    </div>
    {badge}
  </div>
)

type FiguresProps = {
  readonly data: Answer<'summaryGet'> | undefined
  readonly refreshing: boolean
  readonly history: string | undefined
}

/** The real layout whether or not the numbers are there yet, so that nothing jumps when they come. */
function Figures({ data, refreshing, history }: FiguresProps) {
  // Sample data has no cost by part; the trend then takes the whole width.
  const divided = data === undefined || data.cost.hours !== null
  return (
    <div aria-busy={refreshing} className={`grid gap-4 transition-opacity ${refreshing ? 'opacity-60' : ''}`}>
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2 xl:grid-cols-4">
        {data === undefined ? (
          <CardsSkeleton />
        ) : (
          <>
            <SavingsCard savings={data.savings} />
            <UtilizationCard utilization={data.utilization} />
            <WorkloadsCard workloads={data.workloads} />
            <MigCard mig={data.mig} />
          </>
        )}
      </div>
      <div className="grid grid-cols-1 gap-4 xl:grid-cols-3">
        <TrendPanel
          className={divided ? 'xl:col-span-2' : 'xl:col-span-3'}
          target={data?.utilization.target}
          history={history}
        />
        {divided && <CostPanel cost={data?.cost} />}
      </div>
      <RecommendationPanel />
      <PartitionPanel />
      <WaitingPanel />
    </div>
  )
}
