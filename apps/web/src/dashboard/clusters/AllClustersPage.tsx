import { usePageTitle } from '../../ui/use-page-title.ts'
import { Panel } from '../../ui/Panel.tsx'
import { rangeWords } from '../address/range-choice.ts'
import { useUrlState } from '../address/url-state.ts'
import { useAnswer } from '../client/use-answer.ts'
import { Answered } from '../panel/Answered.tsx'
import { ScreenHead } from '../panel/ScreenHead.tsx'
import { EveryRecommendation } from './EveryRecommendation.tsx'
import { TotalsTable } from './TotalsTable.tsx'

/** What all clusters cost, waste and saved together, and what would help most among all of them. */
export function AllClustersPage() {
  usePageTitle('All clusters · Septet')
  const { range, over, zone } = useUrlState()
  const totals = useAnswer('clustersTotals', { range })
  const advice = useAnswer('recommendationsTotals', {})
  return (
    <>
      <ScreenHead
        title="All clusters"
        lead="Cost, waste and savings across all clusters you can see. Totals leave out what a cluster cannot report."
        docs="using-the-dashboard#all-clusters"
      />
      <div className="grid grid-cols-1 gap-5">
        <Panel
          title="Cost and savings"
          aside={<span className="text-12 text-ink-quiet">{rangeWords(over, zone)}</span>}
        >
          <Answered answer={totals}>{(data) => <TotalsTable totals={data} />}</Answered>
        </Panel>
        <Panel title="Recommendations">
          <Answered answer={advice}>{(data) => <EveryRecommendation data={data} />}</Answered>
        </Panel>
      </div>
    </>
  )
}
