import { constants, getPriority, setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { instant, type Log, type ModelSection, type Store } from '@septet/domain'
import { openPostgresStore } from '@septet/storage'
import type { Hand } from '../act/hand.ts'
import { judging } from '../alerts/judge-alerts.ts'
import { openLog } from '../log.ts'
import { ClusterFollower } from '../pipeline/cluster-follower.ts'
import { AdmissionViews } from '../pipeline/admission-views.ts'
import { ClusterPipeline } from '../pipeline/cluster-pipeline.ts'
import { steadyNow } from '../steady-clock.ts'
import { repeat, type LoopState, type Repeating } from '../repeat.ts'
import type { PipelineHealth } from '../facts.ts'
import { ModelWriter, ModelKeeper } from '../read-model/model-writer.ts'
import { inSharedMemory, pack } from '../read-model/pack.ts'
import { FOLLOWING } from '../read-model/section.ts'
import { failureOf } from '../read-model/questions.ts'
import { actingState, openActor, openOutlook } from './open-actor.ts'
import {
  connectThroughAgent,
  connectCluster,
  connectDemo,
  type ActingConnection,
  type ClusterConnections,
} from './connect-cluster.ts'
import type { FromPipeline, PipelineSettings, ToPipeline } from './pipeline-messages.ts'
import { SavingsKeeper, type KeeperOptions } from '../savings/savings-keeper.ts'

/** How often it is looked whether the connection has changed while nothing else did. */
const LOOK_MS = 1000
/** How old what others answer from may be. */
const KEEP_MS = 2000

/** How often one that follows says how that goes. */
const FOLLOWING_MS = 5000

/** Between a pipeline and whoever started it. */
type Line = {
  readonly post: Post
  readonly hear: (heard: (message: ToPipeline) => void) => void
  readonly close: () => void
}

/** One cluster's pipeline, apart from what answers: its turns take long on a large fleet, and no answer waits for them. */
function run({ post, hear, close }: Line): void {
  let beginning: Promise<Running | undefined> = Promise.resolve(undefined)
  hear((message) => {
    if (message.kind === 'begin') beginning = begin(message.settings, post)
    else if (message.kind === 'lead') beginning.then((running) => running?.extend(message.until)).catch(thrown)
    else if (message.kind === 'stop') beginning.then((running) => stop(running, post, close)).catch(thrown)
    else beginning.then((running) => running?.model.hear(message)).catch(thrown)
  })
}

const clock = () => instant(Date.now())

type Post = (message: FromPipeline) => void
type Running = { readonly model: ModelWriter; extend(until: number): void; close(): Promise<void> }

async function begin(settings: PipelineSettings, post: Post): Promise<Running | undefined> {
  try {
    const running = await startPipeline(settings, post)
    post({ kind: 'begun' })
    return running
  } catch (error) {
    post({ kind: 'refused', failure: failureOf(error) })
    return undefined
  }
}

async function startPipeline(settings: PipelineSettings, post: Post): Promise<Running> {
  const { source, store: address, logLevel, lead } = settings
  const log = openLog(logLevel, (line) => post({ kind: 'log', line }))
  const openStore = () => openPostgresStore({ ...address, log, single: true, lead: lead?.fence })
  if (source.kind === 'store') return follow(settings, { post, log, store: await openStore() })
  if (source.kind === 'agent') {
    const { record, pace } = settings
    const store = await openStore()
    const { pollSeconds } = pace
    return watch(settings, {
      post,
      log,
      store,
      connections: connectThroughAgent({ record, agents: store.agents, log, clock, pollSeconds }),
    })
  }
  const connections = source.kind === 'demo' ? connectDemo(source.addresses, log) : connectCluster(source.cluster, log)
  const store = await openStore()
  return watch(settings, { post, log, store, connections })
}

type Parts = { readonly post: Post; readonly log: Log; readonly store: Store }

/** Watches the cluster, and keeps its read model in the store for others to answer from. */
async function watch(
  { record, pace, admission, auth, lead }: PipelineSettings,
  { post, log, store, connections }: Parts & { readonly connections: ClusterConnections },
): Promise<Running> {
  const { acting, work, ...lines } = connections
  const lent = { store, log, clock, work }
  let sureUntil = lead?.until ?? 0
  const keeper = new ModelKeeper({ cluster: record.id, store: store.readModels, onLost: () => model.forget() })
  const pipeline = new ClusterPipeline({
    record,
    admission: admission ? new AdmissionViews({ usage: store.usage, reader: lines.reader }) : undefined,
    ...lines,
    store,
    log,
    clock,
    pace,
    // Anyone who hears of a change must find it.
    publish: (event) => model.publish(event),
    observe: (stage, tookMs) => post({ kind: 'stage', stage, tookMs }),
    analyzed: (of, analysis) => model.analyzed(of, analysis),
  })
  const known = pipeline.facts()
  const seen = { record, snapshot: pipeline.snapshot, samples: () => [...known.samples().values()] }
  const model = new ModelWriter({
    facts: {
      ...judging(known),
      outlook: openOutlook(acting, { ...lent, ...seen }),
      acting: () => (lines.feed === undefined ? actingState(acting, actor) : { kind: 'agent' }),
      health: () => healthOf(pipeline, [keeping.state(), measuring.state(), ...(actor?.loops() ?? [])]),
    },
    firstVersion: await versionAbove(store, record.id),
    write: (sections) => {
      post({ kind: 'sections', sections })
      keeper.add(sections)
    },
    answer: (answer) => post({ kind: 'answer', answer }),
  })
  const keeping = keepModel(model, keeper, { cluster: record.id, log })
  const actor =
    acting &&
    openActor(timed(acting, post), {
      auth,
      lead: () => (steadyNow() < sureUntil ? lead?.fence : undefined),
      ...lent,
      ...seen,
      changed: () => model.publish({ kind: 'actions', cluster: record.id, asOf: new Date(clock()).toISOString() }),
    })
  const measuring = keepSavings({ cluster: record.id, ...lent, snapshot: pipeline.snapshot })
  pipeline.start().catch(thrown)
  actor?.start()
  return {
    model,
    extend: (until) => (sureUntil = until),
    close: async () => {
      await actor?.stop()
      await Promise.all([keeping.stop(), measuring.stop()])
      await pipeline.stop()
      await store.close()
    },
  }
}

/** The same line to a cluster; what each write over it takes is told. */
function timed(acting: ActingConnection, post: Post): ActingConnection {
  const { hand } = acting
  const write: Hand['write'] = async (wanted, under) => {
    const started = performance.now()
    try {
      return await hand.write(wanted, under)
    } finally {
      post({ kind: 'stage', stage: 'write', tookMs: performance.now() - started })
    }
  }
  return { ...acting, hand: { ...hand, write } }
}

/** How the work of a pipeline goes, with that of the loops beside it. */
function healthOf(pipeline: ClusterPipeline, beside: readonly LoopState[]): PipelineHealth {
  const health = pipeline.health()
  return { ...health, loops: [...health.loops, ...beside] }
}

/** Looks what has changed, and keeps it in the store. */
function keepModel(
  model: ModelWriter,
  keeper: ModelKeeper,
  { cluster, log }: { readonly cluster: string; readonly log: Log },
): Repeating {
  const looking = setInterval(() => model.publish(), LOOK_MS)
  const onError = (error: unknown): void =>
    log.warn('the read model could not be kept', { cluster, error: String(error) })
  const keeping = repeat(() => keeper.flush(), { name: 'read-model', everyMs: KEEP_MS, onError })
  return {
    state: () => keeping.state(),
    stop: () => {
      clearInterval(looking)
      return keeping.stop()
    },
  }
}

/** Whoever follows asks for what is above the version they know, which a server by another clock may have written. */
const versionAbove = async ({ readModels }: Pick<Store, 'readModels'>, cluster: string): Promise<number> =>
  Math.max(Date.now(), (await readModels.version(cluster)) ?? 0)

/** Follows what another Septet, which watches the cluster, keeps in the store. */
function follow({ record }: PipelineSettings, { post, log, store }: Parts): Running {
  const write = (sections: readonly ModelSection[]): void =>
    post({ kind: 'sections', sections: sections.map(inSharedMemory) })
  const follower = new ClusterFollower({ record, store, log, clock, heard: write })
  // The last snapshot in the store is minutes old, and plans are newer: whoever watches it judges by the newest reading.
  const unread = { snapshot: () => undefined, samples: () => [] }
  const model = new ModelWriter({
    facts: { ...judging(follower.facts()), outlook: openOutlook(undefined, { store, record, clock, ...unread }) },
    firstVersion: 0,
    write,
    answer: (answer) => post({ kind: 'answer', answer }),
  })
  follower.start()
  const telling = setInterval(
    () => write([{ key: FOLLOWING, version: 0, bytes: pack(follower.loops()).bytes }]),
    FOLLOWING_MS,
  )
  return {
    model,
    extend: () => undefined,
    close: async () => {
      clearInterval(telling)
      await follower.stop()
      await store.close()
    },
  }
}

async function stop(running: Running | undefined, post: Post, close: () => void): Promise<void> {
  await running?.close()
  post({ kind: 'stopped' })
  close()
}

/** An error that nobody expects ends the thread, and the main thread begins another. */
const thrown = (error: unknown): void => {
  setImmediate(() => {
    throw error
  })
}

function lineOfThread(port: NonNullable<typeof parentPort>): Line {
  return {
    post: (message) => port.postMessage(message),
    hear: (heard) => void port.on('message', heard),
    close: () => port.close(),
  }
}

function lineOfProcess(): Line {
  // A terminal's Ctrl-C goes to every process of the group; this one is told to stop, and writes what it has first.
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined)
  return {
    post: (message) => {
      if (process.connected) process.send?.(ofOwnMemory(message))
    },
    hear: (heard) => {
      process.on('message', heard)
      // Whoever started it is gone.
      process.on('disconnect', () => heard({ kind: 'stop' }))
    },
    close: () => process.exit(),
  }
}

