import { coversName } from '../../plan/guardrail/keeps-pods.ts'
import type { PlanPolicy } from '../../plan/words/plan-policy.ts'
import { wholePercent } from '../../words.ts'
import type { Instant } from '../../units.ts'
import type { StopOrder } from '../action-run.ts'
import { CLASSES } from '../../plan/words/action-class.ts'
import { timeWords } from '../guardrails/words.ts'
import { WHERE_POLICIES_ARE } from '../policy/where-policies-are.ts'
import { keepAmong, keepWords } from '../owners/keep.ts'
import { modeOf, type ActPolicy } from '../policy/act-policy.ts'
import type { Rollout } from '../policy/rollout.ts'
import { whereProtected } from '../policy/where-protected.ts'
import type { AskingPod } from './admission-pod.ts'
import type { AdmissionView } from './admission-view.ts'
import type { KnownSize } from './known-sizes.ts'

/** What a cluster lets Septet do, as it was read last. */
export type AdmissionPermission = {
  readonly policy: ActPolicy
  /** What plans may do there. */
  readonly plans: Pick<PlanPolicy, 'protectedNamespaces'>
  /** Orders in force, of this cluster and of all. */
  readonly stops: readonly StopOrder[]
  /** The change by which right-sizing on auto came to a halt until a person lets it go on. */
  readonly halted: Rollout['halted']
  /** Pods that were changed in the last hour and in the last day. */
  readonly changed: { readonly hour: number; readonly day: number }
  readonly readAt: Instant
}

/** A pod that could be given a smaller size, before it is known whether it may. */
export type AdmissionCase = {
  readonly pod: AskingPod
  readonly permission: AdmissionPermission | undefined
  readonly view: AdmissionView
  readonly now: Instant
  readonly resource: string
  /** Undefined where the pod itself says how much it needs. */
  readonly evidence: KnownSize | undefined
}
type Permitted = AdmissionCase & { readonly permission: AdmissionPermission }

/** Why a pod is left as it is, in words that a person can act on; undefined: it may be changed. */
export function whyLeft(asked: AdmissionCase): string | undefined {
  const { permission, now } = asked
  // A stop order may stand where nobody could read it.
  if (permission === undefined || now - permission.readAt > PERMISSION_MS) {
    return 'whether changes are allowed here could not be read; that needs the database.'
  }
  for (const rule of RULES) {
    const because = rule({ ...asked, permission })
    if (because !== undefined) return because
  }
  return undefined
}

const PERMISSION_MS = 10_000
/** An older reading says what was free, not what is. */
export const VIEW_MS = 120_000

/** What a new pod is given goes by the mode of this class. */
export const ADMISSION_CLASS = 'right-size'

type Rule = (asked: Permitted) => string | undefined

const isStopped: Rule = ({ permission: { stops } }) => {
  const [order] = stops
  return order === undefined ? undefined : `${order.by} stopped all changes on ${timeWords(order.at)}: ${order.because}`
}

const isNotAuto: Rule = ({ permission: { policy } }) =>
  modeOf(policy, ADMISSION_CLASS) === 'auto'
    ? undefined
    : `${CLASSES[ADMISSION_CLASS].doing} is not on auto in ${WHERE_POLICIES_ARE}.`

const isHalted: Rule = ({ permission: { halted } }) =>
  halted === undefined
    ? undefined
    : `${CLASSES[ADMISSION_CLASS].doing} is halted since ${timeWords(halted.at)}, because one change did not hold: ${halted.because} Resume it in ${WHERE_POLICIES_ARE}.`

const isProtectedNamespace: Rule = ({ pod: { namespace }, permission }) => {
  const where = whereProtected(namespace, permission)
  return where === undefined ? undefined : `the namespace ${namespace} is protected in ${where}.`
}

const isProtectedLabel: Rule = ({ pod: { labels }, permission: { policy } }) => {
  const found = Object.entries(policy.protectedLabels).find(
    ([key, value]) => Object.hasOwn(labels, key) && coversName(value, labels[key] ?? ''),
  )
  return found === undefined ? undefined : `its label ${found[0]} is protected in ${WHERE_POLICIES_ARE}.`
}

const isKeptByOwner: Rule = ({ pod: { labels, annotations = {} }, now }) => {
  const words = keepWords(keepAmong(annotations), now) ?? keepWords(keepAmong(labels), now)
  return words === undefined ? undefined : `it ${words}.`
}

const isQueued: Rule = ({ pod: { queued } }) =>
  queued ? 'Kueue counts it by what its template asks for. Change the request there.' : undefined

const isOldReading: Rule = ({ view, now }) =>
  now - view.takenAt > VIEW_MS ? 'what is free was read minutes ago; the cluster is not being read now.' : undefined

const isPartlyRead: Rule = ({ pod: { scheduling } }) =>
  (scheduling.unread ?? []).length > 0
    ? `where it may run is known only in part, because of its ${scheduling.unread?.join(', ')}.`
    : undefined

const isUnsure: Rule = ({ evidence, permission: { policy } }) =>
  evidence !== undefined && evidence.confidence < policy.minimum.confidence
    ? `confidence in its evidence is ${wholePercent(evidence.confidence)}; the minimum is ${wholePercent(policy.minimum.confidence)}.`
    : undefined

const isOverQuota: Rule = ({ pod: { namespace }, resource, view }) => {
  const full = view.quotas.find(
    (quota) =>
      quota.queue === undefined &&
      quota.namespace === namespace &&
      quota.resource === resource &&
      quota.used + 1 > quota.hard,
  )
  return full === undefined ? undefined : `the quota ${full.id} has no ${resource} left.`
}

const isOverBudget: Rule = ({ permission: { policy, changed } }) => {
  const { hour, day } = policy.auto.budget
  if (changed.hour >= (hour.pods ?? Infinity))
    return `${changed.hour} pods were changed in the last hour, the limit for auto.`
  if (changed.day >= (day.pods ?? Infinity))
    return `${changed.day} pods were changed in the last day, the limit for auto.`
  return undefined
}

const RULES: readonly Rule[] = [
  isStopped,
  isNotAuto,
  isHalted,
  isProtectedNamespace,
  isProtectedLabel,
  isKeptByOwner,
  isQueued,
  isOldReading,
  isPartlyRead,
  isUnsure,
  isOverQuota,
  isOverBudget,
]
