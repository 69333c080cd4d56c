import { partsOfSnapshot } from '../../analyze/gpu-parts.ts'
import type { PriceOf } from '../../cost/prices-of.ts'
import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import { onceFor } from '../../once-for.ts'
import type { PlanRefusal } from '../../plan/guardrail/guardrail.ts'
import { SHOWN_POLICY } from '../../plan/recommend/proposal.ts'
import type { Recommendation } from '../../plan/recommend/recommendation.ts'
import { compareText, instant, type Instant, type Window, DAY_MS } from '../../units.ts'
import { stateOf, type ActionRun, type RunState, type Transition } from '../../act/action-run.ts'
import { judgeRun, passesByItself } from '../../act/guardrails/guardrails.ts'
import { classOf, type ActPolicy } from '../../act/policy/act-policy.ts'
import { plainNode } from './recorded-snapshot.ts'
import { classRow, type ReplayedClass } from '../../plan/words/action-class.ts'
import type { HeldBack, ShadowAction, ShadowQuestion } from './shadow.ts'
import type { Advised, After, ShadowMemory, ShadowRule } from './shadow-rule.ts'

/** Longer ago than any rule but the rollout looks back. */
const LOOKS_BACK_MS = 7 * DAY_MS

type Change = { readonly action: Omit<ShadowAction, 'outcome' | 'freed'>; readonly after: After }

/** What auto does with what is recommended, hour after hour, on a cluster that does not follow. */
export class ShadowAuto implements ShadowMemory {
  readonly #question: ShadowQuestion
  readonly #priceOf: PriceOf
  readonly #rule: ShadowRule
  readonly #policy: ActPolicy
  /** How many nodes there are decides how fast auto spreads; how many there were is not recorded, so it is today's. */
  readonly #whole: (snapshot: ClusterSnapshot) => ClusterSnapshot
  /** Runs that changed something, oldest first. */
  #done: readonly ActionRun[] = []
  /** Runs whose owner is warned. */
  readonly #warned = new Map<string, ActionRun>()
  /** What was done, first to last, and the same by object. What came after is told as far as the replay has come. */
  readonly #changes: Change[] = []
  readonly #changed = new Map<string, Change[]>()
  readonly #heldBack = new Map<string, { readonly because: string; readonly objects: Set<string> }>()
  #before: ReadonlyMap<string, Recommendation> = new Map()
  #runs = 0
  #withdrawn = 0

