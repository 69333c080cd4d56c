import { agree } from '@septet/domain/words'
import { Link } from 'react-router'

import { usePlace } from '../../session/place-context.ts'
import { usePageTitle } from '../../ui/use-page-title.ts'
import { NoticeBox } from '../../ui/Notice.tsx'
import { ScreenHead } from '../panel/ScreenHead.tsx'
import { Segmented } from '../form/Segmented.tsx'
import { Answered } from '../panel/Answered.tsx'
import { Bones } from '../panel/Bones.tsx'
import { useUrlChoice, useUrlState } from '../address/url-state.ts'
import { useAnswer } from '../client/use-answer.ts'
import { byKind } from './alert-words.ts'
import { isKind, KIND_NAMES, type AlertKind, type Alert } from '../words/alert-kinds.ts'
import { AlertGroup } from './AlertGroup.tsx'
import { AlertTimeline } from './AlertTimeline.tsx'

const DAYS = ['1', '7', '30'] as const

/** What needs somebody, and since when. */
export function AlertsPage() {
  usePageTitle('Alerts · Septet')
  const { cluster } = useUrlState()
  const { demo } = usePlace()
  const [wantedKind, setKind] = useUrlChoice('kind')
  const [wantedDays, setDays] = useUrlChoice('days')
  const kind = wantedKind !== undefined && isKind(wantedKind) ? wantedKind : undefined
  const days = DAYS.find((each) => each === wantedDays) ?? '7'
  const alerts = useAnswer('alertsList', { cluster, days })
  return (
    <>
      <ScreenHead
        title="Alerts"
        lead="What needs attention, and since when."
        docs="reports-and-alerts#alerts"
        aside={demo ? undefined : <SettingsLink />}
      />
      <Answered answer={alerts} waiting={<Bones heights={['h-8', 'h-56', 'h-64']} />}>
        {({ note, firing, pending, history }) => (
          <div className="grid grid-cols-1 gap-4">
            {note !== null && <NoticeBox tone="quiet">{note}</NoticeBox>}
            {firing.length > 0 && <ViewerNote />}
            <KindFilter firing={firing} kind={kind} choose={setKind} />
            <Firing firing={firing.filter((alert) => kind === undefined || alert.kind === kind)} pending={pending} />
            <AlertTimeline
              alerts={[...firing, ...history].filter((alert) => kind === undefined || alert.kind === kind)}
              days={Number(days)}
              aside={
                <Segmented
                  label="How far back"
                  options={DAYS.map((value) => ({ value, label: value === '1' ? '24 h' : `${value} days` }))}
                  value={days}
                  onChange={setDays}
                />
              }
            />
          </div>
        )}
      </Answered>
    </>
  )
}

/** Why there is nothing to press: in the demo that is said elsewhere. */
function ViewerNote() {
  const { demo } = usePlace()
  const role = useAnswer('sessionMe', {}).data?.role
  if (demo || role !== 'viewer') return null
  return <p className="text-12 text-ink-quiet">Only operators and admins can acknowledge or silence alerts.</p>
}

const SettingsLink = () => (
  <Link
    to="/settings/notifications"
    className="inline-flex min-h-7 items-center rounded-control border border-line bg-surface px-2.5 text-13 whitespace-nowrap hover:border-line-strong"
  >
    Rules and channels
  </Link>
)

type FilterProps = {
  readonly firing: readonly Alert[]
  readonly kind: AlertKind | undefined
  readonly choose: (kind: string | undefined) => void
}

function KindFilter({ firing, kind, choose }: FilterProps) {
  const groups = byKind(firing)
  const known = groups.some((group) => group.kind === kind)
  if (groups.length < 2 && kind === undefined) return null
  const chosen = kind === undefined || known ? [] : [{ value: kind, label: KIND_NAMES[kind], count: 0 }]
  return (
    <Segmented
      label="Kind of alert"
      options={[
        { value: 'all', label: 'All', count: firing.length },
        ...groups.map((group) => ({ value: group.kind, label: KIND_NAMES[group.kind], count: group.alerts.length })),
        ...chosen,
      ]}
      value={kind ?? 'all'}
      onChange={(value) => choose(value === 'all' ? undefined : value)}
    />
  )
}

function Firing({ firing, pending }: { readonly firing: readonly Alert[]; readonly pending: number }) {
  return (
    <>
      {firing.length === 0 ? (
        <p className="rounded-card border border-line bg-surface px-5 py-6 text-13 text-ink-soft">No alerts firing.</p>
      ) : (
        byKind(firing).map(({ kind, alerts }) => <AlertGroup key={kind} kind={kind} alerts={alerts} />)
      )}
      {pending > 0 && (
        <p className="text-12 text-ink-quiet">
          {pending} more {agree(pending, 'is', 'are')} true, but not yet for as long as the rule asks.
        </p>
      )}
    </>
  )
}
