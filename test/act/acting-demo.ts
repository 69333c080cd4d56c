import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { openClusterWriter } from '@septet/connectors'
import {
  DEFAULT_PATIENCE,
  instant,
  stateOf,
  type ActionRun,
  type ActionStore,
  type ClusterSnapshot,
  type ClusterWriter,
  type Instant,
  type Store,
} from '@septet/domain'
import { Actor, openHand } from '@septet/server/testing/act'
import { startDemoCluster, type DemoCluster } from '@septet/simulator'

import { startReading, type Reading } from './reading.ts'

const BEGIN = Date.UTC(2026, 10, 18, 14, 3, 0)
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

type ActorOptions = {
  readonly store?: ActionStore
  readonly writer?: ClusterWriter
  readonly watchMs?: number
  /** Another one is another installation of Septet. */
  readonly installation?: string
}

/** The demo cluster and those who act on it, in a time that only moves when a test lets it. */
export class ActingDemo {
  readonly demo: DemoCluster
  /** The line by which actors write. */
  readonly writer: ClusterWriter
  readonly #store: Store
  readonly #reading: Reading
  readonly #time: { now: number }

  private constructor(parts: { demo: DemoCluster; store: Store; reading: Reading; time: { now: number } }) {
    this.demo = parts.demo
    this.#store = parts.store
    this.#reading = parts.reading
    this.#time = parts.time
    this.writer = openClusterWriter({ kubeconfig: { path: parts.demo.actorKubeconfigPath } })
  }

  static async start(store: Store, options: Partial<Parameters<typeof startDemoCluster>[0]> = {}): Promise<ActingDemo> {
    const time = { now: BEGIN }
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
    const reading = await startReading(demo, () => instant(time.now))
    return new ActingDemo({ demo, store, reading, time })
  }

  now = (): Instant => instant(this.#time.now)

  read = (): Promise<ClusterSnapshot> => this.#reading.read()

  /** One who acts. What it writes goes through `writer` and `store`, which a test may give it with faults. */
  actor({ store, writer, watchMs = 60_000, installation = 'septet-test' }: ActorOptions = {}): Actor {
    return new Actor({
      cluster: 'demo',
      store: store ?? this.#store.actions,
      hand: openHand(writer ?? this.writer),
      snapshot: () => this.#reading.newest(),
      clock: this.now,
      log: silent,
      operatorNamespace: 'gpu-operator',
      namespace: 'septet',
      patience: DEFAULT_PATIENCE,
      watchMs: async () => watchMs,
      changed: () => undefined,
      installation: async () => installation,
      everyMs: 1000,
    })
  }

  /** Lets time pass in steps of half a second, in each of which these act once. */
  async pass(
    seconds: number,
    actors: readonly Actor[],
    until: () => Promise<boolean> = async () => false,
  ): Promise<void> {
    for (let half = 0; half < seconds * 2; half += 1) {
      this.#time.now += 500
      if (half % 4 === 0) {
        // The watch brings what has changed; it is over real sockets.
        await sleep(5)
        await this.read()
      }
      // A turn that fails is logged, and there is a next one.
      for (const actor of actors) await actor.turn().catch(() => undefined)
      if (await until()) return
    }
  }

  /** Lets time pass until a run stands in one of these states; throws when it does not within half an hour. */
  async until(id: string, states: readonly string[], actors: readonly Actor[]): Promise<ActionRun> {
    let run: ActionRun | undefined
    await this.pass(1800, actors, async () => {
      run = await this.#store.actions.get(id)
      return run !== undefined && states.includes(stateOf(run).state)
    })
    if (run !== undefined && states.includes(stateOf(run).state)) return run
    throw new Error(`it is ${run === undefined ? 'gone' : JSON.stringify(stateOf(run))}`)
  }

  async close(): Promise<void> {
    await this.#reading.close()
    await this.writer.close()
    await this.demo.close()
    rmSync(join(this.demo.actorKubeconfigPath, '..'), { recursive: true })
  }
}
