import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'

import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { ago, dayTime } from '../../ui/time-words.ts'
import { useNow } from '../../ui/use-now.ts'
import { useUrlChoice } from '../url-state.ts'
import { figureWords, KIND_NAMES, objectName, objectPlace, SEVERITY_TONES } from './alert-words.ts'
import type { Alert, AlertKind } from './alert-words.ts'
import { AlertMarks } from './AlertMarks.tsx'

const SHOWN_AT_FIRST = 6

/** The alerts of one kind that fire, the newest first. */
export function AlertGroup({ kind, alerts }: { readonly kind: AlertKind; readonly alerts: readonly Alert[] }) {
  const [all, setAll] = useState(false)
  const [open] = useUrlChoice('alert')
  const isHidden = alerts.slice(SHOWN_AT_FIRST).some(({ id }) => id === open)
  const shown = all || isHidden ? alerts : alerts.slice(0, SHOWN_AT_FIRST)
  return (
    <Panel title={KIND_NAMES[kind]} aside={<span className="font-mono text-12 text-ink-quiet">{alerts.length}</span>}>
      <ul className="grid divide-y divide-line border-y border-line">
        {shown.map((alert) => (
          <AlertRow key={alert.id} alert={alert} isLinked={alert.id === open} />
        ))}
      </ul>
      {shown.length < alerts.length && (
        <p className="mt-3">
          <Button onClick={() => setAll(true)}>Show all {alerts.length}</Button>
        </p>
      )}
    </Panel>
  )
}

function AlertRow({ alert, isLinked }: { readonly alert: Alert; readonly isLinked: boolean }) {
  const now = useNow()
  const figure = figureWords(alert)
  const isSilent = alert.silence !== null && new Date(alert.silence.until).getTime() > now
  return (
    <li className={`py-3 ${isLinked ? 'bg-sunken px-3 -mx-3 rounded-control' : ''}`}>
      <div className="flex flex-wrap items-baseline gap-x-2.5 gap-y-1">
        <Badge tone={SEVERITY_TONES[alert.severity]}>{alert.severity}</Badge>
        <h3 className="min-w-0 text-13 font-medium wrap-anywhere">
          <bdi>{alert.title}</bdi>
        </h3>
        {isSilent && <Badge tone="secondary">silenced until {dayTime(alert.silence?.until ?? '')}</Badge>}
        {alert.acknowledgement !== null && <Badge tone="secondary">acknowledged by {alert.acknowledgement.by}</Badge>}
        <time
          dateTime={alert.since}
          title={dayTime(alert.since)}
          className="ml-auto text-12 text-ink-quiet max-sm:ml-0"
        >
          since {ago(alert.since, now).replace(/ ago$/u, '')}
        </time>
      </div>
      {figure !== undefined && <p className="mt-1 font-mono text-12 tabular-nums">{figure}</p>}
      <p className="mt-1 max-w-4xl text-13 text-ink-soft wrap-anywhere">
        <bdi>{alert.message}</bdi>
      </p>
      <p className="mt-1 max-w-4xl text-13 wrap-anywhere">{alert.advice}</p>
      <div className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-2">
        <ObjectLink object={alert.object} />
        <AlertMarks alert={alert} isSilent={isSilent} />
      </div>
    </li>
  )
}

/** To the card of what it is about; the cluster that is looked at goes along. */
export function ObjectLink({ object }: { readonly object: string }) {
  const [search] = useSearchParams()
  const place = objectPlace(object)
  const name = <bdi className="font-mono text-12 wrap-anywhere">{objectName(object)}</bdi>
  if (place === undefined) return name
  const kept = new URLSearchParams(place.search)
  const cluster = search.get('cluster')
  if (cluster !== null) kept.set('cluster', cluster)
  return (
    <Link
      to={{ pathname: place.path, search: String(kept) }}
      className="rounded-control text-accent-ink underline underline-offset-4"
    >
      {name}
    </Link>
  )
}
