import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { draw } from '../../cluster/draw.fixture.ts'
import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import { HOUR_MS, compareText, instant } from '../../units.ts'
import { checkPlan, wayBack } from '../steps/check-plan.ts'
import { makePlan } from '../steps/make-plan.ts'
import { drawnWishes } from '../steps/drawn-wishes.fixture.ts'
import { replaySteps } from '../fleet-plan/replay-steps.fake.ts'
import { owned, past, sourcesOf, waitingFor } from './drawn-past.fixture.ts'
import { SHOWN_POLICY, changedBy, confidenceOf, levelOf, surroundings } from './proposal.ts'
import { recommend } from './recommend.ts'
import { learnFleetOverrun } from '../right-size/learn-overrun.ts'
import { recommendContext, type RecommendSources } from './recommend-context.ts'

/** Learned once: what is told about other work does not matter to what is asked here. */
const LEARNED = learnFleetOverrun(
  past(draw`node-a  H100-80GB-HBM3  [lab/a]`, 'lab/a', {
    hours: 168,
    doing: (ago) => ({ busy: 0.1, memory: 3000 + 10 * (ago % 5) }),
  }),
)

/** Random legal clusters with budgets, bare pods, nodes that are down, and a past that is idle, light or heavy by pod. */
const sources: fc.Arbitrary<RecommendSources> = fc
  .record({ drawn: drawnWishes('mig-manager'), waiting: fc.nat(2), seed: fc.nat(1000) })
  .map(({ drawn: { snapshot }, waiting, seed }) => {
    let cluster = snapshot
    const running = snapshot.pods.filter(({ node }) => node !== undefined)
    for (const { id, name } of running) cluster = owned(cluster, [id], { name })
    cluster = waitingFor({ ...cluster, ...withWaiting(cluster, waiting) }, 2)
    const rows = running.flatMap(({ id }, index) => {
      const kind = (index + seed) % 4
      const doing = (ago: number) => ({
        busy: [0, 0.1, 0.12, 0.8][kind] ?? 0,
        memory: (kind + 1) * 1500 + 10 * (ago % 7),
        measured: kind === 2 && seed % 3 === 0 && ago % 2 === 0 ? 0 : 1,
      })
      return past(cluster, id, { hours: seed % 5 === 0 ? 12 : 60, doing })
    })
    const unallocated = Object.fromEntries(cluster.nodes.map(({ name }, index) => [name, (index + seed) % 2]))
    return { ...sourcesOf(cluster, { rows, unallocated }), overrun: LEARNED }
  })

/** Some running pods again, as waiting for other things. */
function withWaiting({ pods, workloads }: ClusterSnapshot, count: number) {
  const asks = ['nvidia.com/gpu', 'nvidia.com/mig-3g.40gb', 'nvidia.com/mig-2g.10gb']
  const more = pods.slice(0, count).map((pod, index) => {
    const name = `waits-${index}`
    const id = `${pod.namespace}/${name}`
    const requests = [{ resource: asks[index] ?? '', count: 1 }]
    const status = { node: undefined, phase: 'Pending' as const, startedAt: undefined, requests }
    const workload = `${pod.namespace}/Job/${name}`
    return { ...pod, ...status, id, uid: id, name, workload }
  })
  const owners = more.flatMap(({ workload: id, id: pod, namespace, name, requests }) => {
    const like = workloads[0]
    if (like === undefined) return []
    return [{ ...like, id, namespace, name, kind: 'Job', status: 'queued' as const, requests, pods: [pod] }]
  })
  return { pods: [...pods, ...more], workloads: [...workloads, ...owners] }
}

const runs = { numRuns: 40 }

test('the order of what a cluster and a store list changes nothing', () => {
  fc.assert(
    fc.property(sources, (drawn) => {
      const { snapshot, rows, analysis } = drawn
      const turned: RecommendSources = {
        ...drawn,
        snapshot: {
          ...snapshot,
          nodes: snapshot.nodes.toReversed(),
          pods: snapshot.pods.toReversed(),
          workloads: snapshot.workloads.toReversed(),
          allocations: snapshot.allocations.toReversed(),
          budgets: snapshot.budgets.toReversed(),
        },
        rows: rows.toReversed(),
        analysis: {
          ...analysis,
          cost: { ...analysis.cost, byNode: analysis.cost.byNode.toReversed() },
          workloads: analysis.workloads.toReversed(),
        },
      }
      expect(recommend(turned)).toEqual(recommend(drawn))
    }),
    runs,
  )
})

test('what is shown together never touches the same workload or node, best first, each with its own id', () => {
  fc.assert(
    fc.property(sources, (drawn) => {
      const shown = recommend(drawn).recommendations
      const context = recommendContext(drawn)
      const touched = shown.flatMap((each) => [...changedBy(each, context)])
      expect(touched.length).toBe(new Set(touched).size)
      expect(new Set(shown.map(({ id }) => id)).size).toBe(shown.length)
      expect(shown.map(({ rank }) => rank)).toEqual(shown.map(({ rank }) => rank).toSorted((a, b) => b - a))
    }),
    runs,
  )
})

