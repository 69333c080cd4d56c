import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { DEFAULT_ACT_POLICY, stateOf, type ActionRun, type Plan, type Store } from '@septet/domain'
import { openPostgresStore, startEmbeddedPostgres } from '@septet/storage'

import { ActingDemo } from '../test/act/acting-demo.ts'
import { flawsIn } from '../test/act/kill-case.ts'
import { adviceOf, cutsOnNodes, proposed, stopsIn } from '../test/act/runs.ts'
import type { Benchmark, Figure } from './benchmark.ts'
import { machineLoad } from './machine-load.ts'
import { quantile } from './quantile.ts'

/** So many GPUs may be changed in an hour, and more are approved. */
const ALLOWED = 100
const APPROVED = 105
const ADVISED = 200
const TICKS = 8
const WAITING = 100

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }
const NONE = { pods: undefined, nodes: undefined, gpus: undefined, usdPerHour: undefined }
const NOTHING = { pods: 0, nodes: 0, gpus: 0, usdPerHour: undefined }

/** One actor with a whole fleet: a hundred changes at once, and how long a turn takes when there is much to judge. */
export const benchmark: Benchmark = {
  name: 'acting-fleet',
  description: `The demo cluster in the benchmark's process, on a clock that moves in half seconds. With 192 nodes and 1,536 GPUs: repartitions on ${APPROVED} nodes, approved at once, where ${ALLOWED} GPUs may change per hour. With 1,250 nodes and 10,000 GPUs: the actor's turns, first with ${ADVISED} recommendations on auto, then with ${WAITING} approved changes that all must wait.`,
  onDemand: true,
  async run() {
    const load = machineLoad()
    const changes = await withDemo('medium', manyChanges)
    return [load, ...changes, ...(await withDemo('large', wholeTurns))]
  },
}

type Work = (acting: ActingDemo, store: Store) => Promise<readonly Figure[]>

