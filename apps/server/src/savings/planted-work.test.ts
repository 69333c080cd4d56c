import {
  HOUR_MS,
  instant,
  measureSavings,
  savingsLedger,
  usdPerGpuHour,
  type ActionRun,
  type Store,
  type WorkReader,
} from '@septet/domain'
import { openTestStore } from '@septet/storage/testing'
import * as fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'

import { clusterSavings } from './cluster-savings.ts'
import {
  drawnWorlds,
  OLD,
  PLANTED_END,
  WAYS,
  writeWorks,
  type PlantedWork,
  type World,
} from './planted-work.fixture.ts'
import { CHANGE, keptFrom, look, plannedGpus, runOf } from './scripted-usage.fixture.ts'

let store: Store
beforeEach(async () => {
  store = await openTestStore()
  await store.prices.put({
    id: 'own',
    cluster: undefined,
    pool: undefined,
    model: undefined,
    price: usdPerGpuHour(2),
    source: 'a contract',
    asOf: instant(0),
    origin: 'operator',
  })
})

const LOOKS = [CHANGE + 120_000, CHANGE + 30 * HOUR_MS, PLANTED_END]

type More = { readonly run?: ActionRun; readonly work?: WorkReader }

async function savingIn(cluster: string, works: readonly PlantedWork[], { run, work }: More = {}) {
  await writeWorks(store, cluster, works)
  await store.actions.propose(
    run ?? runOf(`r-${cluster}`, { cluster, object: `workload/${OLD}`, states: keptFrom(CHANGE) }),
  )
  await look(store, LOOKS, { cluster, ...(work && { work }) })
  const [only] = await clusterSavings(store.actions, cluster)
  if (only === undefined) throw new Error('nothing was measured')
  return only.saving
}

const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)
const countedOf = (saving: Saving) => savingsLedger([saving])['capacity-freed'].realized.gpuHours.value

/** What is to be measured where nothing is looked for elsewhere. */
function alone({ before, demand }: World) {
  const since = CHANGE + HOUR_MS
  const [saving] = measureSavings([
    {
      run: 'r',
      state: 'kept',
      effect: 'capacity-freed',
      estimate: undefined,
      appliedAt: instant(CHANGE),
      touches: [],
      baseline: {
        window: { from: instant(CHANGE - before.length * HOUR_MS), to: instant(CHANGE) },
        heldByHour: before,
        workload: OLD,
        usdPerGpuHour: 2,
        priceSource: 'a contract',
      },
      after: {
        window: { from: instant(since), to: instant(since + demand.length * HOUR_MS) },
        heldByHour: demand.map(() => 0),
      },
    },
  ])
  if (saving === undefined) throw new Error('nothing was measured')
  return saving
}

const COUNT = 12

type Saving = Awaited<ReturnType<typeof savingIn>>

/** Nothing is in an interval that is not known. */
function amountOf({ realized }: Pick<Saving, 'realized'>) {
  const { value = NaN, range = { low: NaN, high: NaN } } = realized?.gpuHours ?? {}
  return { value, has: (amount: number) => range.low <= amount && amount <= range.high }
}

/** Every world with what was measured in it and what would be without looking elsewhere. */
async function measuredIn(worlds: readonly World[]) {
  const all = []
  for (const world of worlds) {
    const saving = await savingIn(world.cluster, world.works)
    all.push({ world, saving, own: amountOf(saving), before: alone(world), way: world.way, because: saving.because })
  }
  return all
}

const whereOf = ({ works }: World) => works[1]?.workload.replace(/^(.*)\/.*\/(.*)$/u, 'runs as $2 in $1 ') ?? ''

describe('of 12 drawn worlds', () => {
  const planted = drawnWorlds('planted', { count: COUNT, part: fc.constant(1) })
  test('work that only moved counts 0 saved in all, and is named', { timeout: 300_000 }, async () => {
    expect(new Set(planted.map(({ way }) => way)).size).toBe(Object.keys(WAYS).length)
    const all = await measuredIn(planted)
    expect(all.filter(({ own, saving }) => !own.has(0) || countedOf(saving) !== 0)).toEqual([])
    expect(all.filter(({ world, because }) => !because.includes(whereOf(world)))).toEqual([])
  })

  const kept = drawnWorlds('kept', { count: COUNT, part: fc.constant(0) })
  test('a true saving keeps its value in all, whatever else comes and goes', { timeout: 300_000 }, async () => {
    const all = await measuredIn(kept)
    expect(all.filter(({ own, before }) => !amountOf(before).has(own.value))).toEqual([])
    expect(all.filter(({ saving, before }) => saving.state !== before.state)).toEqual([])
    // A 90 % interval misses one world in ten.
    const inside = all.filter(({ own, world }) => own.has(sumOf(world.demand)))
    expect(inside.length).toBeGreaterThanOrEqual(0.85 * COUNT)
  })

  const mixed = drawnWorlds('mixed', { count: COUNT, part: fc.double({ min: 0.2, max: 0.7, noNaN: true }) })
  test('what comes back in part is subtracted, and no more', { timeout: 300_000 }, async () => {
    const off = (await measuredIn(mixed)).map(({ world, own, before, way, because }) => ({
      way,
      because,
      by: Math.abs(own.value - (amountOf(before).value - sumOf(world.back))) / sumOf(world.demand),
    }))
    expect(off.filter(({ by }) => !(by < 0.01))).toEqual([])
  })
})