/** What a way back gives back: everything but nodes that are gone, and what pods had in memory. */
function restorable({ nodes, pods, workloads }: ClusterSnapshot, done: ClusterSnapshot) {
  const left = new Set(done.nodes.map(({ name }) => name))
  return {
    nodes: nodes
      .filter(({ name }) => left.has(name))
      .map(({ name, schedulable, sharing, gpus }) => {
        const cuts = gpus.map(({ id, migEnabled, partitions }) => {
          const profiles = partitions.map((partition) =>
            partition.kind === 'mig' ? partition.profile : partition.kind,
          )
          return [id, migEnabled, profiles.toSorted()]
        })
        return [name, schedulable, sharing, cuts]
      })
      .map((each) => JSON.stringify(each))
      .toSorted(compareText),
    asked: workloads
      .map(({ id }) => [id, pods.filter(({ workload }) => workload === id).map(({ requests }) => requests)])
      .map((each) => JSON.stringify(each))
      .toSorted(compareText),
  }
}

test('every plan can be carried out, and its way back leads to what can be restored', () => {
  let plans = 0
  fc.assert(
    fc.property(sources, (drawn) => {
      for (const { plan } of recommend(drawn).recommendations) {
        plans += 1
        const done = checkPlan(drawn.snapshot, plan, SHOWN_POLICY)
        expect(done.kind === 'refused' ? done.because : '').toBe('')
        if (done.kind === 'refused') continue
        const { actions } = wayBack(plan.steps)
        const steps = actions.map((action, index) => ({
          ...(plan.steps[0] as NonNullable<(typeof plan.steps)[0]>),
          number: index + 1,
          action,
          preconditions: [],
        }))
        const back = checkPlan(drawn.snapshot, { ...plan, steps: [...plan.steps, ...steps] }, SHOWN_POLICY)
        expect(back.kind === 'refused' ? back.because : '').toBe('')
        if (back.kind === 'refused') continue
        expect(restorable(back.snapshot, done.snapshot)).toEqual(restorable(drawn.snapshot, done.snapshot))
      }
    }),
    runs,
  )
  expect(plans).toBeGreaterThan(20)
})

test('whoever ran before a change runs again after it, on a scheduler that is not ours', () => {
  let moving = 0
  fc.assert(
    fc.property(sources, (drawn) => {
      for (const { plan, title } of recommend(drawn).recommendations) {
        if (plan.moves.length === 0) continue
        moving += 1
        const { waiting } = replaySteps(drawn.snapshot, plan.steps, SHOWN_POLICY)
        expect([title, plan.moves.filter(({ pod }) => waiting.includes(pod))]).toEqual([title, []])
      }
    }),
    { numRuns: 150, seed: 3 },
  )
  expect(moving).toBeGreaterThan(20)
})

test('a plan made on what it touches is the plan made on the whole cluster', () => {
  fc.assert(
    fc.property(drawnWishes('mig-manager'), ({ snapshot, wishes }) => {
      const context = recommendContext(sourcesOf(snapshot))
      for (const wish of wishes) {
        const question = { wishes: [wish], title: 'x', policy: SHOWN_POLICY }
        const near = makePlan({ ...question, snapshot: surroundings([wish], context) })
        const whole = makePlan({ ...question, snapshot: context.snapshot })
        expect(near.steps).toEqual(whole.steps)
        expect(near.moves).toEqual(whole.moves)
        expect(near.refused.length).toBe(whole.refused.length)
      }
    }),
    { numRuns: 100 },
  )
})

/** Whether a kind saves an amount: what shrinks does only where it was idle. */
const SAVES = {
  'reclaim-idle': ['estimated'],
  'remove-node': ['estimated'],
  'right-size': ['estimated', 'none'],
  'fewer-gpus': ['estimated', 'none'],
  repartition: ['none'],
  reschedule: ['none'],
  share: ['none'],
}

test('a saving is a number only where something is freed, and unknown telemetry never leads to one', () => {
  fc.assert(
    fc.property(sources, (drawn) => {
      for (const { kind, saving, risk } of recommend(drawn).recommendations) {
        expect(SAVES[kind]).toContain(saving.kind)
        expect(risk.confidence).toBeGreaterThan(0)
        expect(risk.confidence).toBeLessThanOrEqual(1)
      }
      const unknown = drawn.rows.map((row) => ({ ...row, measured: 0, idle: 0, busy: undefined, busyPeak: undefined }))
      const { recommendations: blind } = recommend({ ...drawn, rows: unknown as unknown as typeof drawn.rows })
      const measured = ['right-size', 'fewer-gpus', 'reclaim-idle', 'share']
      expect(blind.filter(({ kind }) => measured.includes(kind))).toEqual([])
    }),
    runs,
  )
})

