import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { openClusterWriter } from '@septet/connectors'
import {
  DEFAULT_PATIENCE,
  indexSamples,
  instant,
  partsOfSnapshot,
  telemetryOf,
  judgeRun,
  DEFAULT_ACT_POLICY,
  ratio,
  recordOf,
  seconds,
  SHOWN_POLICY,
  stateOf,
  type ActPolicy,
  type Recommendation,
  type Role,
  type ActionRun,
  type ActionStore,
  type ClusterSnapshot,
  type ClusterWriter,
  type Fence,
  type LeadStore,
  type Plan,
  type PlanPolicy,
  type Instant,
  type Store,
} from '@septet/domain'
import { ACTION_CLASSES } from '@septet/domain/action-classes'
import { Actor, History, openHand, questionOf } from '@septet/server/testing/act'
import { startDemoCluster, type DemoCluster } from '@septet/simulator'

import { runOf } from './runs.ts'
import { startReading, type Reading } from './reading.ts'

const BEGIN = Date.UTC(2026, 10, 18, 14, 3, 0)
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

/** The exporters are read so often where a test does not say otherwise, milliseconds. */
const READ_EVERY_MS = 5000
const STEP_MS = 1000
const LEAD_MS = 3_600_000

const NO_LIMITS = { pods: undefined, nodes: undefined, gpus: undefined, usdPerHour: undefined }

/** Everything is allowed that somebody approves. */
const PERMISSIVE: ActPolicy = {
  ...DEFAULT_ACT_POLICY,
  modes: recordOf(ACTION_CLASSES, () => 'approve'),
  minimum: { usdPerMonth: 0, gpuHoursPerMonth: 0, confidence: ratio(0) },
  limits: { run: NO_LIMITS, hour: NO_LIMITS, day: NO_LIMITS },
  warning: seconds(0),
}

type ActorOptions = {
  readonly store?: ActionStore
  /** Where it has its lead, if not where the others have theirs. */
  readonly leads?: LeadStore
  readonly writer?: ClusterWriter
  readonly watchMs?: number
  readonly policy?: Partial<ActPolicy>
  readonly plans?: Partial<PlanPolicy>
  /** What whoever approved may do now. */
  readonly role?: Role
  readonly workSetbacks?: ConstructorParameters<typeof Actor>[0]['workSetbacks']
  /** Another one is another installation of Septet. */
  readonly installation?: string
}

/** What is acted on: the demo cluster, or objects on another API server. */
export type ActedOn = Pick<
  DemoCluster,
  'kubeconfigPath' | 'actorKubeconfigPath' | 'exporterTargetsUrl' | 'journal' | 'restore' | 'close'
>

/** The demo cluster and those who act on it, in a time that only moves when a test lets it. */
export class ActingDemo<Cluster extends ActedOn = DemoCluster> {
  readonly demo: Cluster
  /** The line by which actors write. */
  readonly writer: ClusterWriter
  /** That of a person who may do everything. */
  readonly admin: ClusterWriter
  /** What is recommended now. */
  advised: readonly Recommendation[] = []
  /** How long it is from one turn of those who act to the next. */
  stepMs = STEP_MS
  readEveryMs = READ_EVERY_MS
  #store: Store
  readonly #reading: Reading
  readonly #time: { now: number; skew: number }
  /** Those who act, and what each does before its turn to keep its lead. */
  readonly #leading = new Map<Actor, () => Promise<unknown>>()

  private constructor(parts: { demo: Cluster; store: Store; reading: Reading; time: { now: number; skew: number } }) {
    this.demo = parts.demo
    this.#store = parts.store
    this.#reading = parts.reading
    this.#time = parts.time
    this.writer = openClusterWriter({ kubeconfig: { path: parts.demo.actorKubeconfigPath } })
    this.admin = openClusterWriter({ kubeconfig: { path: parts.demo.kubeconfigPath } })
  }

  static async start(store: Store, options: Partial<Parameters<typeof startDemoCluster>[0]> = {}): Promise<ActingDemo> {
    const time = { now: BEGIN, skew: 0 }
    const demo = await startDemoCluster({
      seed: 7,
      scale: 'small',
      dataDir: mkdtempSync(join(tmpdir(), 'septet-act-')),
      clock: () => time.now,
      // Things happen when somebody asks.
      turnMs: 3_600_000,
      bookmarkMs: 3_600_000,
      ...options,
    })
    return ActingDemo.on(store, demo, time)
  }

  static async on<Cluster extends ActedOn>(
    store: Store,
    demo: Cluster,
    time: { now: number; skew: number },
  ): Promise<ActingDemo<Cluster>> {
    const reading = await startReading(demo, () => instant(time.now + time.skew))
    return new ActingDemo({ demo, store, reading, time })
  }

