import type { AlertFigure, AlertKind, AlertSeverity } from './alert.ts'

/** Where a rule holds. An empty list is everywhere. */
type AlertScope = {
  /** Ids of clusters. */
  readonly clusters: readonly string[]
  readonly namespaces: readonly string[]
  /** Names of tenants. */
  readonly tenants: readonly string[]
}

/** When to alert about one kind of trouble, and whom. */
export type AlertRule = {
  readonly enabled: boolean
  /** In the kind's unit (`ALERT_KIND_WORDS`). */
  readonly threshold: number
  /** For how long it must be so before anybody is told, minutes. */
  readonly forMinutes: number
  readonly scope: AlertScope
  readonly severity: AlertSeverity
  /** Ids of the channels that are told. */
  readonly channels: readonly string[]
}

export type AlertRules = Readonly<Record<AlertKind, AlertRule>>

type KindWords = {
  readonly name: string
  /** What fires it, with its threshold. */
  readonly meaning: string
  readonly unit: AlertFigure['unit']
  /** Bounds of the threshold; undefined where there is none to set. */
  readonly threshold: { readonly least: number; readonly most: number } | undefined
}

/** What each kind is called and what its threshold means. */
export const ALERT_KIND_WORDS = {
  'idle-held': {
    name: 'Idle-held GPUs',
    meaning: 'A workload holds GPUs that are idle now and were idle for at least this many hours.',
    unit: 'hours',
    threshold: { least: 0.5, most: 168 },
  },
  budget: {
    name: 'Budget',
    meaning: 'This share of a budget is spent.',
    unit: 'percent',
    threshold: { least: 1, most: 200 },
  },
  efficiency: {
    name: 'Efficiency floor',
    meaning: 'GPUs that are held were busy for less than this share of the last 24 hours.',
    unit: 'percent',
    threshold: { least: 1, most: 99 },
  },
  'pending-with-free': {
    name: 'Pending with free slices',
    meaning:
      'Work waits for longer than this although enough is free on GPUs that offer what it asks for; one alert for what a namespace waits for.',
    unit: 'minutes',
    threshold: { least: 1, most: 1440 },
  },
  'mig-change-failed': {
    name: 'MIG change failed',
    meaning: 'mig-manager could not apply the configuration of a node.',
    unit: 'count',
    threshold: undefined,
  },
  xid: {
    name: 'XID fault',
    meaning: 'A GPU reports an XID that says the GPU itself cannot be relied on.',
    unit: 'code',
    threshold: undefined,
  },
  'telemetry-missing': {
    name: 'Telemetry missing',
    meaning: 'A cluster, node or exporter reports no metrics: the use of its GPUs is unknown.',
    unit: 'minutes',
    threshold: undefined,
  },
  'spend-change': {
    name: 'Spend change',
    meaning: 'What held GPUs cost in the last 24 hours is this much above the daily mean of the 7 days.',
    unit: 'percent',
    threshold: { least: 5, most: 1000 },
  },
  'mixed-namespaces': {
    name: 'Mixed namespaces',
    meaning: 'Pods of several namespaces share the GPUs of a node that Septet shares for one.',
    unit: 'count',
    threshold: undefined,
  },
} as const satisfies Readonly<Record<AlertKind, KindWords>>

const EVERYWHERE: AlertScope = { clusters: [], namespaces: [], tenants: [] }

const rule = (severity: AlertSeverity, threshold: number, forMinutes: number): AlertRule => ({
  enabled: true,
  threshold,
  forMinutes,
  scope: EVERYWHERE,
  severity,
  channels: [],
})

/** What holds until somebody sets it otherwise: everything is watched, and nobody is told yet. */
export const DEFAULT_ALERT_RULES: AlertRules = {
  'idle-held': rule('warning', 8, 0),
  budget: rule('warning', 100, 0),
  efficiency: rule('info', 30, 60),
  'pending-with-free': rule('warning', 15, 0),
  'mig-change-failed': rule('critical', 1, 2),
  xid: rule('critical', 1, 0),
  'telemetry-missing': rule('warning', 1, 10),
  'spend-change': rule('info', 50, 60),
  'mixed-namespaces': rule('warning', 1, 2),
}
