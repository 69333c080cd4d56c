import { type ClusterSnapshot, repack, type RepackGoal, unblock } from '@septet/domain'

import { plainRepack, plainUnblock } from '@septet/domain/testing'
import type { Benchmark, Figure } from './benchmark.ts'
import { machineLoad } from './machine-load.ts'
import { quantile } from './quantile.ts'
import { makeRepackFleet } from './repack-fleet.ts'

const SEEDS = [1, 2, 3]
/** GPUs, and pods that wait. */
const TINY = { gpus: 100, waiting: 10 }
const SIZES = [TINY, { gpus: 1000, waiting: 50 }, { gpus: 10_000, waiting: 200 }]
/** Parts of the instances that are held. */
const HELD = [0.95, 1]
const MOST_MOVES = 5
/** The plain scan, timed at the smallest size only, stops a search after so many rooms; without that it does not end. */
const PLAIN_TRIES = 100
const GOALS: readonly RepackGoal[] = [
  { kind: 'free-gpu' },
  { kind: 'free-node' },
  { kind: 'room-for', profile: '4g.20gb' },
]

/** How long it takes to start waiting work and to free something, beside a scan of every GPU for every pod. */
export const benchmark: Benchmark = {
  name: 'repack',
  description:
    'unblock and repack on generated clusters of five models, from a snapshot to the answer, with at most five moves: 100 to 10,000 GPUs, 95% and 100% of the instances held.',
  run: () =>
    Promise.resolve([machineLoad(), ...HELD.flatMap((held) => SIZES.flatMap((size) => measure({ ...size, held })))]),
}

type Size = { readonly gpus: number; readonly waiting: number; readonly held: number }

function measure(size: Size): Figure[] {
  const clusters = SEEDS.map((seed) => makeRepackFleet(seed, size))
  // The first call of a process also compiles; the server asks once a minute.
  for (const cluster of clusters.slice(0, 2)) answerAll(cluster)
  const unblocked = clusters.map((cluster) => timed(() => unblock(cluster, MOST_MOVES)))
  const repacked = clusters.flatMap((cluster) => GOALS.map((goal) => timed(() => repack(cluster, goal, MOST_MOVES))))
  const pods = clusters[0]?.pods.length ?? 0
  const words = `${size.gpus.toLocaleString('en-US')} GPUs, ${size.held * 100} % held`
  const [first] = clusters
  const plain = size.gpus > TINY.gpus || first === undefined ? undefined : plainly(first)
  const waits = unblocked.map(({ answer }) => answer.waits)
  const open = waits.flat().filter(({ because }) => because.startsWith('not looked at')).length
  const started = unblocked.reduce((sum, { answer }) => sum + answer.starts.length, 0)
  return [
    ...figuresOf(`${words}: unblock`, unblocked, {
      aim: '≤ 300 ms at 10,000 GPUs',
      note: `${pods.toLocaleString('en-US')} pods, ${size.waiting} wait; over all seeds ${started} workloads start, ${waits.flat().length} wait, ${open} of these without all moves tried`,
      plain: plain?.unblock,
    }),
    ...figuresOf(`${words}: repack`, repacked, {
      aim: '≤ 200 ms at 10,000 GPUs',
      note: `${GOALS.map(({ kind }) => kind).join(', ')}; ${repacked.filter(({ answer }) => answer.kind === 'found').length} of ${repacked.length} found`,
      plain: plain?.repack,
    }),
  ]
}

function answerAll(cluster: ClusterSnapshot): void {
  unblock(cluster, MOST_MOVES)
  for (const goal of GOALS) repack(cluster, goal, MOST_MOVES)
}

function plainly(cluster: ClusterSnapshot): Record<'unblock' | 'repack', number> {
  return {
    unblock: timed(() => plainUnblock(cluster, MOST_MOVES, PLAIN_TRIES)).wall,
    repack: quantile(
      GOALS.map((goal) => timed(() => plainRepack(cluster, goal, MOST_MOVES)).wall),
      0.5,
    ),
  }
}

type Timed<T> = { readonly answer: T; readonly wall: number; readonly processor: number }

/** Milliseconds; processor time counts the collector's threads too, and is not stretched by a busy machine. */
function timed<T>(work: () => T): Timed<T> {
  const before = process.cpuUsage()
  const start = performance.now()
  const answer = work()
  const wall = performance.now() - start
  const { user, system } = process.cpuUsage(before)
  return { answer, wall, processor: (user + system) / 1000 }
}

type Words = { readonly aim: string; readonly note: string; readonly plain: number | undefined }

function figuresOf(name: string, times: readonly Timed<unknown>[], { aim, note, plain }: Words): Figure[] {
  const walls = times.map(({ wall }) => wall)
  const common = { unit: 'ms', seeds: SEEDS.length }
  const baseline =
    plain === undefined
      ? {}
      : { baseline: { name: `plain scan (one seed, ${PLAIN_TRIES} rooms a search)`, figure: plain } }
  return [
    { ...common, name: `${name}, median`, figure: quantile(walls, 0.5), aim, note, ...baseline },
    { ...common, name: `${name}, slowest`, figure: quantile(walls, 1) },
    {
      ...common,
      name: `${name}, processor time, median`,
      figure: quantile(
        times.map(({ processor }) => processor),
        0.5,
      ),
    },
  ]
}
