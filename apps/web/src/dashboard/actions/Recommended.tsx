import { CLASSES, RECOMMENDATION_KINDS } from '@septet/domain/action-classes'
import type { Answer } from '../../api.ts'
import { ago } from '../../ui/time-words.ts'
import { useNow } from '../../ui/use-now.ts'
import { Segmented } from '../form/Segmented.tsx'
import type { Recommendation } from '../recommendation/recommendation-words.ts'
import { useUrlChoice } from '../address/url-state.ts'
import { RecommendationTable } from './RecommendationTable.tsx'
import { Button } from '../../ui/Button.tsx'
import { Panel } from '../../ui/Panel.tsx'
import type { FigureView } from '@septet/contract'
import { textOf } from '@septet/contract/says'
import { FigureText } from '../../ui/FigureText.tsx'
import { dollars, grouped } from '@septet/domain/words'
import { Badge } from '../../ui/Badge.tsx'

type Holders = Answer<'recommendationsList'>['unanswered']

/** The largest idle holders that no recommendation helps: each with what it idled away in a week, and why. */
const UnansweredList = ({ holders }: { readonly holders: Holders }) => (
  <Panel title="Largest idle holders without an action">
    <ul className="divide-y divide-line">
      {holders.map(({ workload, idleGpuHours, idleUsd, reason, because }) => (
        <li key={workload} className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 py-2.5">
          <div className="min-w-0 flex-1 basis-64">
            <p className="flex flex-wrap items-baseline gap-x-2 text-13">
              <span className="font-medium wrap-anywhere">{workload}</span>
              <Badge tone="secondary">{REASON_WORDS[reason]}</Badge>
            </p>
            <p className="text-12 text-ink-soft wrap-anywhere">{because}</p>
          </div>
          <p className="font-mono text-12">
            {grouped(idleGpuHours, 0)} GPU-h idle{idleUsd === null ? '' : `, ${dollars(idleUsd)}`}
          </p>
        </li>
      ))}
    </ul>
  </Panel>
)

const REASON_WORDS = {
  guardrail: 'A guardrail',
  'other-change': 'Another change first',
  'faulty-gpu': 'GPU unhealthy',
  'kept-whole': 'Node kept whole',
  'no-room': 'No room',
  'needs-size': 'Right size already',
  'works-in-between': 'Intermittent use',
  'not-measured': 'Not enough data',
} satisfies Record<Holders[number]['reason'], string>

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
      {data.source.kind !== 'sample' && <SavingTotals saves={data.saves} />}
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
        empty={standing.length > 0 ? 'No recommendations of this kind.' : textOf(data.says)}
      />
      {data.unanswered.length > 0 && <UnansweredList holders={data.unanswered} />}
      {dismissed.length > 0 && <DismissedList recommendations={dismissed} onOpen={onOpen} />}
    </div>
  )
}

const isKind = (kind: string | undefined): kind is Recommendation['kind'] =>
  RECOMMENDATION_KINDS.some((each) => each === kind)

/** All kinds, with how many there are of each; a kind without any is left out. */
function kindOptions(recommendations: readonly Recommendation[]) {
  const counted = RECOMMENDATION_KINDS.map((kind) => ({
    value: kind,
    label: CLASSES[kind].title,
    count: recommendations.filter((each) => each.kind === kind).length,
  }))
  return [
    { value: 'all' as const, label: 'All', count: recommendations.length },
    ...counted.filter(({ count }) => count > 0),
  ]
}

type DismissedListProps = { readonly recommendations: readonly Recommendation[]; readonly onOpen: (id: string) => void }

/** What a person said no to, and why; the card takes it back. */
function DismissedList({ recommendations, onOpen }: DismissedListProps) {
  const now = useNow()
  return (
    <Panel title={`Dismissed (${recommendations.length})`}>
      <ul className="divide-y divide-line">
        {recommendations.map(({ id, title, dismissed }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1 py-2.5">
            <div className="min-w-0 flex-1 basis-64">
              <p className="text-13 font-medium wrap-anywhere">{title}</p>
              {dismissed !== null && (
                <p className="text-12 text-ink-soft wrap-anywhere">
                  “{dismissed.reason}”, {ago(dismissed.at, now)}
                </p>
              )}
            </div>
            <Button aria-label={`Open ${title}`} onClick={() => onOpen(id)}>
              Open
            </Button>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

/** What all of them together would bring: the bill and the capacity apart, for only one of the two is money that is no longer paid. */
function SavingTotals({ saves: { billReduced, capacityFreed, without } }: Pick<Recommendations, 'saves'>) {
  return (
    <dl className="grid gap-x-10 gap-y-4 rounded-card border border-line bg-surface px-5 py-4 sm:grid-cols-3">
      <Total name="Bill reduction" figure={billReduced} note="Estimated, from removing machines." />
      <Total
        name="Capacity freed"
        figure={capacityFreed}
        note="Estimated value of GPU time freed. The bill stays the same."
      />
      <div>
        <dt className="text-12 text-ink-quiet">No dollar value</dt>
        <dd
          className={`mt-0.5 ${without === null ? 'text-20 tracking-tight text-ink-soft' : 'text-28 tracking-[-0.03em]'} font-semibold tabular-nums`}
        >
          {without ?? 'Unknown'}
        </dd>
        <dd className="mt-1 text-12 text-ink-soft">These start waiting work sooner instead of saving money.</dd>
      </div>
    </dl>
  )
}

type TotalProps = { readonly name: string; readonly figure: FigureView; readonly note: string }

const Total = ({ name, figure, note }: TotalProps) => (
  <div>
    <dt className="text-12 text-ink-quiet">{name}</dt>
    <dd className="mt-0.5">
      <FigureText name={name} figure={figure} size="headline" unknown="Unknown" />
    </dd>
    <dd className="mt-1 text-12 text-ink-soft">{note}</dd>
  </div>
)
