import { plural } from '@septet/domain/words'
import { checkStart, estimateWait, instant, seconds, type ClusterSnapshot, type PastWait } from '@septet/domain'

import type { Benchmark, Figure } from './benchmark.ts'
import { quantile } from './quantile.ts'
import { randomFrom } from './random-from.ts'
import {
  drawQueue,
  HELD_OUT_KINDS,
  replayQueue,
  type QueuedJob,
  TUNING_KINDS,
  type QueueKind,
  type QueueOrder,
} from './replayed-queues.ts'
import { readCsv, type CsvTable } from './placement/csv-table.ts'
import { drawnDeployment, fullFleet, mixedFleet, NODES } from './start-fleets.ts'
import { hasTrace, readTrace } from './trace-file.ts'

const ASKED = 300
const SEEDS = [1, 2, 3, 4, 5]
const HELD_OUT_SEEDS = [101, 102, 103]
const JOBS = 900

/** How long an answer takes on a large fleet, and how often work that waits starts inside the interval that it was told. */
export const benchmark: Benchmark = {
  name: 'will-it-start',
  description: `Whether and when a job starts on ${NODES * 8} GPUs: simulated queues of ${JOBS} jobs, some of shapes the method was not tuned on, and two public traces.`,
  run: () => Promise.resolve([...speed(), ...coverage()]),
}

function speed(): readonly Figure[] {
  const random = randomFrom(8)
  return [
    ...speedOn('a fleet with room here and there', mixedFleet(random), () => drawnDeployment(random, 40)),
    ...speedOn('a full fleet, where moves are looked for', fullFleet(random), () => drawnDeployment(random, 1)),
  ]
}

function speedOn(name: string, base: ClusterSnapshot, jobs: () => Parameters<typeof checkStart>[1]): readonly Figure[] {
  const times = Array.from({ length: ASKED }, () => {
    // Every snapshot is new to it, as after each turn of the pipeline.
    const snapshot = { ...base }
    const asked = jobs()
    const began = performance.now()
    checkStart(snapshot, asked)
    return performance.now() - began
  })
  return [
    { name: `answer on ${name}, median`, figure: quantile(times, 0.5), unit: 'ms' },
    { name: 'the same, p99', figure: quantile(times, 0.99), unit: 'ms', aim: '≤ 50 ms' },
  ]
}

const share = (list: readonly boolean[]): number => (100 * list.filter(Boolean).length) / Math.max(1, list.length)

function coverage(): readonly Figure[] {
  return [
    ...coverageOf('tuning queues', TUNING_KINDS.map((kind) => kind.name).join(', '), drawnQueues(TUNING_KINDS, SEEDS)),
    ...coverageOf(
      'held-out queues',
      HELD_OUT_KINDS.map((kind) => kind.name).join(', '),
      drawnQueues(HELD_OUT_KINDS, HELD_OUT_SEEDS),
    ),
    ...traces(),
  ]
}

type Queue = readonly PastWait[]

const drawnQueues = (kinds: readonly QueueKind[], seeds: readonly number[]): readonly Queue[] =>
  kinds.flatMap((kind) =>
    seeds.map((seed) => replayQueue(drawQueue(kind, JOBS, randomFrom(seed)), kind.gpus, kind.order)),
  )

const ORDERS: readonly QueueOrder[] = ['first-fit', 'strict', 'shortest']
/** The jobs of Philly keep 128 GPUs busy on average: on these they wait for hours, on fewer for weeks. */
const PHILLY_GPUS = 256
const PHILLY_OVERLOADED = 144

function traces(): readonly Figure[] {
  const [recorded, jobs] = [readOpenbWaits(), readPhillyJobs()]
  const replayed = (gpus: number): readonly Queue[] =>
    jobs === undefined ? [] : ORDERS.map((order) => replayQueue(jobs, gpus, order))
  return [
    ...(recorded === undefined
      ? []
      : coverageOf('recorded waits of openb 2023', 'a real cluster of 6,212 GPUs', [recorded])),
    ...coverageOf(`Philly jobs on ${PHILLY_GPUS} GPUs`, ORDERS.join(', '), replayed(PHILLY_GPUS)),
    ...coverageOf(
      `Philly jobs on ${PHILLY_OVERLOADED} GPUs`,
      `${ORDERS.join(', ')}; a backlog of weeks, for which the past says little`,
      replayed(PHILLY_OVERLOADED),
    ),
  ]
}

function coverageOf(name: string, note: string, queues: readonly Queue[]): readonly Figure[] {
  const asked = queues.map(told)
  const judged = asked.map((each) => each.filter((inside) => inside !== undefined))
  const all = judged.flat()
  if (all.length === 0) return []
  const inside: Figure = {
    name: `waits inside their 80 % interval, ${name}`,
    figure: share(all),
    unit: '%',
    aim: '75 to 85 %',
    note: `${all.length} waits of ${plural(judged.length, 'queue')}, ${asked.flat().length - all.length} more were told that it is not known: ${note}`,
  }
  return [inside]
}

/** Of each wait: whether it ended inside the interval that it was told when it began; undefined where it was told none. */
const told = (waits: Queue): readonly (boolean | undefined)[] =>
  waits.flatMap((wait) => {
    const length = (wait.to - wait.from) / 1000
    if (length <= 30) return []
    const answer = estimateWait(waits, { now: wait.from, namespace: wait.namespace, asks: wait.asks, age: seconds(0) })
    return [answer.kind === 'known' ? length >= answer.low && length <= answer.high : undefined]
  })

/** Jobs of Philly as Muri (SIGCOMM 2022) gives them, in the order of coming; undefined where the trace is not here. */
const readPhillyJobs = (): readonly QueuedJob[] | undefined =>
  rowsOf('philly-derived-muri', 'trace1.csv', ['submit_time', 'num_gpu', 'duration'])
    ?.map((row) => ({
      at: Number(row.text('submit_time')),
      gpus: Number(row.text('num_gpu')),
      runs: Number(row.text('duration')),
    }))
    .toSorted((a, b) => a.at - b.at)

/**
 * What pods of a real cluster waited between their creation and their binding: Alibaba `cluster-trace-gpu-v2023`, by class
 * of service and what of GPUs they asked for; undefined where the trace is not here.
 */
const readOpenbWaits = (): readonly PastWait[] | undefined =>
  rowsOf('openb-2023', 'openb_pod_list_default.csv', ['num_gpu', 'gpu_milli', 'qos', 'creation_time', 'scheduled_time'])
    ?.filter((row) => row.text('num_gpu') !== '0' && row.text('scheduled_time') !== '')
    .map((row) => ({
      namespace: row.text('qos'),
      asks: row.text('num_gpu') === '1' ? `${row.text('gpu_milli')} milli` : `${row.text('num_gpu')} × nvidia.com/gpu`,
      from: instant(Number(row.text('creation_time')) * 1000),
      to: instant(Number(row.text('scheduled_time')) * 1000),
      over: true,
    }))
    .toSorted((a, b) => a.from - b.from)

function rowsOf(set: string, name: string, columns: readonly string[]): CsvTable['rows'] | undefined {
  if (!hasTrace({ set, name })) return undefined
  const { rows, problems } = readCsv(readTrace({ set, name }), name, columns)
  if (rows.length === 0) throw new Error(problems.join('\n'))
  return rows
}
