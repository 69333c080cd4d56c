import { randomUUID } from 'node:crypto'
import {
  instant,
  ofThisStep,
  textAt,
  type ActionRun,
  type Fence,
  type Instant,
  type StopOrder,
  WORKING_STATES,
  stateOf,
} from '@septet/domain'
import { repeat, type Repeating } from '../pipeline/repeat.ts'
import type { ActParts, ActingTurn } from './act-parts.ts'
import { oneAfterTheOther } from '../one-after-the-other.ts'
import { History } from './history.ts'
import { leftOverConfigs, tidyConfigs, type LeftOver } from './left-over-configs.ts'
import { proposeByItself } from './propose-by-itself.ts'
import { advanceRun } from './advance-run.ts'
import { mayBeUntidy, tidyUp } from './tidy-up.ts'

export type ActorOptions = ActParts & {
  /** One for each installation, the same in all its processes. */
  readonly installation: () => Promise<string>
  readonly everyMs: number
}

/** Who acts and was not heard of for so long is gone, milliseconds. */
const TTL_MS = 14_000
/** So often it says that it is there; every write asks again whether the fence is still its own. Milliseconds. */
const RENEW_EVERY_MS = 4000
/** While somebody else is there, it is asked so often whether they still are, milliseconds. */
const ASK_EVERY_MS = 1000
const PROPOSE_EVERY_MS = 15_000
const LEASE_EVERY_MS = 10_000
/** How many readings in a row must say that it got worse. */
const LASTING_MS = 20_000
/** How often it is looked whether an owner keeps what is to be stopped, milliseconds. */
const LOOK_MS = 5000
/** How often it is looked whether configurations are left over that nothing uses, and again where they could not be taken out yet. Milliseconds. */
const LEFT_OVER_MS = { none: 3_600_000, some: 60_000 }
/** The cluster's own switch is asked this often at most while writes follow one another, milliseconds. */
const STOP_LOOK_MS = 250

/** Carries out what was approved for one cluster: one process at a time, by a fence in the store and a Lease in the cluster. */
export class Actor {
  readonly #options: ActorOptions
  readonly #holder = randomUUID()
  readonly #rests = new Rests()
  readonly #history: History
  #fence: Fence | undefined
  #heldAt = 0
  #loop: Repeating | undefined
  /** When the Lease was held or asked for. */
  #leasedAt = 0
  #proposedAt = 0
  #proposedUpTo = 0
  #lookedRoundAt = 0
  readonly #tidied = new Set<string>()
  #leftOver = { at: 0, everyMs: 0 }
  #otherHolder: string | undefined
  readonly #busy = new Set<string>()
  readonly #looked = new Map<string, Instant>()
  readonly #worse = new Map<string, { readonly because: string; readonly since: Instant }>()
  #stop: { readonly at: Instant; readonly order: StopOrder | undefined } | undefined

  constructor(options: ActorOptions) {
    this.#options = options
    this.#history = new History(options)
  }

