import { partsOfSnapshot } from '../../analyze/gpu-parts.ts'
import type { PriceOf } from '../../cost/prices-of.ts'
import type { WorkloadId } from '../../cluster/workload.ts'
import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import type { GpuNode } from '../../cluster/node.ts'
import type { Refusal } from '../../plan/guardrail/guardrail.ts'
import { SHOWN_POLICY } from '../../plan/recommend/proposal.ts'
import type { Recommendation } from '../../plan/recommend/recommendation.ts'
import { compareText, type Instant, type Window } from '../../units.ts'
import { type ActionRun, stateOf } from '../action-run.ts'
import { judgeRun } from '../guardrails/guardrails.ts'
import { passesByItself } from '../guardrails/passing.ts'
import type { ActPolicy } from '../policy/act-policy.ts'
import type { Advised } from './advise-then.ts'
import { plainNode, recordedSamples } from './recorded-snapshot.ts'
import type { HeldBack, ShadowAction, ShadowQuestion } from './shadow.ts'
import { type After, afterStop } from './shadow-outcome.ts'
import { asOnAuto, gone, shadowRun, watched } from './shadow-run.ts'

type Told = { readonly recorded: readonly Instant[]; readonly priceOf: PriceOf }

/** Longer ago than any rule but the rollout looks back. */
const LOOKS_BACK_MS = 7 * 86_400_000

/** What auto does with what is recommended, hour after hour, on a cluster that does not follow. */
export class ShadowAuto {
  readonly #question: ShadowQuestion
  readonly #told: Told
  readonly #policy: ActPolicy
  readonly #nodes: readonly GpuNode[]
  /** Runs that stopped something, oldest first. */
  #done: readonly ActionRun[] = []
  /** Runs whose owner is warned. */
  readonly #warned = new Map<WorkloadId, ActionRun>()
  readonly #stopped = new Map<WorkloadId, Window[]>()
  readonly #actions: ShadowAction[] = []
  readonly #heldBack = new Map<string, { readonly because: string; readonly workloads: Set<WorkloadId> }>()
  #before: ReadonlyMap<WorkloadId, Recommendation> = new Map()
  #runs = 0
  #withdrawn = 0

