import { DAY_MS } from '@septet/domain/units'
import { duration, nameOfWorkload } from '@septet/domain/words'
import type { ReactNode } from 'react'

import { Panel } from '../../ui/Panel.tsx'
import { dayName, dayTime } from '../../ui/time-words.ts'
import { useNow } from '../../ui/use-now.ts'

import { DataTable } from '../table/DataTable.tsx'
import type { Column } from '../table/column.ts'
import { objectName } from './alert-words.ts'
import { KIND_NAMES, type Alert } from '../words/alert-kinds.ts'
import { ObjectLink } from './AlertGroup.tsx'

type Props = { readonly alerts: readonly Alert[]; readonly days: number; readonly aside: ReactNode }

const MOST_LANES = 24

/** When what was wrong: a lane for each object, its stretches on it, and the same as a table. */
export function AlertTimeline({ alerts, days, aside }: Props) {
  const now = useNow()
  const from = now - days * DAY_MS
  const lanes = [...Map.groupBy(alerts, ({ kind, object }) => `${kind} ${object}`)].slice(0, MOST_LANES)
  return (
    <Panel title="History" aside={aside}>
      {alerts.length === 0 ? (
        <p className="py-2 text-13 text-ink-soft">No alerts in this period.</p>
      ) : (
        <div className="grid gap-5">
          <div aria-hidden className="grid gap-1">
            {lanes.map(([key, some]) => (
              <Lane key={key} alerts={some} from={from} now={now} />
            ))}
            <Axis from={from} />
          </div>
          <DataTable
            caption="Alerts in this period"
            columns={COLUMNS}
            rows={alerts}
            keyOf={({ id }) => id}
            initialSort={{ id: 'began', down: true }}
            empty="No alerts in this period."
          />
        </div>
      )}
    </Panel>
  )
}

type LaneProps = { readonly alerts: readonly Alert[]; readonly from: number; readonly now: number }

function Lane({ alerts, from, now }: LaneProps) {
  const [first] = alerts
  if (first === undefined) return null
  return (
    <div className="grid grid-cols-[minmax(0,14rem)_minmax(0,1fr)] items-center gap-3 max-sm:grid-cols-[minmax(0,7rem)_minmax(0,1fr)]">
      <span className="truncate text-12 text-ink-soft" title={first.object}>
        {objectName(first.object) === 'cluster' ? KIND_NAMES[first.kind] : shortest(first.object)}
      </span>
      <span className="relative h-3.5 rounded-[3px] bg-sunken">
        {alerts.map((alert) => (
          <Stretch key={alert.id} alert={alert} from={from} now={now} />
        ))}
      </span>
    </div>
  )
}

/** Long names end in what tells them apart. */
const shortest = (object: string): string =>
  object.startsWith('workload/') ? nameOfWorkload(objectName(object)) : objectName(object)

function Stretch({ alert, from, now }: { readonly alert: Alert; readonly from: number; readonly now: number }) {
  const began = Math.max(from, new Date(alert.firedAt ?? alert.since).getTime())
  const ended = alert.resolvedAt === null ? now : new Date(alert.resolvedAt).getTime()
  const place = (at: number): number => ((at - from) / (now - from)) * 100
  const width = Math.max(0, place(ended) - place(began))
  return (
    <span
      className={`absolute inset-y-0 min-w-[3px] rounded-[3px] ${TONES[alert.severity]} ${alert.status === 'firing' ? '' : 'opacity-55'}`}
      style={{ left: `${Math.min(99.5, place(began))}%`, width: `${width}%` }}
    />
  )
}

const TONES = { critical: 'bg-fault', warning: 'bg-idle', info: 'bg-ink-quiet' } satisfies Record<
  Alert['severity'],
  string
>

const Axis = ({ from }: { readonly from: number }) => (
  <div className="grid grid-cols-[minmax(0,14rem)_minmax(0,1fr)] gap-3 text-12 text-ink-quiet max-sm:grid-cols-[minmax(0,7rem)_minmax(0,1fr)]">
    <span />
    <span className="flex justify-between">
      <span>{dayName(new Date(from).toISOString())}</span>
      <span>now</span>
    </span>
  </div>
)

const secondsOf = ({ firedAt, since, resolvedAt }: Alert): number | undefined =>
  resolvedAt === null ? undefined : (new Date(resolvedAt).getTime() - new Date(firedAt ?? since).getTime()) / 1000

const COLUMNS: readonly Column<Alert>[] = [
  {
    id: 'kind',
    name: 'Kind',
    cell: ({ kind }) => KIND_NAMES[kind],
    sortBy: ({ kind }) => KIND_NAMES[kind],
    width: '11rem',
  },
  {
    id: 'object',
    name: 'Object',
    cell: ({ object }) => <ObjectLink object={object} />,
    sortBy: ({ object }) => object,
  },
  {
    id: 'began',
    name: 'Began',
    cell: ({ firedAt, since }) => dayTime(firedAt ?? since),
    sortBy: ({ firedAt, since }) => firedAt ?? since,
    largestFirst: true,
    width: '12rem',
  },
  {
    id: 'lasted',
    name: 'Lasted',
    cell: (alert) => {
      const seconds = secondsOf(alert)
      return seconds === undefined ? 'still firing' : duration(seconds)
    },
    sortBy: secondsOf,
    largestFirst: true,
    text: (alert) => String(secondsOf(alert) ?? ''),
    width: '8rem',
  },
  {
    id: 'ending',
    name: 'How it ended',
    cell: ({ resolvedAt, ending }) => (resolvedAt === null ? '' : endingWords(ending)),
    text: ({ resolvedAt, ending }) => (resolvedAt === null ? '' : endingWords(ending)),
    width: '9rem',
  },
]

const endingWords = (ending: string | null): string => {
  if (ending === 'rule-changed') return 'rule changed'
  return ending === 'object-gone' ? 'gone' : 'well again'
}