  start(): void {
    const { log, cluster, everyMs } = this.#options
    this.#loop = repeat(() => this.turn(), {
      everyMs,
      onError: (error) => log.warn('a turn of acting failed', { cluster, error: String(error) }),
    })
  }

  /** Who else acts on this cluster, where that is another installation. */
  otherHolder(): string | undefined {
    return this.#otherHolder
  }

  async stop(): Promise<void> {
    await this.#loop?.stop()
    if (this.#fence !== undefined) await this.#options.store.release(this.#fence)
  }

  /** Does what is to be done now, as far as it goes. */
  async turn(): Promise<void> {
    await this.#proposeByItself()
    const { working, proposals, untidy } = await this.#open()
    const leftOver = await this.#leftBehind()
    const writing = working.length + untidy.length + leftOver.length
    if (writing + proposals.length === 0) return
    const fence = await this.#hold()
    if (fence === undefined) return
    // A cluster on which nothing is to be done is not written to, not even its Lease.
    if (writing > 0 && !(await this.#mayAct())) return
    const turn = this.#turnWith(fence)
    const now = this.#options.clock()
    const due = [...proposals, ...working.filter((run) => this.#rests.isDue(run, now))]
    await Promise.all([
      ...due.toReversed().map((run) => this.#alone(run, () => this.#advance(turn, run))),
      ...untidy.map((run) => this.#alone(run, () => this.#tidy(turn, run))),
      ...leftOver.map((left) => this.#alone(left.run, () => this.#tidyConfigs(turn, left))),
    ])
  }

  /** What is not over, or was left untidy. What has all day is looked at every few seconds. */
  async #open(): Promise<Record<'working' | 'proposals' | 'untidy', readonly ActionRun[]>> {
    const { store, cluster, clock } = this.#options
    const working = await store.list({ cluster, states: WORKING_STATES, limit: 1000 })
    this.#rests.keepOnly(working)
    const now = clock()
    if (Math.abs(now - this.#lookedRoundAt) < LOOK_MS) return { working, proposals: [], untidy: [] }
    this.#lookedRoundAt = now
    const proposals = await store.list({ cluster, states: ['proposed'], limit: 1000 })
    // Runs that ended while an owner was warned: what was written on the object is taken off it.
    const over = await store.list({ cluster, states: ['cancelled', 'failed', 'expired'], limit: 50 })
    return { working, proposals, untidy: over.filter((run) => !this.#tidied.has(run.id) && mayBeUntidy(run, now)) }
  }

  async #advance(turn: ActingTurn, run: ActionRun): Promise<void> {
    let at = run
    try {
      at = await advanceRun(turn, run)
    } finally {
      this.#rests.rest(at, this.#options.clock())
    }
  }

  async #tidy(turn: ActingTurn, run: ActionRun): Promise<void> {
    if (await tidyUp(turn, run)) this.#tidied.add(run.id)
  }

  /** Configurations that nothing uses any more; looked for once in a while. */
  async #leftBehind(): Promise<readonly LeftOver[]> {
    const now = this.#options.clock()
    if (Math.abs(now - this.#leftOver.at) < this.#leftOver.everyMs) return []
    const found = await leftOverConfigs(this.#options)
    this.#leftOver = { at: now, everyMs: found.length === 0 ? LEFT_OVER_MS.none : LEFT_OVER_MS.some }
    return found
  }

  async #tidyConfigs(turn: ActingTurn, left: LeftOver): Promise<void> {
    if (await tidyConfigs(turn, left)) this.#leftOver = { ...this.#leftOver, everyMs: LEFT_OVER_MS.none }
  }

  /** What is on auto, where nobody else acts. */
  async #proposeByItself(): Promise<void> {
    const now = this.#options.clock()
    if (Math.abs(now - this.#proposedAt) < PROPOSE_EVERY_MS) return
    this.#proposedAt = now
    const { auto } = await this.#options.policy()
    if (auto.classes.length === 0 || (await this.#hold()) === undefined) return
    this.#proposedUpTo = await proposeByItself({ ...this.#options, history: this.#history }, this.#proposedUpTo)
  }

  /** A run is advanced by one turn at a time; one that fails does not hold up the others. */
  async #alone(run: ActionRun, work: () => Promise<void>): Promise<void> {
    if (this.#busy.has(run.id)) return
    this.#busy.add(run.id)
    try {
      await work()
    } catch (error) {
      const { log, cluster } = this.#options
      log.warn('a run could not continue and is retried', { cluster, run: run.id, error: String(error) })
    } finally {
      this.#busy.delete(run.id)
    }
  }

  async #hold(): Promise<Fence | undefined> {
    const { store, cluster, clock } = this.#options
    const now = clock()
    const everyMs = this.#fence === undefined ? ASK_EVERY_MS : RENEW_EVERY_MS
    if (Math.abs(now - this.#heldAt) < everyMs) return this.#fence
    if (this.#fence === undefined || !(await store.renew(this.#fence, now))) {
      this.#fence = await store.takeOver(cluster, this.#holder, { now, ttlMs: TTL_MS })
    }
    this.#heldAt = now
    return this.#fence
  }

  async #mayAct(): Promise<boolean> {
    const { hand, namespace, clock, installation } = this.#options
    const now = clock()
    const everyMs = this.#otherHolder === undefined ? LEASE_EVERY_MS : ASK_EVERY_MS
    if (Math.abs(now - this.#leasedAt) < everyMs) return this.#otherHolder === undefined
    const verdict = await hand.lease({ namespace, holder: await installation(), now })
    this.#otherHolder = verdict.kind === 'others' ? verdict.holder : undefined
    this.#leasedAt = now
    return verdict.kind === 'held'
  }

  #turnWith(fence: Fence): ActingTurn {
    return {
      ...this.#options,
      fence,
      history: this.#history,
      lost: () => {
        this.#fence = undefined
        this.#heldAt = 0
      },
      stopped: () => this.#stopOrder(),
      inOrder: oneAfterTheOther(),
      mayLook: (run) => this.#mayLook(run),
      isLasting: (run, because) => this.#isLasting(run, because),
    }
  }

  #mayLook(run: string): boolean {
    const now = this.#options.clock()
    const may = Math.abs(now - (this.#looked.get(run) ?? -Infinity)) >= LOOK_MS
    if (may) this.#looked.set(run, now)
    return may
  }

  #isLasting(run: string, because: string | undefined): boolean {
    const now = this.#options.clock()
    const before = this.#worse.get(run)
    if (because === undefined) return !this.#worse.delete(run)
    if (before === undefined) this.#worse.set(run, { because, since: now })
    return before !== undefined && now - before.since >= LASTING_MS
  }

  /** By a person's order, or by a ConfigMap that somebody has made in the cluster itself. */
  async #stopOrder(): Promise<StopOrder | undefined> {
    const { store, cluster, clock } = this.#options
    const orders = await store.stops()
    const order = orders.find((each) => each.cluster === undefined || each.cluster === cluster)
    if (order !== undefined) return order
    const now = clock()
    if (this.#stop === undefined || Math.abs(now - this.#stop.at) >= STOP_LOOK_MS) {
      this.#stop = { at: now, order: await this.#stopInCluster() }
      if (this.#stop.order !== undefined) await store.stop(this.#stop.order)
    }
    return this.#stop.order
  }

  async #stopInCluster(): Promise<StopOrder | undefined> {
    const { hand, namespace, cluster, clock } = this.#options
    const found = await hand.object({ namespace, configMap: STOP_MAP })
    if (found === undefined || textAt(found, 'data', 'stop') === 'false') return undefined
    return {
      cluster,
      at: instant(clock()),
      by: `ConfigMap ${namespace}/${STOP_MAP}`,
      because: textAt(found, 'data', 'because') || 'Someone created it in the cluster.',
    }
  }
}

const STOP_MAP = 'septet-stop'

/** After the first look at which nothing came of a run; each further one lets it rest twice as long. Milliseconds. */
const FIRST_MS = 300
/** What waits for the cluster rests for so long at most, milliseconds. */
const MOST_MS = 2000
/** What waits for a rule to let it begin: to judge it takes much more than to look at an object, milliseconds. */
const JUDGED_MS = 5000
/** For so long somebody may sit before it and wait for a reading that is just coming; it rests a second at most, milliseconds. */
const AWAITED_MS = 15_000

/** When it is worth to look at a run again: at once when something has happened to it, and ever more seldom while it waits. */
export class Rests {
  readonly #waiting = new Map<string, { readonly number: number; readonly since: Instant; readonly restMs: number }>()

  isDue(run: ActionRun, now: Instant): boolean {
    const waits = this.#waiting.get(run.id)
    if (waits === undefined || waits.number !== ofThisStep(run)[0].number) return true
    // A clock may jump back.
    return Math.abs(now - waits.since) >= waits.restMs
  }

  /** It was looked at, and stands where it stood. */
  rest(run: ActionRun, now: Instant): void {
    // What it waits for is said beside the step, which goes on all the same.
    const [{ number }] = ofThisStep(run)
    const { state, at } = stateOf(run)
    const before = this.#waiting.get(run.id)
    const mostJudged = now - at < AWAITED_MS ? 1000 : JUDGED_MS
    const most = state === 'approved' ? mostJudged : MOST_MS
    const restMs = before?.number === number ? Math.min(2 * before.restMs, most) : FIRST_MS
    this.#waiting.set(run.id, { number, since: now, restMs })
  }

  /** Forgets anyone who is not among these any more. */
  keepOnly(runs: readonly ActionRun[]): void {
    const open = new Set(runs.map(({ id }) => id))
    for (const id of this.#waiting.keys()) if (!open.has(id)) this.#waiting.delete(id)
  }
}
