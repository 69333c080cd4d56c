import { instant, planAppointment, seconds, type AppointmentAnswer, type AppointmentAsk } from '@septet/domain'
import { fencedFleet, runFenced, type FencedOutcome } from '@septet/domain/testing'

import type { Benchmark, Figure } from './benchmark.ts'
import { quantile } from './quantile.ts'

const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
const HOURS = 1000
const NODES = 16
const LARGE_NODES = 625
const HOUR = 3600
const ASKED: readonly Pick<AppointmentAsk, 'gpus' | 'perNode'>[] = [
  { gpus: 64, perNode: 8 },
  { gpus: 512, perNode: 8 },
  { gpus: 2000, perNode: 8 },
  { gpus: 512, perNode: 4 },
  { gpus: 512, perNode: 1 },
]

/** Whether appointments are kept, and what they cost: on a make-believe cluster over 10,000 hours, and on one large fleet. */
export const benchmark: Benchmark = {
  name: 'appointments',
  description: `Appointments for GPUs: ${SEEDS.length * HOURS} simulated hours on ${NODES * 8} GPUs where work comes and goes, and plans on ${LARGE_NODES * 8} GPUs.`,
  run: async () => [...kept(), ...large()],
}

function kept(): readonly Figure[] {
  const runs = SEEDS.map((seed) =>
    runFenced({
      seed,
      hours: HOURS,
      nodes: NODES,
      arrivals: 0.2,
      appointments: 8,
      ...(seed % 2 === 0 ? { longest: seconds(12 * HOUR) } : {}),
    }),
  )
  const sum = (of: (run: FencedOutcome) => number): number => runs.reduce((total, run) => total + of(run), 0)
  const planned = sum(({ asked, refused }) => asked - refused)
  return [
    {
      name: 'promises broken: GPUs not free, lost meanwhile, or somebody evicted who was let in',
      figure: sum(({ faults }) => faults.length),
      unit: 'faults',
      aim: 'none',
      seeds: SEEDS.length,
      note: `${SEEDS.length * HOURS} simulated hours; nobody else takes from disruption budgets; every second seed has no work longer than 12 hours, and closes nodes later`,
    },
    { name: 'appointments kept', figure: sum((run) => run.kept), unit: 'appointments' },
    {
      name: 'appointments that could not be had, and were told so',
      figure: sum((run) => run.refused),
      unit: 'appointments',
    },
    {
      name: 'plans proven to evict the fewest pods',
      figure: (100 * sum(({ proven }) => proven)) / planned,
      unit: '%',
    },
    { name: 'pods evicted for an appointment', figure: sum((run) => run.evicted) / planned, unit: 'pods' },
    { name: 'pods let in behind fences', figure: sum((run) => run.backfilled), unit: 'pods' },
    {
      name: 'GPU-hours that these used, of those that would have stood idle',
      figure: (100 * sum((run) => run.backfilledHours)) / sum((run) => run.idleHours),
      unit: '%',
    },
    { name: 'pods that arrived', figure: sum((run) => run.arrived), unit: 'pods' },
  ]
}

function large(): readonly Figure[] {
  const fleets = SEEDS.map((seed) => fencedFleet(seed, LARGE_NODES))
  return ASKED.flatMap(({ gpus, perNode }) => {
    const what = `${gpus} GPUs in parts of ${perNode}`
    const ask: AppointmentAsk = { gpus, perNode, at: instant(24 * HOUR * 1000), length: seconds(8 * HOUR) }
    const times: number[] = []
    const answers = fleets.map((snapshot): AppointmentAnswer => {
      const start = performance.now()
      const answer = planAppointment({ snapshot, ask, maxDisplaced: Infinity })
      times.push(performance.now() - start)
      return answer
    })
    const found = answers.flatMap((answer) => (answer.kind === 'found' ? [answer] : []))
    const gaps = found.map(({ moves, bound }) => (moves === 0 ? 0 : (100 * (moves - bound)) / moves))
    return [
      { name: `${what}: median`, figure: quantile(times, 0.5), unit: 'ms', seeds: SEEDS.length },
      { name: `${what}: slowest`, figure: Math.max(...times), unit: 'ms' },
      { name: `${what}: plans found`, figure: found.length, unit: `of ${SEEDS.length}` },
      {
        name: `${what}: evictions above the bound, worst`,
        figure: Math.max(0, ...gaps),
        unit: '%',
        note: `${found.filter(({ moves, bound }) => moves === bound).length} proven fewest, ${found.filter(({ boundBy }) => boundBy === 'prices').length} bounds by prices; evictions ${found.map(({ moves }) => moves).join(', ')}`,
      },
    ]
  })
}
