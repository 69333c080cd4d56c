import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { boardFor, isFeasible, seconds } from '@septet/domain'
import { jobMenu } from './job-menu.ts'
import type { SliceJob } from './slice-job.ts'
import type { GpuSlots, JobPolicy } from './job-policy.ts'
import { septetJobPolicy } from './job-septet.ts'
import { meanCompletion, simulateJobs } from './job-simulation.ts'
import { bestStatic, staticPolicy, wholeGpuPolicy, wholeLayout } from './job-static.ts'

const board = boardFor('A100-SXM4-40GB')
if (board === undefined) throw new Error('the catalog has no A100-SXM4-40GB')
const menu = jobMenu(board, ['1g.5gb', '2g.10gb', '3g.20gb', '4g.20gb', '7g.40gb'])
const whole = wholeLayout(menu)
const layoutOf = (...names: readonly string[]): GpuSlots['layout'] =>
  menu.layouts.find(
    (layout) =>
      layout
        .map(({ profile }) => profile)
        .toSorted()
        .join() === names.toSorted().join(),
  ) ?? []

const LINEAR = [1 / 7, 2 / 7, 3 / 7, 4 / 7, 1]
// oxlint-disable-next-line max-params -- four plain values of one row read best side by side
const job = (id: string, arrival: number, work: number, speeds: readonly number[] = LINEAR): SliceJob => ({
  id,
  arrival: seconds(arrival),
  work: seconds(work),
  speeds,
})

/** Speeds that grow with the profile, where the smallest profiles may not fit. */
const speeds = fc
  .tuple(
    fc.integer({ min: 0, max: 4 }),
    fc.array(fc.double({ min: 0.1, max: 1, noNaN: true }), { minLength: 5, maxLength: 5 }),
  )
  .map(([misfits, drawn]) => drawn.toSorted((a, b) => a - b).map((speed, at) => (at < misfits ? 0 : speed)))
const jobLists = fc
  .array(
    fc.tuple(fc.double({ min: 0, max: 2000, noNaN: true }), fc.double({ min: 1, max: 3000, noNaN: true }), speeds),
    { maxLength: 14 },
  )
  .map((drawn) => drawn.map(([arrival, work, rates], at) => job(`job-${at}`, arrival, work, rates)))
const policies: ReadonlyArray<readonly [string, () => JobPolicy]> = [
  ['whole', () => wholeGpuPolicy(menu)],
  ['static', () => staticPolicy([layoutOf('4g.20gb', '2g.10gb', '1g.5gb'), layoutOf('7g.40gb')], true)],
  ['septet', () => septetJobPolicy()],
]

describe.each(policies)('%s, whatever the jobs', (_, policyFor) => {
  test('ends every job with exactly its work, on feasible layouts, where it fits, never earlier than alone', () => {
    fc.assert(
      fc.property(jobLists, fc.integer({ min: 1, max: 4 }), fc.constantFrom(0, 30, 200), (jobs, fleet, pause) => {
        const policy = policyFor()
        const watched = watchJobs({ jobs, pause, start: policy.start(fleet, menu) })
        const run = simulateJobs({
          menu,
          jobs,
          gpus: fleet,
          policy,
          pause: seconds(pause),
          watch: (now, gpus) => watched.see(now, gpus),
        })
        expect(
          run.refused
            .map(({ id }) => id)
            .concat(run.completions.map(({ id }) => id))
            .toSorted(),
        ).toEqual(jobs.map(({ id }) => id).toSorted())
        let last = 0
        for (const { id, end } of run.completions) {
          const { arrival, work, speeds: rates } = jobs.find((each) => each.id === id) ?? job('none', 0, 0)
          expect(end).toBeGreaterThanOrEqual(last)
          expect(end - arrival).toBeGreaterThanOrEqual((work / Math.max(...rates)) * (1 - 1e-9))
          last = end
        }
        // Reckoned again from the layouts alone: a job's time on its instances, less what it stands still, is its work.
        for (const { id } of run.completions) {
          const at = jobs.findIndex((each) => each.id === id)
          expect(watched.done(at) / (jobs[at]?.work ?? 0)).toBeCloseTo(1, 6)
        }
      }),
      { numRuns: 60, seed: 6 },
    )
  })

  test('gives the same run again', () => {
    fc.assert(
      fc.property(jobLists, (jobs) => {
        const run = (): unknown => simulateJobs({ menu, jobs, gpus: 2, policy: policyFor(), pause: seconds(30) })
        expect(run()).toEqual(run())
      }),
      { numRuns: 10, seed: 7 },
    )
  })
})

