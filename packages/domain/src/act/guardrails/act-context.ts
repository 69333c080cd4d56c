import type { Role } from '../../access/role.ts'
import type { JudgedSample } from '../../analyze/sample.ts'
import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import type { PriceOf } from '../../cost/prices-of.ts'
import type { Guardrail } from '../../plan/guardrail/guardrail.ts'
import { openFleet, type Fleet } from '../../fleet/fleet.ts'
import type { PlanPolicy } from '../../plan/words/plan-policy.ts'
import type { Instant } from '../../units.ts'
import type { ActionClass } from '../../plan/words/action-class.ts'
import { adviceOf, type ActionRun, type Proposer, type StopOrder } from '../action-run.ts'
import type { Autoscaler } from '../owners/autoscaler-of.ts'
import type { Keep } from '../owners/keep.ts'
import type { ObjectOwner } from '../owners/owner-of-object.ts'
import { type ActPolicy, classOf } from '../policy/act-policy.ts'
import { blastRadius, type BlastRadius } from '../policy/blast-radius.ts'
import { changedObjects, writtenObjects } from '../policy/changed-objects.ts'
import { countsFrom } from '../policy/run-times.ts'

/** Why a run is not approved, or not begun, now. */
export type ActRule = Guardrail<ActContext>['why']

/** What is known where a run is to be approved or carried out. Everything is as it is now. */
export type ActQuestion = {
  readonly run: ActionRun
  readonly policy: ActPolicy
  /** What plans may do, as it was when they were made. */
  readonly plans: PlanPolicy
  /** The newest reading of the cluster. */
  readonly snapshot: ClusterSnapshot
  /** The newest judged telemetry. */
  readonly samples: readonly JudgedSample[]
  readonly priceOf: PriceOf
  readonly now: Instant
  /** Runs of this cluster with their transitions: at least those of the last seven days, and those that are not over. */
  readonly history: readonly ActionRun[]
  /** Given, or being given; undefined: nobody has approved it. */
  readonly approval: Approval | undefined
  /** Orders in force. */
  readonly stops: readonly StopOrder[]
  /** What live objects say of themselves, of those that were looked at. */
  readonly objects: readonly ObjectFacts[]
}

/** Somebody's yes to one exact plan. */
export type Approval = {
  readonly kind: Proposer
  /** As transitions name them: e-mail address, `token:NAME` or `septet`. */
  readonly name: string
  /** For whom they acted, where that was kept. */
  readonly party: string | undefined
  /** What they may do now; undefined for Septet, and for anyone who is not a member any more. */
  readonly role: Role | undefined
  /** Of the plan that they saw. */
  readonly digest: string
  readonly at: Instant
}

export type ObjectFacts = {
  /** `workload/…`, `node/…`. */
  readonly object: string
  readonly keep: Keep
  readonly owner: ObjectOwner
  /** Who would undo the change of replicas that the plan wants. */
  readonly autoscaler: Autoscaler | undefined
}

/** The question with what every rule looks into. */
export type ActContext = ActQuestion & {
  readonly kind: ActionClass
  /** The cluster as it is, with indexes. Who tries something out on it rolls it back. */
  readonly state: Fleet
  readonly touched: BlastRadius
  /** What the plan changes or moves. */
  readonly changed: ReadonlySet<string>
  /** What live objects say that the plan writes to. */
  readonly written: readonly ObjectFacts[]
  /** Other runs that changed the cluster or are about to, last change first. */
  readonly past: readonly PastRun[]
}

/** A run that changed the cluster, began to, or is about to. */
export type PastRun = {
  readonly run: ActionRun
  readonly at: Instant
  readonly touched: BlastRadius
  readonly changed: ReadonlySet<string>
}

export function actContext(question: ActQuestion): ActContext {
  const { run, snapshot, history, objects, priceOf } = question
  const state = stateOf(snapshot)
  const writes = writtenObjects(run, state)
  const touching = (of: ActionRun, isAhead: boolean) =>
    blastRadius({ plan: of.plan, gpus: adviceOf(of)?.gpus ?? [], state, priceOf, isAhead })
  const past = history.flatMap((other): PastRun[] => {
    const at = countsFrom(other)
    if (at === undefined || other.id === run.id) return []
    return [{ run: other, at, touched: touching(other, false), changed: changedObjects(other, state) }]
  })
  return {
    ...question,
    kind: classOf(run),
    state,
    touched: touching(run, true),
    changed: changedObjects(run, state),
    written: objects.filter(({ object }) => writes.has(object)),
    past: past.toSorted((a, b) => b.at - a.at),
  }
}

/** Many runs are judged on one snapshot, and to begin a large cluster takes longer than to judge: whatever a rule assumes it takes back. */
function stateOf(snapshot: ClusterSnapshot): Fleet {
  const known = STATES.get(snapshot)
  if (known?.journal.length === 0) return known
  const begun = openFleet(snapshot)
  STATES.set(snapshot, begun)
  return begun
}
const STATES = new WeakMap<ClusterSnapshot, Fleet>()