const [WEEK, ALL] = [168, 338]
const AFTER = ALL - WEEK - 1
/** So many GPUs up to the change, and so many since. */
const stepped = (before: number, since: number) =>
  Array.from({ length: ALL }, (_, order) => (order <= WEEK ? before : since))
const named = (name: string, byHour: readonly number[], more: Partial<PlantedWork> = {}): PlantedWork => ({
  workload: `ml/Deployment/${name}`,
  class: 'inference',
  byHour,
  ...more,
})
const MARKS = { images: ['acme/llm'], starts: ['d1'], models: [] }
const gpuHoursOf = ({ realized }: Saving) => realized?.gpuHours.value

test('work that moves onto a twin that ran already is not saved, and what the twin held before is nobody’s matter', async () => {
  const [own, marks] = [{ ...named('llm', stepped(2, 0)), marks: MARKS }, { marks: MARKS }]
  const grown = await savingIn('grown', [own, named('b', stepped(3, 4), { workload: 'x/Deployment/b', ...marks })])
  expect(gpuHoursOf(grown)).toBeCloseTo(AFTER, 6)
  expect(grown.because).toContain('runs as b in x and holds more than before; the additional $338.00 is not saved.')
  const steady = await savingIn('steady', [own, named('b', stepped(3, 3), { workload: 'x/Deployment/b', ...marks })])
  expect(gpuHoursOf(steady)).toBeCloseTo(2 * AFTER, 6)
})

test('jobs of one kind that take turns are no growth', async () => {
  const turn = (number: number) =>
    Array.from({ length: ALL }, (_, order) => (Math.floor(order / 24) === number ? 2 : 0))
  const jobs = Array.from({ length: Math.ceil(ALL / 24) }, (_, number) =>
    named('', turn(number), { workload: `ml/Job/train-${number}`, class: 'training', marks: MARKS }),
  )
  const own = named('', stepped(1, 0), { workload: OLD, class: 'training', marks: MARKS })
  expect(gpuHoursOf(await savingIn('turns', [own, ...jobs]))).toBeCloseTo(AFTER, 6)
})

test('where work is counted, that of both names counts together', async () => {
  const other = 'x/Deployment/b'
  // A thousand an hour of one before; half of them each since, the other on one GPU or on two.
  const work: WorkReader = {
    signs: async ({ seconds }) => ({ seconds }),
    work: async ({ workload, window }) => ({
      unit: 'tokens',
      source: 'vllm:generation_tokens_total',
      byHour: Array.from({ length: (window.to - window.from) / HOUR_MS }, (_, order) => {
        const isBefore = window.from + order * HOUR_MS < CHANGE
        return isBefore ? (workload === other ? 0 : 1000) : 500
      }),
    }),
  }
  const measured = (cluster: string, gpus: number) => {
    const own = named('llm', stepped(4, 1), { marks: MARKS })
    const run = runOf(`r-${cluster}`, {
      class: 'right-size',
      cluster,
      object: `workload/${OLD}`,
      states: keptFrom(CHANGE),
    })
    return savingIn(cluster, [own, named('b', stepped(0, gpus), { workload: other, marks: MARKS })], { run, work })
  }
  // Of four GPUs one and two do all of the work; one and five do it on more than before.
  expect(gpuHoursOf(await measured('two', 2))).toBeCloseTo(AFTER, 6)
  expect(gpuHoursOf(await measured('five', 5))).toBeCloseTo(0, 6)
})

/** A removed node with one workload, whose pods go to GPUs of these names. */
const removed = (cluster: string) =>
  runOf(`r-${cluster}`, {
    class: 'remove-node',
    object: 'node/a',
    pool: 'p',
    gpus: plannedGpus('a', ['GPU-0-0']),
    cluster,
    states: keptFrom(CHANGE),
  })

describe('what a change moves itself', () => {
  const share = { class: 'share', object: 'node/a', gpus: plannedGpus('a', ['GPU-0-0', 'GPU-1-0']) } as const
  const shared = (cluster: string) => runOf(`r-${cluster}`, { ...share, cluster, states: keptFrom(CHANGE) })
  const pair = [named('a', stepped(1, 1)), named('b', stepped(1, 0))]

  test('and that costs elsewhere is not saved on its node', async () => {
    expect(gpuHoursOf(await savingIn('one', pair, { run: shared('one') }))).toBeCloseTo(AFTER, 6)
    const moved = await savingIn('two', [...pair, named('b', stepped(0, 1))], { run: shared('two') })
    expect(moved).toMatchObject({ state: 'failed', realized: { gpuHours: { value: 0 } } })
    expect(moved.because).toContain(
      'Work that this change moved runs as b in ml since 2026-11-16; its $338.00 is not saved.',
    )
  })

  test('leaves the bill as it was on a node that came for it, and not on one that was there', async () => {
    const gone = named('b', stepped(1, 0))
    const joins = await savingIn('joins', [gone, named('c', stepped(1, 0)), named('b', stepped(0, 1))], {
      run: removed('joins'),
    })
    expect(joins.because).toContain('Work that this change moved runs as b in ml')
    const stays = await savingIn('stays', [gone], { run: removed('stays') })
    expect(gpuHoursOf(stays)).toBeCloseTo(AFTER, 6)
  })
})
