import type { Instant, Ratio } from '../units.ts'

/** What Septet alerts about. */
export const ALERT_KINDS = [
  'idle-held',
  'budget',
  'efficiency',
  'pending-with-free',
  'mig-change-failed',
  'xid',
  'telemetry-missing',
  'spend-change',
  'mixed-namespaces',
] as const
export type AlertKind = (typeof ALERT_KINDS)[number]

/** From what only should be known to what needs a person now. */
export const ALERT_SEVERITIES = ['info', 'warning', 'critical'] as const
export type AlertSeverity = (typeof ALERT_SEVERITIES)[number]

/** What was measured beside the limit that it passed. Both have the same unit. */
export type AlertFigure = {
  readonly value: number
  readonly threshold: number
  readonly unit: 'hours' | 'percent' | 'USD' | 'minutes' | 'code' | 'count'
  /** Share of the time that was measured; undefined where nothing is measured over time. */
  readonly coverage: Ratio | undefined
}

/** Someone knows of it: nobody is told again while it lasts. */
export type AlertAcknowledgement = { readonly by: string; readonly at: Instant; readonly reason: string }
/** Nobody is told until then, also when it ends and comes back. */
export type AlertSilence = AlertAcknowledgement & { readonly until: Instant }

/** One stretch of time over which something was wrong with one object. When it comes back it is another alert. */
export type Alert = {
  readonly id: string
  readonly cluster: string
  readonly kind: AlertKind
  /** The same for the same kind and object of a cluster, so that an alert is known again. */
  readonly fingerprint: string
  /** `workload/team/Deployment/name`, `waiting/team/mig-3g.40gb`, `gpu/UUID`, `node/NAME`, `target/ADDRESS`, `budget/ID`, `tenant/NAME` or `cluster`. */
  readonly object: string
  /** Whose it is, where it is one namespace's. */
  readonly namespace: string | undefined
  readonly severity: AlertSeverity
  /** `pending`: true, but not yet for as long as the rule asks. */
  readonly status: 'pending' | 'firing' | 'resolved'
  /** When it was first seen to be true. */
  readonly since: Instant
  readonly firedAt: Instant | undefined
  readonly resolvedAt: Instant | undefined
  /** Since when it looks well again, while that is not yet long enough to say so. */
  readonly clearSince: Instant | undefined
  /** When it was last evaluated on data that could tell. */
  readonly seenAt: Instant
  /** One line: what and where. */
  readonly title: string
  /** One or two sentences: what was seen, with its figures. */
  readonly message: string
  /** What to do. */
  readonly advice: string
  readonly figure: AlertFigure
  /** Why it ended, where it was not simply over: `rule-changed`, `object-gone`. */
  readonly ending: string | undefined
  /** Whether people were told that it fires, and that it is over. */
  readonly told: { readonly firing: Instant | undefined; readonly resolved: Instant | undefined }
  readonly acknowledgement: AlertAcknowledgement | undefined
  readonly silence: AlertSilence | undefined
}

export type AlertQuery = {
  readonly cluster: string
  readonly statuses?: readonly Alert['status'][]
  readonly kinds?: readonly AlertKind[]
  /** Alerts of these namespaces alone. */
  readonly namespaces?: readonly string[]
  /** Those that lasted past this instant, or still last. */
  readonly from?: Instant
  readonly limit: number
}

/** What a person did about an alert. Absent: as it was; undefined: taken back. */
export type AlertMark = {
  readonly acknowledgement?: AlertAcknowledgement | undefined
  readonly silence?: AlertSilence | undefined
}
