import { compareText, type Instant } from '../units.ts'
import type { Alert } from './alert.ts'
import type { AlertRules } from './alert-rule.ts'

/** Alerts that one channel is to be told of in one message. */
export type Notice = {
  readonly channel: string
  readonly about: 'firing' | 'resolved'
  /** Most severe first. */
  readonly alerts: readonly Alert[]
}

/**
 * Who is to be told what now: at most one message about what began and one about what is over for each channel, however
 * many alerts there are. Silenced and acknowledged ones wait; of what nobody was told to begin with nobody is told the end.
 */
export function noticesOf(
  alerts: readonly Alert[],
  {
    rules,
    channels,
    now,
  }: { readonly rules: AlertRules; readonly channels: ReadonlySet<string>; readonly now: Instant },
): Notice[] {
  const wanted = alerts.flatMap((alert) => {
    const about = newsOf(alert, now)
    if (about === undefined) return []
    return rules[alert.kind].channels
      .filter((channel) => channels.has(channel))
      .map((channel) => ({ key: JSON.stringify([channel, about]), channel, about, alert }))
  })
  return [...Map.groupBy(wanted, ({ key }) => key)]
    .toSorted(([a], [b]) => compareText(a, b))
    .flatMap(([, some]) => {
      const [first] = some
      if (first === undefined) return []
      const sorted = some.map(({ alert }) => alert).toSorted(bySeverity)
      return [{ channel: first.channel, about: first.about, alerts: sorted }]
    })
}

/** The alert as one of which people were told. */
export const markTold = (alert: Alert, now: Instant): Alert => ({
  ...alert,
  told: alert.status === 'firing' ? { ...alert.told, firing: now } : { ...alert.told, resolved: now },
})

function newsOf(alert: Alert, now: Instant): Notice['about'] | undefined {
  const { status, told, silence, acknowledgement } = alert
  if (silence !== undefined && silence.until > now) return undefined
  if (status === 'firing' && told.firing === undefined && acknowledgement === undefined) return 'firing'
  if (status === 'resolved' && told.firing !== undefined && told.resolved === undefined) return 'resolved'
  return undefined
}

const RANK = { critical: 0, warning: 1, info: 2 } as const

const bySeverity = (a: Alert, b: Alert): number =>
  RANK[a.severity] - RANK[b.severity] || compareText(a.kind, b.kind) || compareText(a.object, b.object)
