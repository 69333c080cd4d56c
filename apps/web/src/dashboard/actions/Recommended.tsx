import type { Answer } from '../../api.ts'
import { ago } from '../../ui/time-words.ts'
import { useNow } from '../../ui/use-now.ts'
import { Segmented } from '../form/Segmented.tsx'
import { KIND_WORDS, type Recommendation } from '../recommendation/recommendation-words.ts'
import { useUrlChoice } from '../address/url-state.ts'
import { DismissedList } from './DismissedList.tsx'
import { RecommendationTable } from './RecommendationTable.tsx'
import { SavingTotals } from './SavingTotals.tsx'
import { UnansweredList } from './UnansweredList.tsx'

type Recommendations = Answer<'recommendationsList'>

type Props = {
  readonly data: Recommendations
  readonly open: string | undefined
  readonly onOpen: (id: string) => void
}

/** What Septet would change: what it brings, what it risks and the way back, best first. */
export function Recommended({ data, open, onOpen }: Props) {
  const [kind, setKind] = useUrlChoice('kind')
  const now = useNow()
  const standing = data.recommendations.filter(({ dismissed }) => dismissed === null)
  const dismissed = data.recommendations.filter((each) => each.dismissed !== null)
  const shown = standing.filter((each) => !isKind(kind) || each.kind === kind)
  return (
    <div className="grid grid-cols-1 gap-5">
      {data.source.kind !== 'sample' && <SavingTotals recommendations={standing} areMade={data.madeAt !== null} />}
      <div className="flex flex-wrap items-center justify-between gap-3">
        <Segmented
          label="Kind of change"
          value={isKind(kind) ? kind : 'all'}
          options={kindOptions(standing)}
          onChange={(value) => setKind(value === 'all' ? undefined : value)}
        />
        <p className="text-12 text-ink-quiet">{data.madeAt !== null && `Updated ${ago(data.madeAt, now)}`}</p>
      </div>
      <RecommendationTable
        recommendations={shown}
        openKey={open}
        onOpen={({ id }) => onOpen(id)}
        empty={emptyWords(data, standing.length)}
      />
      {data.unanswered.length > 0 && <UnansweredList holders={data.unanswered} />}
      {dismissed.length > 0 && <DismissedList recommendations={dismissed} onOpen={onOpen} />}
    </div>
  )
}

const isKind = (kind: string | undefined): kind is Recommendation['kind'] =>
  kind !== undefined && Object.hasOwn(KIND_WORDS, kind)

/** All kinds, with how many there are of each; a kind without any is left out. */
function kindOptions(recommendations: readonly Recommendation[]) {
  const kinds = Object.keys(KIND_WORDS).filter(isKind)
  const counted = kinds.map((kind) => ({
    value: kind,
    label: KIND_WORDS[kind],
    count: recommendations.filter((each) => each.kind === kind).length,
  }))
  return [
    { value: 'all' as const, label: 'All', count: recommendations.length },
    ...counted.filter(({ count }) => count > 0),
  ]
}

function emptyWords({ madeAt, dismissed }: Recommendations, standing: number): string {
  if (madeAt === null) return 'No recommendations yet. The first appear about a minute after usage is read.'
  if (standing > 0) return 'No recommendations of this kind.'
  return `Nothing to do: no waste with solid evidence, and no waiting workload could start.${dismissed === 0 ? '' : ' Dismissed ones are below.'}`
}
