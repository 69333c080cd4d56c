import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import type { Problem } from '../../cluster/node.ts'
import type { Pod, PodId } from '../../cluster/workload.ts'
import { countedFleet } from '../../fleet/counted-fleet.ts'
import { put } from '../../fleet/fleet.ts'
import { onceFor } from '../../once-for.ts'
import { compareText } from '../../units.ts'
import type { Action, PlanStep } from '../words/action.ts'
import type { PlanPolicy } from '../words/plan-policy.ts'
import { displacedBy } from '../guardrail/displaced-by.ts'
import { applyAction } from './apply-action.ts'
import { KubeScheduler, schedulable, type Bound, type DeviceRank } from './kube-scheduler.ts'

type Step = Pick<PlanStep, 'number' | 'action'>
type Counted = { readonly policy: PlanPolicy; readonly runs: ReadonlyArray<{ readonly pod: PodId }> }

/**
 * The steps of a plan, carried out one after the other on the working copy while Kubernetes' scheduler places pods. What it
 * has not refused yet may start before the first step, and so may what the plan starts; other pods once something has changed
 * where they could go; what the steps displace is made anew and comes last among equals. Whoever replays takes the copy back
 * when done.
 */
export class StepReplay {
  readonly state: ReturnType<typeof schedulable>
  readonly #policy: PlanPolicy
  readonly scheduler: KubeScheduler
  /** Where pods that were sent elsewhere may run. */
  readonly #sent = new Map<PodId, Bound>()
  /** Nodes on which some step has changed something. */
  readonly #changed = new Set<string>()
  #queue: readonly PodId[]

  /** `runs`: pods that the plan counts on. */
  constructor(snapshot: ClusterSnapshot, { policy, runs }: Counted, rank: DeviceRank) {
    this.state = schedulable(snapshot)
    this.#policy = policy
    this.scheduler = new KubeScheduler(this.state, rank)
    this.#queue = asleepIn(snapshot)
    this.#settle([], [...idsOf(countedFleet(snapshot).ahead), ...runs.map(({ pod }) => pod)])
  }

  /** Carries them all out; the first that cannot be done, with the reason. */
  done(steps: readonly Step[]): Problem | undefined {
    for (const step of steps) {
      const because = this.#do(step)
      if (because !== undefined) return { code: 'not-kept', object: this.#objectOf(step.action), message: because }
    }
    // What found no room when it was tried may find it where something has changed since.
    this.#settle(this.#changed, [])
    return undefined
  }

  #do({ number, action }: Step): string | undefined {
    const homeless = this.#notLanded(action)
    if (homeless !== undefined) return `Step ${number} would wait forever: ${homeless} finds no room elsewhere.`
    // By the copy as it is: what the plan displaced before may stand elsewhere by now.
    const displaced = displacedBy(action, this.state)
    const stood = displaced.flatMap((id) => this.state.pods.get(id)?.node ?? [])
    const verdict = applyAction(this.state, action, this.#policy)
    // What a DRA driver makes and removes follows the claims: no command does it, and a claim may have been quicker.
    if (verdict.kind === 'refuse' && !isByDriver(action)) return `Step ${number} could not be done. ${verdict.because}`
    const sent = action.kind === 'reschedule' ? this.#send(action) : []
    const made = action.kind === 'scale' ? (this.state.workloads.get(action.workload)?.pods ?? []) : []
    const changed = [...stood, ...this.#nodesOf(action)]
    for (const name of changed) this.#changed.add(name)
    this.scheduler.touch(changed)
    this.#settle(changed, [...displaced, ...sent, ...made])
    return undefined
  }

  /** A pod of a workload that a step waits for, which would not run by then. */
  #notLanded(action: Action): PodId | undefined {
    if (action.kind !== 'uncordon' && action.kind !== 'remove-node') return undefined
    const { workloads, pods } = this.state
    for (const { workload, pods: wanted } of action.landed ?? []) {
      const own = (workloads.get(workload)?.pods ?? []).flatMap((id) => pods.get(id) ?? [])
      const waiting = own.filter(({ node, phase }) => node === undefined && phase === 'Pending')
      if (own.length - waiting.length < wanted) return waiting[0]?.id
    }
    return undefined
  }

  /** Pods that may run elsewhere from now on. */
  #send({ workload, to }: Extract<Action, { readonly kind: 'reschedule' }>): readonly PodId[] {
    const ids = this.state.workloads.get(workload)?.pods ?? []
    for (const id of ids) {
      const pod = this.state.pods.get(id)
      if (pod === undefined) continue
      this.#sent.set(id, to)
      const scheduling = { ...pod.scheduling, nodeSelector: {}, nodeTerms: [] }
      put(this.state, this.state.pods, [id, { ...pod, scheduling }])
    }
    return ids
  }

  /** Places what waits: the new ones wherever there is room, the others where something has changed. */
  #settle(changed: Iterable<string>, fresh: readonly PodId[]): void {
    const [near, isFresh] = [[...changed], new Set(fresh)]
    const { pods, nodes } = this.state
    const priority = (id: PodId): number => pods.get(id)?.scheduling.priority ?? 0
    // Of pods of one kind that find nothing, the next finds nothing either.
    const failed = new Set<string>()
    this.#queue = [...new Set([...this.#queue, ...fresh])]
      .toSorted((a, b) => priority(b) - priority(a))
      .filter((id) => {
        const pod = pods.get(id)
        if (pod === undefined || pod.node !== undefined) return false
        const { namespace, requests, scheduling } = pod
        const kind = JSON.stringify([namespace, requests, scheduling, isFresh.has(id), this.#sent.get(id)])
        const among = isFresh.has(id) ? nodes.keys() : near
        if (!failed.has(kind) && this.scheduler.bind(pod, among, this.#sent.get(id))) return false
        failed.add(kind)
        return true
      })
  }

  #nodesOf(action: Action): readonly string[] {
    if ('node' in action) return [action.node]
    return 'gpu' in action ? [this.state.nodeOfGpu.get(action.gpu) ?? ''] : []
  }

  #objectOf(action: Action): string {
    const [node] =
      'pod' in action ? [this.state.began.pods.find(({ id }) => id === action.pod)?.node] : this.#nodesOf(action)
    return node === undefined ? ('workload' in action ? `workload/${action.workload}` : 'plan') : `node/${node}`
  }
}

const isByDriver = ({ kind }: Action): boolean => kind === 'create-instance' || kind === 'delete-instance'

/** Pods that the scheduler looks at: nothing holds them back before. */
const asleepIn = onceFor(({ pods }: ClusterSnapshot): readonly PodId[] =>
  idsOf(
    pods.filter(
      ({ node, phase, waiting }) => node === undefined && phase === 'Pending' && waiting?.reason !== 'SchedulingGated',
    ),
  ),
)

/** The most urgent first, then the oldest. */
const idsOf = (pods: readonly Pod[]): readonly PodId[] =>
  pods
    .toSorted(
      (a, b) => b.scheduling.priority - a.scheduling.priority || a.createdAt - b.createdAt || compareText(a.id, b.id),
    )
    .map(({ id }) => id)
