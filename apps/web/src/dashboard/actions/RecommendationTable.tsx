import { isOf } from '../acting/action-words.ts'
import { duration, plural } from '@septet/domain/words'
import type { Column } from '../table/column.ts'
import { DataTable } from '../table/DataTable.tsx'
import {
  ListedChange,
  KIND_COLUMN,
  Quiet,
  RISK_COLUMN,
  SAVING_COLUMNS,
} from '../recommendation/recommendation-columns.tsx'
import type { Recommendation } from '../recommendation/recommendation-words.ts'
import { Badge } from '../../ui/Badge.tsx'
import { useMay } from '../acting/use-may.ts'
import { useOpenActions } from '../acting/use-open-actions.ts'
import { useUrlState } from '../address/url-state.ts'

type Props = {
  readonly recommendations: readonly Recommendation[]
  readonly openKey: string | undefined
  readonly onOpen: (recommendation: Recommendation) => void
  readonly empty: string
}

/** Best first, as the planner ranks them; each opens its card. */
export const RecommendationTable = ({ recommendations, openKey, onOpen, empty }: Props) => (
  <DataTable
    caption="Recommendations, best first"
    columns={COLUMNS}
    rows={recommendations}
    keyOf={({ id }) => id}
    openKey={openKey}
    onOpen={onOpen}
    empty={empty}
  />
)

const COLUMNS: readonly Column<Recommendation>[] = [
  {
    id: 'what',
    name: 'Change',
    cell: ({ id, title, message }) => (
      <ListedChange title={title} message={message} mark={<ProposedMark recommendation={id} />} />
    ),
    sortBy: ({ title }) => title,
  },
  KIND_COLUMN,
  ...SAVING_COLUMNS,
  RISK_COLUMN,
  {
    id: 'displaced',
    name: 'Displaced',
    width: '5.5rem',
    align: 'right',
    cell: ({ risk }) => (risk === null ? <Quiet>not stated</Quiet> : plural(risk.displaced.length, 'pod')),
    sortBy: ({ risk }) => risk?.displaced.length,
    text: ({ risk }) => (risk === null ? '' : String(risk.displaced.length)),
  },
  {
    id: 'takes',
    name: 'Takes up to',
    width: '5.5rem',
    align: 'right',
    cell: ({ risk }) => (risk === null ? <Quiet>not stated</Quiet> : duration(risk.seconds.high)),
    sortBy: ({ risk }) => risk?.seconds.high,
    text: ({ risk }) => (risk === null ? '' : `${risk.seconds.high} s`),
  },
]

type ProposedMarkProps = { readonly recommendation: string }

/** Says of a recommendation that it is on its way already. */
const ProposedMark = (props: ProposedMarkProps) => (useMay().see === true ? <Mark {...props} /> : undefined)

function Mark({ recommendation }: ProposedMarkProps) {
  const { cluster } = useUrlState()
  const action = useOpenActions(cluster).data?.actions.find(isOf(recommendation))
  if (action === undefined) return undefined
  return <Badge tone="warning">{action.state === 'proposed' ? 'proposed' : 'running'}</Badge>
}
