import { useState } from 'react'

import { To } from '../address/To.tsx'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { ChevronDownIcon } from '../../ui/icons.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { ago, dayTime } from '../../ui/time-words.ts'
import { useNow } from '../../ui/use-now.ts'
import { useUrlChoice } from '../address/url-state.ts'
import { addsToFigure, figureWords, objectName, objectPlace } from './alert-words.ts'
import { SEVERITY_TONES, KIND_NAMES, type AlertKind, type Alert } from '../words/alert-kinds.ts'
import { AlertMarks } from './AlertMarks.tsx'

const SHOWN_AT_FIRST = 6

/** The alerts of one kind that fire, the newest first. */
export function AlertGroup({ kind, alerts }: { readonly kind: AlertKind; readonly alerts: readonly Alert[] }) {
  const [all, setAll] = useState(false)
  const [open] = useUrlChoice('alert')
  const isHidden = alerts.slice(SHOWN_AT_FIRST).some(({ id }) => id === open)
  const shown = all || isHidden ? alerts : alerts.slice(0, SHOWN_AT_FIRST)
  const advice = sharedAdvice(alerts)
  return (
    <Panel title={KIND_NAMES[kind]} aside={<span className="font-mono text-12 text-ink-quiet">{alerts.length}</span>}>
      {advice !== undefined && <p className="-mt-2 mb-3 max-w-3xl text-13 text-ink-soft">{advice}</p>}
      <ul className="grid divide-y divide-line border-t border-line">
        {shown.map((alert) => (
          <AlertRow
            key={alert.id}
            alert={alert}
            isLinked={alert.id === open}
            advice={advice === undefined ? alert.advice : undefined}
          />
        ))}
      </ul>
      {shown.length < alerts.length && (
        <p className="mt-1">
          <Button onClick={() => setAll(true)}>Show all {alerts.length}</Button>
        </p>
      )}
    </Panel>
  )
}

/** What to do, where it is the same for all of several: said once, above them. */
function sharedAdvice(alerts: readonly Alert[]): string | undefined {
  const [first] = alerts
  return alerts.length > 1 && alerts.every(({ advice }) => advice === first?.advice) ? first?.advice : undefined
}

type RowProps = { readonly alert: Alert; readonly isLinked: boolean; readonly advice: string | undefined }

function AlertRow({ alert, isLinked, advice }: RowProps) {
  const now = useNow()
  const isSilent = alert.silence !== null && new Date(alert.silence.until).getTime() > now
  return (
    <li
      className={`grid items-start gap-x-6 gap-y-2 py-3 md:grid-cols-[minmax(0,1fr)_auto] ${isLinked ? '-mx-3 rounded-control bg-sunken px-3' : ''}`}
    >
      <div className="grid min-w-0 gap-1">
        <div className="flex flex-wrap items-baseline gap-x-2.5 gap-y-1">
          <Badge tone={SEVERITY_TONES[alert.severity]}>{alert.severity}</Badge>
          <h3 className="min-w-0 text-13 font-medium wrap-anywhere">
            <bdi>{alert.title}</bdi>
          </h3>
          {isSilent && <Badge tone="secondary">silenced until {dayTime(alert.silence?.until ?? '')}</Badge>}
          {alert.acknowledgement !== null && <Badge tone="secondary">acknowledged by {alert.acknowledgement.by}</Badge>}
        </div>
        <Facts alert={alert} now={now} />
        {addsToFigure(alert) && <Message text={alert.message} />}
        {advice !== undefined && <p className="max-w-3xl text-13 wrap-anywhere">{advice}</p>}
      </div>
      <div className="has-[form]:col-span-full">
        <AlertMarks alert={alert} isSilent={isSilent} />
      </div>
    </li>
  )
}

/** The figure beside its limit, what it is about, and since when. */
const Facts = ({ alert, now }: { readonly alert: Alert; readonly now: number }) => (
  <p className="flex flex-wrap items-baseline gap-x-4 gap-y-0.5 text-12 text-ink-quiet">
    {figureWords(alert) !== undefined && <span className="font-mono text-ink tabular-nums">{figureWords(alert)}</span>}
    <ObjectLink object={alert.object} />
    <time dateTime={alert.since} title={dayTime(alert.since)}>
      started {ago(alert.since, now)}
    </time>
  </p>
)

/** Longer ones are cut after two lines until they are opened. */
const LONG = 220

const Message = ({ text }: { readonly text: string }) =>
  text.length <= LONG ? (
    <p className="max-w-3xl text-13 text-ink-soft wrap-anywhere">
      <bdi>{text}</bdi>
    </p>
  ) : (
    <details className="group max-w-3xl text-13 text-ink-soft">
      <summary className="grid cursor-pointer grid-cols-[minmax(0,1fr)_auto] items-start gap-2 rounded-control">
        <bdi className="line-clamp-2 wrap-anywhere group-open:line-clamp-none">{text}</bdi>
        <span className="pt-0.5 text-ink-quiet transition-transform group-open:rotate-180">
          <ChevronDownIcon />
        </span>
      </summary>
    </details>
  )

/** To the card of what it is about; the cluster that is looked at goes along. */
export function ObjectLink({ object }: { readonly object: string }) {
  const place = objectPlace(object)
  const name = <bdi className="font-mono text-12 wrap-anywhere">{objectName(object)}</bdi>
  if (place === undefined) return name
  return (
    <To path={place.path} more={place.search} look="underlined" className="underline-offset-4">
      {name}
    </To>
  )
}
