import { plural } from '@septet/domain/words'
import { useNavigate, useSearchParams } from 'react-router'

import { usePageTitle } from '../../ui/use-page-title.ts'
import { Panel } from '../../ui/Panel.tsx'
import { rangeWords } from '../address/range-choice.ts'
import { useUrlState } from '../address/url-state.ts'
import { useAnswer } from '../client/use-answer.ts'
import { Answered } from '../panel/Answered.tsx'
import { ScreenHead } from '../panel/ScreenHead.tsx'
import { TotalsTable } from './TotalsTable.tsx'
import type { Answer } from '../../api.ts'
import { keptWith } from '../address/To.tsx'
import { ListedChange, KIND_COLUMN, RISK_COLUMN, SAVING_COLUMNS } from '../recommendation/recommendation-columns.tsx'
import type { Column } from '../table/column.ts'
import { DataTable } from '../table/DataTable.tsx'

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

type Advice = Answer<'recommendationsTotals'>
type Recommendation = Advice['recommendations'][number]

/** What to do first, whichever cluster it is in. A row opens its card on the Actions screen of its cluster. */
function EveryRecommendation({ data }: { readonly data: Advice }) {
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const open = ({ cluster, id }: Recommendation): void =>
    void navigate({ pathname: '/actions', search: keptWith(search, { cluster: cluster.id, recommendation: id }) })
  const missing = data.clusters.filter(({ leftOut }) => leftOut !== null)
  const { total, recommendations } = data
  return (
    <>
      <DataTable
        caption="Recommendations of all clusters, best first"
        columns={COLUMNS}
        rows={recommendations}
        keyOf={({ cluster, id }) => `${cluster.id}/${id}`}
        onOpen={open}
        empty="No recommendations for these clusters."
      />
      {recommendations.length < total && (
        <p className="mt-2 text-12 text-ink-quiet">
          The best {recommendations.length} of {plural(total, 'recommendation')}.
        </p>
      )}
      {missing.map(({ id, name, leftOut }) => (
        <p key={id} className="mt-2 text-12 text-ink-soft">
          <bdi>{name}</bdi> is not included. {leftOut}
        </p>
      ))}
    </>
  )
}

const COLUMNS: readonly Column<Recommendation>[] = [
  {
    id: 'what',
    name: 'Change',
    cell: ({ title, message }) => <ListedChange title={title} message={message} />,
    sortBy: ({ title }) => title,
  },
  {
    id: 'cluster',
    name: 'Cluster',
    width: '9rem',
    cell: ({ cluster }) => <bdi className="wrap-anywhere">{cluster.name}</bdi>,
    sortBy: ({ cluster }) => cluster.name,
  },
  KIND_COLUMN,
  ...SAVING_COLUMNS,
  RISK_COLUMN,
]