  constructor(question: ShadowQuestion, told: Told) {
    this.#question = question
    this.#told = told
    this.#policy = asOnAuto(question.policy)
    this.#nodes = question.today.nodes.map((node) =>
      plainNode({ node: node.name, pool: node.pool, model: node.model ?? node.product }, node),
    )
  }

  /** One look at the cluster: what was warned of long enough is stopped, then what is new is proposed, the best first. */
  turn(now: Instant, advised: readonly Advised[]): void {
    this.#done = this.#done.map((run) => watched(run, this.#policy, now))
    const byWork = new Map(advised.map((each) => [each.work.id, each]))
    for (const [id, run] of this.#warned) this.#stopOrWithdraw(now, run, byWork.get(id))
    for (const each of advised) this.#propose(now, each)
    this.#before = new Map(advised.map(({ work, advice }) => [work.id, advice]))
  }

  isStopped = (id: WorkloadId, now: Instant): boolean =>
    this.stretchesOf(id).some(({ from, to }) => from <= now && now <= to)

  stretchesOf = (id: WorkloadId): readonly Window[] => this.#stopped.get(id) ?? []
  adviceBefore = (id: WorkloadId): Recommendation | undefined => this.#before.get(id)

  told(): {
    readonly actions: readonly ShadowAction[]
    readonly withdrawn: number
    readonly heldBack: readonly HeldBack[]
  } {
    const heldBack = [...this.#heldBack]
      .map(([code, { because, workloads }]) => ({ code, because, workloads: workloads.size }))
      .toSorted((a, b) => b.workloads - a.workloads || compareText(a.code, b.code))
    return { actions: this.#actions, withdrawn: this.#withdrawn, heldBack }
  }

  #propose(now: Instant, advised: Advised): void {
    const { id } = advised.work
    if (this.#warned.has(id) || this.isStopped(id, now)) return
    const run = shadowRun(advised.advice, this.#runs + 1, now)
    const refusals = this.#judge(now, run, advised)
    for (const refusal of refusals) this.#hold(id, refusal)
    if (refusals.length > 0) return
    this.#runs += 1
    const approved = gone(run, ['approved', 'checked', 'rehearsed'], now)
    if (this.#policy.warning > 0) this.#warned.set(id, gone(approved, ['warned'], now))
    else this.#stop(now, approved, advised)
  }

  /** As at the end of a warning: what is no longer advised is not done, and a reason that passes by itself is waited for. */
  #stopOrWithdraw(now: Instant, run: ActionRun, advised: Advised | undefined): void {
    const { at } = stateOf(run)
    if (now < at + this.#policy.warning * 1000) return
    const id = run.object.slice('workload/'.length)
    const refusals = advised?.advice.plan.id === run.plan.id ? this.#judge(now, run, advised) : undefined
    if (advised !== undefined && refusals?.length === 0) {
      this.#warned.delete(id)
      this.#stop(now, run, advised)
    } else if (refusals === undefined || !refusals.every(passesByItself)) {
      this.#warned.delete(id)
      this.#withdrawn += 1
    }
  }

  #stop(now: Instant, run: ActionRun, { work, advice, snapshot }: Advised): void {
    const { window } = this.#question
    const after: After = afterStop(now, { work, to: window.to, ...this.#told })
    this.#done = [...this.#done, gone(run, ['applying', 'applied', 'verified'], now)]
    this.#stopped.set(work.id, [...this.stretchesOf(work.id), { from: now, to: after.backAt ?? window.to }])
    const { title, message, rule, evidence, risk } = advice
    this.#actions.push({
      workload: work.id,
      title,
      message,
      rule,
      proposedAt: run.proposedAt,
      stoppedAt: now,
      pods: risk.displaced.length,
      gpus: gpusIn(snapshot),
      nodes: snapshot.nodes.map(({ name }) => name),
      evidence,
      confidence: risk.confidence,
      outcome: after.outcome,
      freed: after.freed,
    })
  }

  #hold(id: WorkloadId, { code, because }: Refusal): void {
    const known = this.#heldBack.get(code) ?? { because, workloads: new Set<WorkloadId>() }
    known.workloads.add(id)
    this.#heldBack.set(code, known)
  }

  /** Every guardrail, as where auto proposes: live objects were not looked at then, and are not recorded. */
  #judge(now: Instant, run: ActionRun, { snapshot, newest }: Advised): readonly Refusal[] {
    const { priceOf } = this.#told
    return judgeRun({
      run,
      policy: this.#policy,
      plans: { ...SHOWN_POLICY, ...this.#question.rules.plans },
      snapshot: { ...snapshot, nodes: [...snapshot.nodes, ...this.#others(snapshot)] },
      samples: recordedSamples(newest, now),
      priceOf: (gpu) => priceOf({ ...gpu, at: gpu.at ?? now }),
      now,
      history: this.#history(now),
      approval: { kind: 'septet', name: 'septet', role: undefined, digest: run.digest, at: run.proposedAt },
      stops: [],
      objects: [],
    })
  }

  /** How many nodes there are decides how fast auto spreads; how many there were is not recorded, so it is today's. */
  #others({ nodes }: ClusterSnapshot): readonly GpuNode[] {
    const own = new Set(nodes.map(({ name }) => name))
    return this.#nodes.filter(({ name }) => !own.has(name))
  }

  /** What rules look back on: the last week, and as many that were kept as make a class spread to all nodes. */
  #history(now: Instant): readonly ActionRun[] {
    const spreads = 2 * Math.max(1, this.#policy.auto.keptToAdvance)
    return this.#done.filter((run, order) => order < spreads || stateOf(run).at > now - LOOKS_BACK_MS)
  }
}

/** GPUs' worth that its workload holds. */
const gpusIn = (snapshot: ClusterSnapshot): number =>
  Math.round(partsOfSnapshot(snapshot).reduce((sum, { kind, share }) => sum + (kind === 'held' ? share : 0), 0) * 100) /
  100