  /** Everything as it is after a start, with another store. */
  async restore(store: Store): Promise<void> {
    Object.assign(this.#time, { now: BEGIN, skew: 0 })
    this.advised = []
    this.stepMs = STEP_MS
    this.readEveryMs = READ_EVERY_MS
    this.#store = store
    this.demo.restore()
    await this.#reading.restart()
  }

  /** By Septet's clock. */
  now = (): Instant => instant(this.#time.now + this.#time.skew)

  /** Septet's clock jumps, that of the cluster does not. Milliseconds. */
  skew(by: number): void {
    this.#time.skew += by
  }

  read = (): Promise<ClusterSnapshot> => this.#reading.read()

  /** Whether the newest reading shows all its GPUs at rest. */
  isAtRest(workload: string): boolean {
    const snapshot = this.#reading.newest()
    const index = indexSamples(this.#reading.samples())
    const parts = snapshot === undefined ? [] : partsOfSnapshot(snapshot).filter((part) => part.workload === workload)
    return parts.length > 0 && parts.every((part) => telemetryOf(part, index).busy === 0)
  }

  /** Whether no rule speaks against a plan that somebody approves now. */
  async isAllowed(plan: Plan, read?: ClusterSnapshot): Promise<boolean> {
    const snapshot = read ?? (await this.read())
    const run = runOf(plan, { now: this.now() })
    const approval = {
      kind: 'person',
      name: 'ann',
      party: undefined,
      role: 'admin',
      digest: run.digest,
      at: this.now(),
    } as const
    const parts = this.#parts({})
    const asked = { ...parts, history: new History(parts) }
    const question = await questionOf(asked, run, { snapshot, approval, objects: [] })
    return judgeRun(question).length === 0
  }

  /** One who acts. What it writes goes through `writer` and `store`, which a test may give it with faults. */
  actor({ store, writer, watchMs = 5000, installation = 'septet-test', leads, ...rules }: ActorOptions = {}): Actor {
    const held: { lead?: Fence | undefined } = {}
    const actor = new Actor({
      ...this.#parts({ store, watchMs, ...rules }),
      lead: () => held.lead,
      hand: openHand(writer ?? this.writer),
      installation: async () => installation,
      everyMs: 1000,
    })
    this.#leading.set(actor, async () => keepLead(leads ?? this.#store.leads, held))
    return actor
  }

  #parts({
    store,
    watchMs = 5000,
    policy = {},
    plans = {},
    role = 'admin',
    workSetbacks,
  }: Pick<ActorOptions, 'policy' | 'plans' | 'role' | 'watchMs' | 'workSetbacks'> & {
    store?: ActionStore | undefined
  }) {
    return {
      cluster: 'demo',
      store: store ?? this.#store.actions,
      snapshot: () => this.#reading.newest(),
      clock: this.now,
      log: silent,
      operatorNamespace: 'gpu-operator',
      namespace: 'septet',
      // What hangs need not be waited for as long as on a real node.
      patience: { ...DEFAULT_PATIENCE, reconfigure: 120_000, leave: 120_000, settle: 60_000 },
      samples: () => this.#reading.samples(),
      policy: async () => ({ ...PERMISSIVE, watch: seconds(watchMs / 1000), ...policy }),
      plans: async () => ({ ...SHOWN_POLICY, ...plans }),
      roleOf: async () => role,
      prices: async () => [],
      workSetbacks,
      advised: async () => this.advised,
      changed: () => undefined,
    }
  }

  async stateOf(id: string): Promise<string | undefined> {
    const run = await this.#store.actions.get(id)
    return run === undefined ? undefined : stateOf(run).state
  }

  /** Lets so many seconds pass in steps, in each of which these act once. */
  async pass(time: number, actors: readonly Actor[], until: () => Promise<boolean> = async () => false): Promise<void> {
    for (let passed = 0; passed < time * 1000; passed += this.stepMs) {
      this.#time.now += this.stepMs
      if (passed % this.readEveryMs === 0) await this.read()
      // A turn that fails is logged, and there is a next one.
      for (const actor of actors) {
        await this.#leading.get(actor)?.()
        await actor.turn().catch(() => undefined)
      }
      if (await until()) return
    }
  }

  /** Lets time pass until a run stands in one of these states; throws when it does not within half an hour. */
  async until(id: string, states: readonly string[], actors: readonly Actor[]): Promise<ActionRun> {
    let run: ActionRun | undefined
    await this.pass(900, actors, async () => {
      run = await this.#store.actions.get(id)
      return run !== undefined && states.includes(stateOf(run).state)
    })
    if (run !== undefined && states.includes(stateOf(run).state)) return run
    throw new Error(`it is ${run === undefined ? 'gone' : JSON.stringify(stateOf(run))}`)
  }

  async close(): Promise<void> {
    await this.#reading.close()
    await this.writer.close()
    await this.admin.close()
    await this.demo.close()
    rmSync(join(this.demo.actorKubeconfigPath, '..'), { recursive: true })
  }
}

/** Whoever came last has the lead, as if nothing was heard any more of those before. */
async function keepLead(leads: LeadStore, held: { lead?: Fence | undefined }): Promise<void> {
  if (!('lead' in held)) await leads.revoke('demo')
  const [kept] = held.lead === undefined ? [] : await leads.renew([held.lead], LEAD_MS)
  held.lead = kept ?? (await leads.take('demo', 'test', LEAD_MS))
}