type Watched = {
  readonly jobs: readonly SliceJob[]
  readonly pause: number
  readonly start: ReadonlyArray<GpuSlots['layout']>
}

/**
 * Watches a run: throws where a layout is infeasible or a job is twice or where it does not fit, and reckons what each job
 * got done apart from the simulation.
 */
function watchJobs({ jobs, pause, start }: Watched): {
  see(now: number, gpus: readonly GpuSlots[]): void
  done(at: number): number
} {
  type Hold = { readonly place: string; readonly rate: number; readonly from: number; readonly goesOn: number }
  const work = jobs.map(() => 0)
  const began = new Set<number>()
  /** When each instance that is there was ready, by GPU, profile and start. */
  let ready = new Map<string, number>(
    start.flatMap((layout, gpu) => layout.map((each) => [placeOf(gpu, each), 0] as const)),
  )
  let shapes = start.map(shapeOf)
  let before = new Map<number, Hold>()
  let held = new Map<number, Hold>()
  const until = (hold: Hold, now: number): number => hold.rate * Math.max(0, now - Math.max(hold.from, hold.goesOn))
  /** What stands where from now on; who is on it goes on, or stands still first. */
  function settle({ now, place, isNew, index }: { now: number; place: string; isNew: boolean; index: number }): number {
    const was = before.get(index)
    if (!isNew && was?.place === place) return was.goesOn
    return isNew || began.has(index) ? now + pause : (ready.get(place) ?? Number.NaN)
  }
  function note({ now, place, isNew, index, profile }: Parameters<typeof settle>[0] & { profile: string }): void {
    const rate = jobs[index]?.speeds[menu.profiles.indexOf(profile)] ?? 0
    expect(held.has(index)).toBe(false)
    expect(rate).toBeGreaterThan(0)
    expect(jobs[index]?.arrival).toBeLessThanOrEqual(now)
    held.set(index, { place, rate, from: now, goesOn: settle({ now, place, isNew, index }) })
    began.add(index)
  }
  return {
    see: (now, gpus) => {
      for (const [index, hold] of held) work[index] = (work[index] ?? 0) + until(hold, now)
      before = held
      held = new Map()
      const readyNow = new Map<string, number>()
      for (const [gpu, { layout, jobs: on }] of gpus.entries()) {
        expect(isFeasible(menu.board, layout)).toEqual({ kind: 'feasible' })
        expect(on).toHaveLength(layout.length)
        const anew = shapeOf(layout) !== shapes[gpu]
        for (const [at, instance] of layout.entries()) {
          const place = placeOf(gpu, instance)
          const isNew = anew
          readyNow.set(place, isNew ? now + pause : (ready.get(place) ?? Number.NaN))
          const index = on[at]
          if (index !== undefined) note({ now, place, isNew, index, profile: instance.profile })
        }
      }
      ready = readyNow
      shapes = gpus.map(({ layout }) => shapeOf(layout))
    },
    done: (at) => work[at] ?? 0,
  }
}

const shapeOf = (layout: GpuSlots['layout']): string =>
  layout
    .map((each) => placeOf(0, each))
    .toSorted((a, b) => a.localeCompare(b))
    .join()

const placeOf = (gpu: number, { profile, placement }: GpuSlots['layout'][number]): string =>
  `${gpu} ${profile} ${placement.start}`

