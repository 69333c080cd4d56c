import {
  instant,
  ofThisStep,
  textAt,
  type ActionRun,
  type Instant,
  type StopOrder,
  WORKING_STATES,
  stateOf,
} from '@septet/domain'
import { repeat, type LoopState, type Repeating } from '../repeat.ts'
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

/** While another installation acts, it is asked so often whether it still does, milliseconds. */
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

/** What an actor knows from one turn to the next. Whoever takes over knows none of it. */
export type ActorMemory = {
  /** When the Lease was held or asked for. */
  leasedAt: number
  otherHolder: string | undefined
  proposedAt: number
  proposedUpTo: number
  lookedRoundAt: number
  leftOver: { readonly at: number; readonly everyMs: number }
  stop: { readonly at: Instant; readonly order: StopOrder | undefined } | undefined
  readonly tidied: Set<string>
  readonly looked: Map<string, Instant>
  readonly worse: Map<string, { readonly because: string; readonly since: Instant }>
  readonly resting: Resting
}

export const nothingRemembered = (): ActorMemory => ({
  leasedAt: 0,
  otherHolder: undefined,
  proposedAt: 0,
  proposedUpTo: 0,
  lookedRoundAt: 0,
  leftOver: { at: 0, everyMs: 0 },
  stop: undefined,
  tidied: new Set(),
  looked: new Map(),
  worse: new Map(),
  resting: new Map(),
})

/** Carries out what was approved for one cluster: one process at a time, by its lead in the store and a Lease in the cluster. */
export class Actor {
  readonly #options: ActorOptions
  readonly #memory: ActorMemory
  readonly #rests: Rests
  readonly #history: History
  #loop: Repeating | undefined
  readonly #busy = new Set<string>()

  constructor(options: ActorOptions, memory = nothingRemembered()) {
    this.#options = options
    this.#memory = memory
    this.#rests = new Rests(memory.resting)
    this.#history = new History(options)
  }

  start(): void {
    const { log, cluster, everyMs } = this.#options
    this.#loop = repeat(() => this.turn(), {
      name: 'actor',
      everyMs,
      onError: (error) => log.warn('a turn of acting failed', { cluster, error: String(error) }),
    })
  }

  loops = (): readonly LoopState[] => (this.#loop === undefined ? [] : [this.#loop.state()])

  /** Who else acts on this cluster, where that is another installation. */
  otherHolder(): string | undefined {
    return this.#memory.otherHolder
  }

  async stop(): Promise<void> {
    await this.#loop?.stop()
  }

  /** Does what is to be done now, as far as it goes. */
  async turn(): Promise<void> {
    if (this.#options.lead() === undefined) return
    await this.#proposeByItself()
    const { working, proposals, untidy } = await this.#open()
    const leftOver = await this.#leftBehind()
    const writing = working.length + untidy.length + leftOver.length
    const fence = this.#options.lead()
    if (fence === undefined || writing + proposals.length === 0) return
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
    if (Math.abs(now - this.#memory.lookedRoundAt) < LOOK_MS) return { working, proposals: [], untidy: [] }
    this.#memory.lookedRoundAt = now
    const proposals = await store.list({ cluster, states: ['proposed'], limit: 1000 })
    // Runs that ended while an owner was warned: what was written on the object is taken off it.
    const over = await store.list({ cluster, states: ['cancelled', 'failed', 'expired'], limit: 50 })
    return {
      working,
      proposals,
      untidy: over.filter((run) => !this.#memory.tidied.has(run.id) && mayBeUntidy(run, now)),
    }
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
    if (await tidyUp(turn, run)) this.#memory.tidied.add(run.id)
  }

  /** Configurations that nothing uses any more; looked for once in a while. */
  async #leftBehind(): Promise<readonly LeftOver[]> {
    const now = this.#options.clock()
    if (Math.abs(now - this.#memory.leftOver.at) < this.#memory.leftOver.everyMs) return []
    const found = await leftOverConfigs(this.#options)
    this.#memory.leftOver = { at: now, everyMs: found.length === 0 ? LEFT_OVER_MS.none : LEFT_OVER_MS.some }
    return found
  }

  async #tidyConfigs(turn: ActingTurn, left: LeftOver): Promise<void> {
    if (await tidyConfigs(turn, left)) this.#memory.leftOver = { ...this.#memory.leftOver, everyMs: LEFT_OVER_MS.none }
  }

  /** What is on auto. */
  async #proposeByItself(): Promise<void> {
    const now = this.#options.clock()
    if (Math.abs(now - this.#memory.proposedAt) < PROPOSE_EVERY_MS) return
    this.#memory.proposedAt = now
    const { auto } = await this.#options.policy()
    if (auto.classes.length === 0) return
    this.#memory.proposedUpTo = await proposeByItself(
      { ...this.#options, history: this.#history },
      this.#memory.proposedUpTo,
    )
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

  async #mayAct(): Promise<boolean> {
    const { hand, namespace, clock, installation } = this.#options
    const now = clock()
    const everyMs = this.#memory.otherHolder === undefined ? LEASE_EVERY_MS : ASK_EVERY_MS
    if (Math.abs(now - this.#memory.leasedAt) < everyMs) return this.#memory.otherHolder === undefined
    const verdict = await hand.lease({ namespace, holder: await installation(), now })
    this.#memory.otherHolder = verdict.kind === 'others' ? verdict.holder : undefined
    this.#memory.leasedAt = now
    return verdict.kind === 'held'
  }

  #turnWith(fence: ActingTurn['fence']): ActingTurn {
    return {
      ...this.#options,
      fence,
      history: this.#history,
      stopped: () => this.#stopOrder(),
      inOrder: oneAfterTheOther(),
      mayLook: (run) => this.#mayLook(run),
      isLasting: (run, because) => this.#isLasting(run, because),
    }
  }

  #mayLook(run: string): boolean {
    const now = this.#options.clock()
    const may = Math.abs(now - (this.#memory.looked.get(run) ?? -Infinity)) >= LOOK_MS
    if (may) this.#memory.looked.set(run, now)
    return may
  }

  #isLasting(run: string, because: string | undefined): boolean {
    const now = this.#options.clock()
    const before = this.#memory.worse.get(run)
    if (because === undefined) return !this.#memory.worse.delete(run)
    if (before === undefined) this.#memory.worse.set(run, { because, since: now })
    return before !== undefined && now - before.since >= LASTING_MS
  }

  /** By a person's order, or by a ConfigMap that somebody has made in the cluster itself. */
  async #stopOrder(): Promise<StopOrder | undefined> {
    const { store, cluster, clock } = this.#options
    const orders = await store.stops()
    const order = orders.find((each) => each.cluster === undefined || each.cluster === cluster)
    if (order !== undefined) return order
    const now = clock()
    if (this.#memory.stop === undefined || Math.abs(now - this.#memory.stop.at) >= STOP_LOOK_MS) {
      this.#memory.stop = { at: now, order: await this.#stopInCluster() }
      if (this.#memory.stop.order !== undefined) await store.stop(this.#memory.stop.order)
    }
    return this.#memory.stop.order
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

/** Runs that wait: for what, since when, and how long they rest. */
type Resting = Map<string, { readonly number: number; readonly since: Instant; readonly restMs: number }>

/** When it is worth to look at a run again: at once when something has happened to it, and ever more seldom while it waits. */
export class Rests {
  readonly #waiting: Resting

  constructor(waiting: Resting = new Map()) {
    this.#waiting = waiting
  }

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