test('no claim, and no sum of claims, is more than what was measured to be wasted on what it changes', () => {
  let claims = 0
  fc.assert(
    fc.property(sources, (drawn) => {
      const { analysis } = drawn
      const hours = analysis.observedSeconds / 3600
      const wasted = new Map<string, Claimed>([
        ...analysis.workloads.map(({ id, idleHours, idleCost }) => {
          return [`workload/${id}`, { gpus: idleHours / hours, usd: (idleCost ?? 0) / hours }] as const
        }),
        ...analysis.cost.byNode.map(({ key, cost }) => {
          return [
            `node/${key}`,
            { gpus: cost.hours.unallocated / hours, usd: (cost.money?.unallocated ?? 0) / hours },
          ] as const
        }),
      ])
      const total = { gpus: 0, usd: 0 }
      for (const { saving, object, plan } of recommend(drawn).recommendations) {
        if (saving.kind === 'none') continue
        claims += 1
        const claimed = { gpus: saving.gpuHoursPerMonth / 730, usd: (saving.usdPerMonth ?? 0) / 730 }
        const receivers = plan.moves.map(({ to }) => `node/${nodeOf(drawn.snapshot, to?.gpu)}`)
        const most = sumOf([...new Set([object, ...receivers])].flatMap((one) => wasted.get(one) ?? []))
        expect(claimed.gpus).toBeLessThanOrEqual(most.gpus + 1e-9)
        expect(claimed.usd).toBeLessThanOrEqual(most.usd + 1e-9)
        total.gpus += claimed.gpus
        total.usd += claimed.usd
      }
      const all = sumOf([...wasted.values()])
      expect(total.gpus).toBeLessThanOrEqual(all.gpus + 1e-9)
      expect(total.usd).toBeLessThanOrEqual(all.usd + 1e-9)
    }),
    runs,
  )
  expect(claims).toBeGreaterThan(10)
})

type Claimed = { readonly gpus: number; readonly usd: number }
const sumOf = (parts: readonly Claimed[]): Claimed => ({
  gpus: parts.reduce((sum, { gpus }) => sum + gpus, 0),
  usd: parts.reduce((sum, { usd }) => sum + usd, 0),
})
const nodeOf = ({ nodes }: ClusterSnapshot, gpu: string | undefined): string =>
  nodes.find(({ gpus }) => gpus.some(({ id }) => id === gpu))?.name ?? ''

const anHourLater = <At extends { readonly at: number }>(row: At) => ({ ...row, at: instant(row.at + HOUR_MS) })
const ids = (each: RecommendSources) =>
  recommend(each)
    .recommendations.map(({ id }) => id)
    .toSorted()

test('ids stay while only time moves on', () => {
  fc.assert(
    fc.property(sources, (drawn) => {
      const { snapshot, rows, window } = drawn
      const moved = {
        ...drawn,
        snapshot: { ...snapshot, takenAt: instant(snapshot.takenAt + HOUR_MS) },
        rows: rows.map(anHourLater),
        window: { from: instant(window.from + HOUR_MS), to: instant(window.to + HOUR_MS) },
      }
      expect(ids(moved)).toEqual(ids(drawn))
    }),
    { numRuns: 20 },
  )
})

const idle = (snapshot: ClusterSnapshot) =>
  recommend(
    sourcesOf(snapshot, { rows: snapshot.pods.flatMap(({ id }) => past(snapshot, id, { hours: 168, doing: {} })) }),
  ).recommendations

test('a GPU without a price is ranked at the mean of the others, and says so; no amount is made of it', () => {
  const shown = idle(draw`
    node-a  H100-80GB-HBM3  [lab/a]
    node-b  L4              [lab/b]
    node-c  T4              [lab/c]`)
  expect(shown.map(({ object }) => object.at(-1))).toEqual(['a', 'b', 'c'])
  const mean = { 'ranked at the mean price of the GPUs that have one, USD per GPU-hour': 2.25 }
  expect(shown[1]).toMatchObject({ saving: { usdPerMonth: undefined }, evidence: { figures: mean } })
  expect(shown[0]?.evidence.figures).not.toMatchObject(mean)
})

test('levels and confidence at their ends', () => {
  expect([levelOf(0, 0), levelOf(0, 0.02), levelOf(0, 0.021), levelOf(1, 0)]).toEqual([
    'low',
    'low',
    'medium',
    'medium',
  ])
  expect([levelOf(8, 0.1), levelOf(9, 0), levelOf(0, 0.11)]).toEqual(['medium', 'high', 'high'])
  expect([confidenceOf(0, 24, 1), confidenceOf(24, 24, 1), confidenceOf(168, 24, 1)]).toEqual([0, 0.5, 0.875])
  expect(confidenceOf(168, 24, 0.5)).toBe(0.4375)
  expect(confidenceOf(1e9, 24, 1)).toBeLessThan(1)
})
