import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import {
  DEFAULT_ACT_POLICY,
  stateOf,
  type ActionRun,
  type ClusterSnapshot,
  type Plan,
  type Store,
} from '@septet/domain'
import { openPostgresStore, startEmbeddedPostgres } from '@septet/storage'

import { ActingDemo } from '../test/act/acting-demo.ts'
import { flawsOf } from '../test/act/kill-case.ts'
import { cutsOnNodes, proposed, runOf, stopsIn } from '../test/act/runs.ts'
import type { Benchmark, Figure } from './benchmark.ts'
import { machineLoad } from './machine-load.ts'
import { quantile } from './quantile.ts'

const CHANGES = 100
const ADVISED = 200
const TICKS = 10

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

/** One actor with a whole fleet: a hundred changes at once, and how long a turn takes when there is much to propose. */
export const benchmark: Benchmark = {
  name: 'acting-fleet',
  description: `The demo cluster of 1,250 nodes and 10,000 GPUs, in this process. ${CHANGES} cuts on ${CHANGES} nodes are approved at once and carried out in the cluster's own time; then ${TICKS} turns with everything on auto and ${ADVISED} recommendations to stop idle work, none of which the budget allows.`,
  onDemand: true,
  async run() {
    const load = machineLoad()
    const folder = mkdtempSync(join(tmpdir(), 'septet-fleet-'))
    const postgres = await startEmbeddedPostgres({ dataDir: folder, log: silent })
    const store = await openPostgresStore({ connection: postgres.connection, log: silent })
    const acting = await ActingDemo.start(store, { scale: 'large' })
    try {
      const before = await acting.read()
      return [load, ...(await manyChanges(acting, store, before)), await wholeTurns(acting, store)]
    } finally {
      await acting.close()
      await store.close()
      await postgres.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

async function manyChanges(acting: ActingDemo, store: Store, before: ClusterSnapshot): Promise<readonly Figure[]> {
  const plans = await cutsOnNodes(acting, CHANGES)
  const ids: string[] = []
  for (const plan of plans) ids.push((await proposed(store.actions, plan, { now: acting.now() })).id)
  const actor = acting.actor({ watchMs: 10_000 })
  const turns: number[] = []
  const timed = Object.assign(actor, {
    turn: async () => {
      const began = performance.now()
      await Object.getPrototypeOf(actor).turn.call(actor)
      turns.push((performance.now() - began) / 1000)
    },
  })
  const runs = async () => Promise.all(ids.map((id) => store.actions.get(id)))
  await acting.pass(600, [timed], async () => (await runs()).every((run) => run !== undefined && isOver(run)))
  const over = (await runs()).filter((run) => run !== undefined)
  const kept = over.filter((run) => stateOf(run).state === 'kept')
  const flaws: string[] = []
  for (const run of over) flaws.push(...(await flawsOf(acting, { run, before })))
  return [
    {
      name: 'changes kept, all approved at once on a node each',
      figure: kept.length,
      unit: `of ${CHANGES}`,
      aim: `${CHANGES}, no event lost`,
      note: `${flaws.length} flaws in layout, cordons and evictions; gaps in the numbers of transitions: ${over.filter(hasGap).length}`,
    },
    {
      name: 'longest turn meanwhile',
      figure: round(Math.max(...turns)),
      unit: 's',
      note: `median ${round(quantile(turns, 0.5))} s of ${turns.length}`,
    },
  ]
}

const isOver = (run: ActionRun): boolean => ['kept', 'failed', 'reverted', 'expired'].includes(stateOf(run).state)
const hasGap = ({ transitions }: ActionRun): boolean => transitions.some(({ number }, index) => number !== index + 1)

async function wholeTurns(acting: ActingDemo, store: Store): Promise<Figure> {
  const plans = first(stopsIn(await acting.read()), ADVISED)
  acting.advised = plans.map((plan: Plan) => runOf(plan, { now: acting.now(), kind: 'reclaim-idle' }).recommendation)
  const none = { pods: 0, nodes: 0, gpus: 0, usdPerHour: undefined }
  const actor = acting.actor({
    store: store.actions,
    policy: {
      modes: { ...DEFAULT_ACT_POLICY.modes, 'reclaim-idle': 'auto' },
      auto: { ...DEFAULT_ACT_POLICY.auto, classes: ['reclaim-idle'], budget: { hour: none, day: none } },
    },
  })
  const seconds: number[] = []
  for (let tick = 0; tick < TICKS; tick += 1) {
    // Past the time at which it looks for something to propose again.
    await acting.pass(16, [])
    const began = performance.now()
    await actor.turn()
    seconds.push((performance.now() - began) / 1000)
  }
  return {
    name: `a turn that looks through ${plans.length} recommendations, longest`,
    figure: round(Math.max(...seconds)),
    unit: 's',
    aim: '≤ 3 s',
    note: `median ${round(quantile(seconds, 0.5))} s; 10,000 GPUs`,
  }
}

function first<Item>(items: Iterable<Item>, count: number): readonly Item[] {
  const found: Item[] = []
  for (const item of items) if (found.push(item) === count) break
  return found
}

const round = (value: number): number => Math.round(value * 1000) / 1000