  constructor(question: ShadowQuestion, { rule, priceOf }: { readonly rule: ShadowRule; readonly priceOf: PriceOf }) {
    this.#question = question
    this.#rule = rule
    this.#priceOf = priceOf
    this.#policy = asOnAuto(question.policy, question.class)
    const nodes = question.today.nodes.map((node) =>
      plainNode({ node: node.name, pool: node.pool, model: node.model ?? node.product }, node),
    )
    this.#whole = onceFor((snapshot) => {
      const own = new Set(snapshot.nodes.map(({ name }) => name))
      return { ...snapshot, nodes: [...snapshot.nodes, ...nodes.filter(({ name }) => !own.has(name))] }
    })
  }

  /** One look at the cluster: what was warned of long enough is stopped, then what is new is proposed, the best first. */
  turn(now: Instant): void {
    const advised = this.#rule.advise(now, this)
    this.#done = this.#done.map((run) => watched(run, this.#policy, now))
    const byObject = new Map(advised.map((each) => [each.advice.object, each]))
    for (const [object, run] of this.#warned) this.#doOrWithdraw(now, run, byObject.get(object))
    for (const each of advised) this.#propose(now, each)
    this.#before = new Map(advised.map(({ advice }) => [advice.object, advice]))
  }

  isChanged = (object: string, now: Instant): boolean =>
    this.stretchesOf(object).some(({ from, to }) => from <= now && now <= to)

  stretchesOf = (object: string): readonly Window[] =>
    (this.#changed.get(object) ?? []).map(({ action, after }) => ({
      from: action.doneAt,
      to: after.backAt ?? this.#question.window.to,
    }))

  adviceBefore = (object: string): Recommendation | undefined => this.#before.get(object)

  told(): {
    readonly actions: readonly ShadowAction[]
    readonly withdrawn: number
    readonly heldBack: readonly HeldBack[]
  } {
    const heldBack = [...this.#heldBack]
      .map(([code, { because, objects }]) => ({ code, because, objects: objects.size }))
      .toSorted((a, b) => b.objects - a.objects || compareText(a.code, b.code))
    const actions = this.#changes.map(({ action, after: { outcome, freed } }) => ({ ...action, outcome, freed }))
    return { actions, withdrawn: this.#withdrawn, heldBack }
  }

  #propose(now: Instant, advised: Advised): void {
    const { object } = advised.advice
    if (this.#warned.has(object) || this.isChanged(object, now)) return
    const run = shadowRun(advised.advice, this.#runs + 1, now)
    const refusals = this.#judge(now, run, advised)
    for (const refusal of refusals) this.#hold(object, refusal)
    if (refusals.length > 0) return
    this.#runs += 1
    const approved = gone(run, ['approved', 'checked', 'rehearsed'], now)
    if (classRow(run.class).stopsWork && this.#policy.warning > 0)
      this.#warned.set(object, gone(approved, ['warned'], now))
    else this.#do(now, approved, advised)
  }

  /** As at the end of a warning: what is no longer advised is not done, and a reason that passes by itself is waited for. */
  #doOrWithdraw(now: Instant, run: ActionRun, advised: Advised | undefined): void {
    const { at } = stateOf(run)
    if (now < at + this.#policy.warning * 1000) return
    const { object } = run
    const refusals = advised?.advice.plan.id === run.plan.id ? this.#judge(now, run, advised) : undefined
    if (advised !== undefined && refusals?.length === 0) {
      this.#warned.delete(object)
      this.#do(now, run, advised)
    } else if (refusals === undefined || !refusals.every(passesByItself)) {
      this.#warned.delete(object)
      this.#withdrawn += 1
    }
  }

  #do(now: Instant, run: ActionRun, advised: Advised): void {
    const { advice, snapshot } = advised
    const { object, title, message, rule, evidence, risk } = advice
    this.#done = [...this.#done, gone(run, ['applying', 'applied', 'verified'], now)]
    const action = {
      object,
      title,
      message,
      rule,
      proposedAt: run.proposedAt,
      doneAt: now,
      pods: risk.displaced.length,
      ...placeOf(object, snapshot),
      evidence,
      confidence: risk.confidence,
    }
    const change = { action, after: this.#rule.after(now, advised) }
    this.#changes.push(change)
    this.#changed.set(object, [...(this.#changed.get(object) ?? []), change])
  }

  #hold(object: string, { code, because }: PlanRefusal): void {
    const known = this.#heldBack.get(code) ?? { because, objects: new Set<string>() }
    known.objects.add(object)
    this.#heldBack.set(code, known)
  }

  /** Every guardrail, as where auto proposes: live objects were not looked at then, and are not recorded. */
  #judge(now: Instant, run: ActionRun, { snapshot, samples }: Advised): readonly PlanRefusal[] {
    return judgeRun({
      run,
      policy: this.#policy,
      plans: { ...SHOWN_POLICY, ...this.#question.rules.plans },
      snapshot: this.#whole(snapshot),
      samples,
      priceOf: (gpu) => this.#priceOf({ ...gpu, at: gpu.at ?? now }),
      now,
      history: this.#history(now),
      approval: {
        kind: 'septet',
        name: 'septet',
        party: undefined,
        role: undefined,
        digest: run.digest,
        at: run.proposedAt,
      },
      stops: [],
      objects: [],
    })
  }

  /** What rules look back on: the last week, and as many that were kept as make a class spread to all nodes. */
  #history(now: Instant): readonly ActionRun[] {
    const spreads = 2 * Math.max(1, this.#policy.auto.keptToAdvance)
    return this.#done.filter((run, order) => order < spreads || stateOf(run).at > now - LOOKS_BACK_MS)
  }
}

/** Where it is: the nodes on which the work runs, or the node itself, and the GPUs' worth that is held there or goes. */
function placeOf(object: string, snapshot: ClusterSnapshot): Pick<ShadowAction, 'gpus' | 'nodes'> {
  const parts = partsOfSnapshot(snapshot).filter(({ kind, workload, node }) =>
    object.startsWith('node/') ? object === `node/${node}` : kind === 'held' && object === `workload/${workload}`,
  )
  const gpus = parts.reduce((sum, { share }) => sum + share, 0)
  return {
    gpus: Math.round(gpus * 100) / 100,
    nodes: [...new Set(parts.map(({ node }) => node))].toSorted(compareText),
  }
}

/** A run as it would have been, had its class been on auto. */
function shadowRun(advice: Recommendation, number: number, now: Instant): ActionRun {
  const { plan, kind, cluster, object, title, message } = advice
  const proposed: Transition = { number: 1, at: now, state: 'proposed', by: 'septet', because: message }
  return {
    id: `shadow-${number}`,
    cluster,
    class: classOf({ class: kind, plan }),
    object,
    title,
    cause: { kind: 'advice', recommendation: advice },
    plan,
    // Nobody else proposes here, so its name is as good as its content.
    digest: plan.id,
    proposedAt: now,
    proposedBy: 'septet',
    proposer: 'septet',
    transitions: [proposed],
  }
}

/** The run some states further, each reached by Septet at that moment. */
function gone(run: ActionRun, states: readonly RunState[], at: Instant): ActionRun {
  const { transitions } = run
  const more = states.map((state, order): Transition => ({
    number: transitions.length + order + 1,
    at,
    state,
    by: 'septet',
    because: '',
  }))
  return { ...run, transitions: [...transitions, ...more] }
}

/** What was stopped is kept once it was watched for long enough: whether the cluster got worse is not recorded. */
function watched(run: ActionRun, { watch }: Pick<ActPolicy, 'watch'>, now: Instant): ActionRun {
  const { state, at } = stateOf(run)
  const until = instant(at + watch * 1000)
  return state === 'verified' && until <= now ? gone(run, ['kept'], until) : run
}

/** The policy as if one class were on auto, and nobody had halted it or let it go on. */
const asOnAuto = (policy: ActPolicy, kind: ReplayedClass): ActPolicy => ({
  ...policy,
  modes: { ...policy.modes, [kind]: 'auto' },
  auto: { ...policy.auto, classes: [kind], resumedAt: {} },
})
