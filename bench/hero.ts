import {
  boardFor,
  comparePolicies,
  heroStream,
  mib,
  POLICIES,
  seededChance,
  ratio,
  type Demand,
  type FleetNode,
} from '@septet/domain'

import type { Benchmark, Figure } from './benchmark.ts'
import { machineLoad } from './machine-load.ts'

const FRAME_BUDGET = 50
/** What a page would give the comparison of each frame. */
const WORK_MILLISECONDS = 8
const SEEDS = [1, 2, 3, 4, 5]
const FLEETS = [16, 32]
const COMPARED = ['random', 'best-fit', 'fgd', 'septet']
const STREAM_FRAMES = 600

/** What the site's hero and a what-if screen wait for: an opening and a frame, on small fleets, cold first. */
export const benchmark: Benchmark = {
  name: 'hero',
  description:
    `A seeded fleet of ${FLEETS.join(' and ')} GPUs drawn frame by frame, seeds ${SEEDS.join(', ')}: four policies ` +
    `compared in slices of ${WORK_MILLISECONDS} ms, and the hero's stream; the first run is cold.`,
  run: () => {
    const load = machineLoad()
    const figures = FLEETS.flatMap((gpus) => {
      // The baseline first: it also pays for code that both need.
      const alone = comparisonFrames(gpus, ['best-fit'])
      const four = comparisonFrames(gpus, COMPARED)
      return [
        ...figuresOf(`comparison of ${COMPARED.length} policies, ${gpus} GPUs`, four, alone),
        ...figuresOf(`the same not in slices, ${gpus} GPUs`, comparisonFrames(gpus, COMPARED, POD_BY_POD), alone),
        ...figuresOf(`hero stream, ${gpus} GPUs`, streamFrames(gpus), alone),
      ]
    })
    return Promise.resolve([load, ...figures])
  },
}

/** Milliseconds by the wall clock and of this thread's processor time. */
type Cost = { readonly wall: number; readonly processor: number }

type Frames = { readonly openings: Cost[]; readonly frames: Cost[] }

type Advance = (comparison: ReturnType<typeof comparePolicies>) => boolean

const IN_SLICES: Advance = (comparison) => {
  const end = performance.now() + WORK_MILLISECONDS
  return comparison.advanceWhile(() => performance.now() < end)
}
const POD_BY_POD: Advance = (comparison) => comparison.advance(1)

function comparisonFrames(gpus: number, names: readonly string[], advance = IN_SLICES): Frames {
  const policies = POLICIES.filter(({ name }) => names.includes(name))
  const taken: Frames = { openings: [], frames: [] }
  for (const seed of SEEDS) {
    const input = { ...smallTrace(gpus, seed), policies, seed, ratio: 1.3, recordAt: [100] }
    const { result: comparison, cost } = timed(() => comparePolicies(input))
    taken.openings.push(cost)
    let left = true
    while (left) {
      const frame = timed(() => {
        const more = advance(comparison)
        for (const simulation of comparison.simulations) simulation.now()
        return more
      })
      taken.frames.push(frame.cost)
      left = frame.result
    }
  }
  return taken
}

function streamFrames(gpus: number): Frames {
  const taken: Frames = { openings: [], frames: [] }
  const board = boardFor('A100-SXM4-80GB')
  if (board === undefined) throw new Error('the A100-80GB is not among the known boards')
  for (const seed of SEEDS) {
    const opened = timed(() => heroStream({ seed, board, voices: gpus, mix: ratio(0.2), keep: 300 }))
    taken.openings.push(opened.cost)
    for (let frame = 0; frame < STREAM_FRAMES; frame += 1) taken.frames.push(timed(() => opened.result.advance(1)).cost)
  }
  return taken
}

function timed<Result>(work: () => Result): { result: Result; cost: Cost } {
  const processorBefore = process.threadCpuUsage()
  const begun = performance.now()
  const result = work()
  const wall = performance.now() - begun
  const { user, system } = process.threadCpuUsage(processorBefore)
  return { result, cost: { wall, processor: (user + system) / 1000 } }
}

function figuresOf(name: string, { openings, frames }: Frames, alone: Frames): Figure[] {
  const seconds = frames.reduce((sum, { processor }) => sum + processor, 0) / 1000
  const rate = `${frames.length} frames, ${Math.round(frames.length / seconds)} in a second of processor time`
  const worst = (what: 'openings' | 'frames', clock: keyof Cost, note?: string): Figure => {
    const most = ({ [what]: costs }: Frames): number => Math.max(...costs.map((cost) => cost[clock]))
    return {
      name: `${name}: worst ${what === 'frames' ? 'frame' : 'opening'}, ${clock === 'wall' ? 'wall clock' : 'processor time'}`,
      figure: most({ openings, frames }),
      unit: 'ms',
      baseline: { name: 'best-fit alone, compared', figure: most(alone) },
      aim: `under ${FRAME_BUDGET} ms`,
      seeds: SEEDS.length,
      ...(note === undefined ? {} : { note }),
    }
  }
  return [
    worst('openings', 'wall'),
    worst('openings', 'processor'),
    worst('frames', 'wall', rate),
    worst('frames', 'processor'),
  ]
}

/** Nodes of four GPUs, and a list of pods like a mixed cluster's: whole GPUs, shares, some for one model only. */
function smallTrace(gpus: number, seed: number): { nodes: FleetNode[]; pods: Demand[] } {
  const random = seededChance(seed)
  const nodes = Array.from({ length: gpus / 4 }, (_, index): FleetNode => {
    const model = index % 2 === 0 ? 'A' : 'B'
    return { id: `node-${index}`, cpuMilli: 64_000, memory: mib(512 * 1024), model, pool: model, gpus: 4 }
  })
  const pods = Array.from({ length: 200 }, (_, index): Demand => {
    const milli = SHARES[Math.floor(random() * SHARES.length)] ?? 1000
    return {
      id: `pod-${index}`,
      cpuMilli: 1000 * (1 + Math.floor(8 * random())),
      memory: mib(4096),
      gpu: milli < 1000 ? { kind: 'share', milli } : { kind: 'whole', count: random() < 0.2 ? 2 : 1 },
      models: random() < 0.2 ? ['A'] : [],
      tenant: undefined,
    }
  })
  return { nodes, pods }
}

const SHARES = [1000, 1000, 810, 650, 500, 460, 330, 250, 100]