async function withDemo(scale: 'medium' | 'large', work: Work): Promise<readonly Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'septet-fleet-'))
  const postgres = await startEmbeddedPostgres({ dataDir: folder, log: silent })
  const store = await openPostgresStore({ connection: postgres.connection, log: silent })
  const acting = await ActingDemo.start(store, { scale })
  try {
    return await work(acting, store)
  } finally {
    await acting.close()
    await store.close()
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function manyChanges(acting: ActingDemo, store: Store): Promise<readonly Figure[]> {
  const before = await acting.read()
  const cuts = await cutsOnNodes(acting, APPROVED)
  const now = acting.now()
  for (const { node, plan } of cuts) await proposed(store.actions, plan, { now, object: `node/${node}` })
  const limits = { run: NONE, hour: { ...NONE, gpus: ALLOWED }, day: NONE }
  const actor = acting.actor({ watchMs: 10_000, policy: { limits } })
  const runs = () => store.actions.list({ limit: APPROVED })
  const isOver = async () => {
    const states = (await runs()).map((run) => stateOf(run).state)
    return states.filter((state) => state === 'kept').length >= ALLOWED || states.every((state) => OVER.has(state))
  }
  await acting.pass(900, [actor], isOver)
  // What may begin only in an hour must not begin a minute later.
  await acting.pass(60, [actor])
  const after = await acting.read()
  const ended = await runs()
  const over = ended.filter((run) => OVER.has(stateOf(run).state))
  const leaving = ended.flatMap(({ plan }) => evicted(plan))
  const flaws = over.filter(hasBegun).flatMap((run) => flawsIn(acting, { run, before, now: after, leaving }))
  const lost = await writesThatDiffer(acting, store, ended)
  const failed = over.filter((run) => stateOf(run).state !== 'kept').map((run) => stateOf(run).because)
  const displacing = cuts.filter(({ plan }) => evicted(plan).length > 0).length
  return [
    {
      name: `cuts kept, of ${APPROVED} approved at once on a node each`,
      figure: over.filter((run) => stateOf(run).state === 'kept').length,
      unit: 'changes',
      aim: `${ALLOWED}, as many as the limit allows`,
      note: `${displacing} displace a pod; ${ended.length - over.length} wait for the hour to pass; ${failed.length} were not begun or taken back${failed[0] === undefined ? '' : ` (${failed[0]})`}; ${Math.round((acting.now() - now) / 1000)} s of the cluster’s time`,
    },
    {
      name: 'layouts, cordons and evictions that are not as planned',
      figure: flaws.length,
      unit: 'flaws',
      aim: 'none',
      ...(flaws[0] === undefined ? {} : { note: flaws[0] }),
    },
    {
      name: 'events lost: gaps in journals, and writes that journals and API server do not agree on',
      figure: ended.filter(hasGap).length + lost.differing,
      unit: 'events',
      aim: 'none',
      note: `${lost.writes} writes, ${ended.reduce((sum, { transitions }) => sum + transitions.length, 0)} transitions`,
    },
  ]
}

const OVER: ReadonlySet<string> = new Set(['kept', 'failed', 'reverted', 'expired', 'cancelled'])
/** Whom a rule held back has changed nothing that could be wrong. */
const hasBegun = ({ transitions }: ActionRun): boolean => transitions.some(({ state }) => state === 'applying')
const hasGap = ({ transitions }: ActionRun): boolean => transitions.some(({ number }, index) => number !== index + 1)
const evicted = ({ steps }: Plan): readonly string[] =>
  steps.flatMap(({ action }) => (action.kind === 'evict' ? action.pod : []))

/** Writes that are in the journals and did not come to the API server, or the other way round, and those without an outcome. */
async function writesThatDiffer({ demo }: ActingDemo, { actions }: Store, runs: readonly ActionRun[]) {
  const written = (await Promise.all(runs.map(({ id }) => actions.writes(id)))).flat()
  const counts = new Map<string, number>()
  const add = (what: string, by: number): void => void counts.set(what, (counts.get(what) ?? 0) + by)
  for (const { what } of written) add(what, 1)
  for (const { user, verb, resource, namespace, name, dryRun, count } of demo.requests()) {
    if (!user.includes('actor') || dryRun || READS.has(verb) || resource === 'leases') continue
    const place = namespace === undefined ? '' : `${namespace}/`
    add(resource === 'pods/eviction' ? `evict pods ${place}${name}` : `${verb} ${resource} ${place}${name}`, -count)
  }
  const unsettled = written.filter(({ outcome }) => outcome === undefined).length
  const differing = [...counts.values()].reduce((sum, count) => sum + Math.abs(count), unsettled)
  return { writes: written.length, differing }
}

const READS: ReadonlySet<string> = new Set(['get', 'list', 'watch'])

async function wholeTurns(acting: ActingDemo, store: Store): Promise<readonly Figure[]> {
  // Ten thousand GPUs are read as seldom as a pipeline does.
  acting.readEvery = 30
  const plans = first(stopsIn(await acting.read()), ADVISED)
  acting.advised = plans.map((plan, index) => ({ ...adviceOf(plan, 'reclaim-idle'), object: `workload/${index}` }))
  const actor = acting.actor({
    policy: {
      modes: { ...DEFAULT_ACT_POLICY.modes, 'reclaim-idle': 'auto' },
      auto: { ...DEFAULT_ACT_POLICY.auto, classes: ['reclaim-idle'], budget: { hour: NOTHING, day: NOTHING } },
    },
  })
  const advised = await turns(acting, () => actor.turn())
  acting.advised = []
  for (const [index, plan] of plans.slice(0, WAITING).entries()) {
    await proposed(store.actions, plan, { now: acting.now(), object: `workload/${index}` })
  }
  const limits = { run: NONE, hour: NOTHING, day: NONE }
  const other = acting.actor({ policy: { limits } })
  const waiting = await turns(acting, () => other.turn())
  return [
    turnFigure(`a turn on auto, with ${plans.length} recommendations to judge`, advised),
    turnFigure(
      `a turn that judges ${Math.min(WAITING, plans.length)} approved changes, none of which may begin`,
      waiting,
    ),
  ]
}

async function turns(acting: ActingDemo, turn: () => Promise<void>): Promise<readonly number[]> {
  const seconds: number[] = []
  for (let tick = 0; tick < TICKS; tick += 1) {
    // Past all rests, so that everything is looked at again, on a new reading.
    await acting.pass(16, [])
    const began = performance.now()
    await turn()
    seconds.push((performance.now() - began) / 1000)
  }
  return seconds
}

const turnFigure = (name: string, seconds: readonly number[]): Figure => ({
  name: `${name}, longest`,
  figure: round(Math.max(...seconds)),
  unit: 's',
  aim: '≤ 3 s',
  note: `median ${round(quantile(seconds, 0.5))} s of ${seconds.length}; 10,000 GPUs`,
})

function first<Item>(items: Iterable<Item>, count: number): readonly Item[] {
  const found: Item[] = []
  for (const item of items) if (found.push(item) === count) break
  return found
}

const round = (value: number): number => Math.round(value * 1000) / 1000