describe('the clock', () => {
  test('whole GPUs serve in order of arrival', () => {
    const run = simulateJobs({
      menu,
      gpus: 1,
      pause: seconds(30),
      policy: wholeGpuPolicy(menu),
      jobs: [job('a', 0, 100), job('b', 10, 50), job('c', 5, 20)],
    })
    expect(run.completions.map(({ id, end }) => [id, end])).toEqual([
      ['a', 100],
      ['c', 120],
      ['b', 170],
    ])
    expect([meanCompletion(run), run.pauses, run.refused.length]).toEqual([125, 0, 0])
  })

  test('a re-cut stops every job of that GPU for the pause, the new one too', () => {
    const even = [0, 0, 0.5, 0.6, 1]
    const shareOnceTwo: JobPolicy = {
      name: 'two share',
      start: () => [whole],
      decide: ({ waiting }) => {
        if (waiting.includes(0)) return [{ gpu: 0, layout: whole, jobs: [0] }]
        const [large, small] = [layoutOf('4g.20gb', '3g.20gb'), waiting.includes(1)]
        return small
          ? [{ gpu: 0, layout: large, jobs: large.map(({ profile }) => (profile === '4g.20gb' ? 0 : 1)) }]
          : []
      },
    }
    const run = simulateJobs({
      menu,
      gpus: 1,
      pause: seconds(30),
      policy: shareOnceTwo,
      jobs: [job('a', 0, 200, even), job('b', 100, 1000, even)],
    })
    // a: 100 s of work by 100 s, still until 130 s, then 100 s of work on 4g or 3g.
    const end = run.completions.find(({ id }) => id === 'a')?.end ?? 0
    expect(end).toBeCloseTo(130 + 100 / 0.6, 6)
    expect(run.pauses).toBe(2)
  })

  test('a suspended job keeps its work and resumes after a pause', () => {
    // Runs the newest job alone.
    const newest: JobPolicy = {
      name: 'newest first',
      start: () => [whole],
      decide: ({ gpus, waiting }) => [
        { gpu: 0, layout: whole, jobs: [waiting.concat(gpus[0]?.jobs[0] ?? []).toSorted((a, b) => b - a)[0]] },
      ],
    }
    const run = simulateJobs({
      menu,
      gpus: 1,
      pause: seconds(30),
      policy: newest,
      jobs: [job('a', 0, 100), job('b', 60, 10)],
    })
    expect(run.completions).toEqual([
      { id: 'b', arrival: 60, end: 70 },
      { id: 'a', arrival: 0, end: 140 },
    ])
  })
})

const broken = (slots: GpuSlots): JobPolicy => ({
  name: 'broken',
  start: () => [whole],
  decide: () => [{ gpu: 0, ...slots }],
})

const runBroken = (slots: GpuSlots, jobs: readonly SliceJob[]): unknown =>
  simulateJobs({ menu, gpus: 1, pause: seconds(0), policy: broken(slots), jobs })

describe('what cannot run is reported, not waited for', () => {
  test.each([
    ['fits no profile', job('x', 0, 10, [0, 0, 0, 0, 0]), 'it fits no profile of this board'],
    ['negative work', job('x', 0, -1), 'its arrival, work or speeds are not finite numbers of at least 0'],
    ['arrives never', job('x', Number.NaN, 1), 'its arrival, work or speeds are not finite numbers of at least 0'],
  ])('%s', (_, bad, because) => {
    const run = simulateJobs({
      menu,
      gpus: 2,
      pause: seconds(30),
      policy: septetJobPolicy(),
      jobs: [bad, job('y', 0, 10)],
    })
    expect(run.refused).toEqual([{ id: 'x', because }])
    expect(run.completions.map(({ id }) => id)).toEqual(['y'])
  })

  test('a job too large for every instance of a static layout, and a fleet without GPUs', () => {
    const large = job('large', 0, 10, [0, 0, 0, 0, 1])
    const policy = staticPolicy([layoutOf('4g.20gb', '3g.20gb')])
    const run = simulateJobs({ menu, gpus: 1, pause: seconds(30), policy, jobs: [large, job('small', 1, 10)] })
    expect(run.refused.map(({ id }) => id)).toEqual(['large'])
    const none = simulateJobs({ menu, gpus: 0, pause: seconds(30), policy: septetJobPolicy(), jobs: [large] })
    expect([none.refused.length, meanCompletion(none)]).toEqual([1, undefined])
  })

  test('a policy that overlaps instances or places a job where it does not fit is stopped', () => {
    const four = layoutOf('4g.20gb', '3g.20gb')[0]
    if (four === undefined) throw new Error('no 4g')
    expect(() => runBroken({ layout: [...whole, four], jobs: [0, undefined] }, [job('a', 0, 1)])).toThrow(
      /GPU|slices|overlap/u,
    )
    expect(() => runBroken({ layout: layoutOf('4g.20gb', '3g.20gb'), jobs: [0, 0] }, [job('a', 0, 1)])).toThrow(
      'two instances',
    )
    expect(() =>
      runBroken({ layout: layoutOf('4g.20gb', '3g.20gb'), jobs: [0, undefined] }, [job('a', 0, 1, [0, 0, 0, 0, 1])]),
    ).toThrow('does not fit')
  })
})

test('the best static layout is no worse than whole GPUs', () => {
  fc.assert(
    fc.property(
      jobLists.filter((jobs) => jobs.length > 0),
      (jobs) => {
        const search = { menu, jobs, gpus: 2, pause: seconds(30) }
        const best = bestStatic(search)
        const alone = meanCompletion(simulateJobs({ ...search, policy: wholeGpuPolicy(menu) })) ?? 0
        expect(best && meanCompletion(best)).toBeLessThanOrEqual(alone)
      },
    ),
    { numRuns: 10, seed: 8 },
  )
})
