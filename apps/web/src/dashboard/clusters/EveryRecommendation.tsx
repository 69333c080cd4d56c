import { plural } from '@septet/domain/words'
import { useNavigate, useSearchParams } from 'react-router'

import type { Answer } from '../../api.ts'
import { keptWith } from '../address/To.tsx'
import { ListedChange, KIND_COLUMN, RISK_COLUMN, SAVING_COLUMNS } from '../recommendation/recommendation-columns.tsx'
import type { Column } from '../table/column.ts'
import { DataTable } from '../table/DataTable.tsx'

type Advice = Answer<'recommendationsTotals'>
type Recommendation = Advice['recommendations'][number]

/** What to do first, whichever cluster it is in. A row opens its card on the Actions screen of its cluster. */
export function EveryRecommendation({ data }: { readonly data: Advice }) {
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
    text: ({ title }) => title,
  },
  {
    id: 'cluster',
    name: 'Cluster',
    width: '9rem',
    cell: ({ cluster }) => <bdi className="wrap-anywhere">{cluster.name}</bdi>,
    sortBy: ({ cluster }) => cluster.name,
    text: ({ cluster }) => cluster.name,
  },
  KIND_COLUMN,
  ...SAVING_COLUMNS,
  RISK_COLUMN,
]