/** Shared memory does not travel between processes. */
const ofOwnMemory = (message: FromPipeline): FromPipeline =>
  message.kind === 'sections'
    ? { ...message, sections: message.sections.map((section) => ({ ...section, bytes: section.bytes?.slice() })) }
    : message

/** Where cores are few, whoever waits for an answer goes first: a turn here may as well end a little later. */
function giveWay(): void {
  // Elsewhere than on Linux a thread has no priority of its own, and the one that answers would be slowed down too.
  if (parentPort !== null && process.platform !== 'linux') return
  const { PRIORITY_BELOW_NORMAL: wanted } = constants.priority
  try {
    if (getPriority() < wanted) setPriority(wanted)
  } catch {
    // A sandbox may forbid even that: then all threads go alike.
  }
}

giveWay()
if (parentPort !== null) run(lineOfThread(parentPort))
else if (process.connected) run(lineOfProcess())

/** How soon after an approval what was held before it is kept. */
const EVERY_MS = 60_000

/** Keeps what the actions of one cluster save, as long as its pipeline runs. */
function keepSavings({ log, ...options }: KeeperOptions & { readonly log: Log }): Repeating {
  const keeper = new SavingsKeeper(options)
  return repeat(() => keeper.turn(), {
    name: 'savings',
    everyMs: EVERY_MS,
    onError: (error) =>
      log.warn('what actions save was not measured', { cluster: options.cluster, error: String(error) }),
  })
}
