import { contentHash } from '../plan/words/content-hash.ts'
import { compareText, instant, type Instant } from '../units.ts'
import { ALERT_KINDS, type Alert, type AlertKind } from './alert.ts'
import type { AlertRule, AlertRules } from './alert-rule.ts'
import type { Observation, Observed } from './observation.ts'

export type AlertTurn = {
  readonly cluster: string
  readonly now: Instant
  readonly rules: AlertRules
  /** What was seen, by kind; a kind that is absent was not looked at. */
  readonly observed: Readonly<Partial<Record<AlertKind, Observed>>>
  /** What the turn before left: `AlertStore.current`. */
  readonly current: readonly Alert[]
}

/** How long something must look well before it is over, milliseconds: what comes and goes is one alert. */
export const CLEAR_MS = 5 * 60_000
/** What was not seen for longer does not count as having lasted, milliseconds. */
const GAP_MS = 15 * 60_000

/**
 * The alerts that have changed, by id. What is unknown changes nothing: nothing fires and nothing ends on it. A rule's time
 * counts only while it was seen to be broken, and goes on over a restart. When the clock goes back, waiting begins
 * again.
 */
export function evaluateAlerts(turn: AlertTurn): Alert[] {
  const open = new Map(turn.current.filter(isOpen).map((alert) => [alert.fingerprint, alert]))
  const changed = ALERT_KINDS.flatMap((kind) => evaluateKind(turn, kind, open))
  return changed.toSorted((a, b) => compareText(a.id, b.id))
}

function evaluateKind(turn: AlertTurn, kind: AlertKind, open: ReadonlyMap<string, Alert>): Alert[] {
  const rule = turn.rules[kind]
  const { observations, complete } = turn.observed[kind] ?? { observations: [], complete: false }
  const inScope = observations.filter((each) => rule.enabled && isInScope(rule, turn.cluster, each))
  const seen = new Map(inScope.map((each) => [fingerprintOf(turn.cluster, each), each]))
  const fresh = [...seen].flatMap(([fingerprint, observation]) => {
    const before = open.get(fingerprint)
    const after = before === undefined ? begin(turn, rule, observation) : goOn(before, { turn, rule, observation })
    return after === before || after === undefined ? [] : [after]
  })
  const excluded = new Set(observations.map((each) => fingerprintOf(turn.cluster, each)))
  const unseen = [...open.values()].filter((alert) => alert.kind === kind && !seen.has(alert.fingerprint))
  const ended = unseen.flatMap((alert) => {
    if (!rule.enabled || excluded.has(alert.fingerprint)) return [end(alert, turn.now, 'rule-changed')]
    return complete ? [lookWell(alert, turn.now, 'object-gone')] : []
  })
  return [...fresh, ...ended]
}

const isOpen = ({ status }: Alert): boolean => status !== 'resolved'

/** The same for the same kind and object of a cluster. */
function fingerprintOf(cluster: string, { kind, object }: Pick<Observation, 'kind' | 'object'>): string {
  const text = JSON.stringify([cluster, kind, object])
  // There may be ten thousand objects, and next to none with a long name: only those are worth hashing.
  return text.length <= LONGEST_FINGERPRINT ? text : contentHash(text)
}
const LONGEST_FINGERPRINT = 300

function isInScope({ scope }: AlertRule, cluster: string, { namespace, tenant }: Observation): boolean {
  const { clusters, namespaces, tenants } = scope
  return isAmong(cluster, clusters) && isAmong(namespace, namespaces) && isAmong(tenant, tenants)
}

const isAmong = (name: string | undefined, wanted: readonly string[]): boolean =>
  wanted.length === 0 || (name !== undefined && wanted.includes(name))

function begin(turn: AlertTurn, rule: AlertRule, observation: Observation): Alert | undefined {
  if (observation.verdict !== 'breach') return undefined
  const { cluster, now } = turn
  const fingerprint = fingerprintOf(cluster, observation)
  const last = turn.current.find((alert) => alert.fingerprint === fingerprint && !isOpen(alert))
  const alert: Alert = {
    id: contentHash(`${fingerprint} ${now}`),
    cluster,
    fingerprint,
    ...told(observation),
    kind: observation.kind,
    object: observation.object,
    severity: rule.severity,
    status: 'pending',
    since: now,
    firedAt: undefined,
    resolvedAt: undefined,
    clearSince: undefined,
    seenAt: now,
    ending: undefined,
    told: { firing: undefined, resolved: undefined },
    acknowledgement: undefined,
    silence: last?.silence,
  }
  return fireIfDue(alert, rule, now)
}

type Going = { readonly turn: AlertTurn; readonly rule: AlertRule; readonly observation: Observation }

function goOn(alert: Alert, { turn: { now }, rule, observation }: Going): Alert {
  const { verdict } = observation
  if (verdict === 'unknown') return alert
  if (verdict === 'clear') return lookWell(alert, now, undefined)
  const isPending = alert.status === 'pending'
  // Not bad enough to fire, not good enough to end.
  if (verdict === 'between' && isPending) return end(alert, now, undefined)
  const hasGap = now - alert.seenAt > GAP_MS || now < alert.since
  const since = isPending && hasGap ? now : alert.since
  const seen = { ...alert, ...told(observation), severity: rule.severity, since, clearSince: undefined, seenAt: now }
  return verdict === 'between' ? seen : fireIfDue(seen, rule, now)
}

function fireIfDue(alert: Alert, { forMinutes }: AlertRule, now: Instant): Alert {
  const isDue = alert.status === 'pending' && now - alert.since >= forMinutes * 60_000
  return isDue ? { ...alert, status: 'firing', firedAt: now } : alert
}

/** It ends when it has looked well for long enough; what has not fired ends at once. */
function lookWell(alert: Alert, now: Instant, ending: string | undefined): Alert {
  if (alert.status === 'pending') return end(alert, now, ending)
  const since = alert.clearSince === undefined || alert.clearSince > now ? now : alert.clearSince
  if (now - since >= CLEAR_MS) return end(alert, now, ending)
  return { ...alert, clearSince: since }
}

const end = (alert: Alert, now: Instant, ending: string | undefined): Alert => ({
  ...alert,
  status: 'resolved',
  resolvedAt: instant(Math.max(now, alert.firedAt ?? now)),
  ending,
})

const told = ({ namespace, title, message, advice, figure }: Observation) => ({
  namespace,
  title,
  message,
  advice,
  figure,
})
