import { demandKey, GPU_MILLI, type Demand } from '../place/demand.ts'
import { at, firstWholeGpus, fitsGpu, fitsNode, type ShareFleet, type Spot } from '../place/fleet.ts'
import type { Chooser } from './policy.ts'

/** How a policy judges a demand on a node where it fits; `gpu` is the one GPU to share, -1 for other demands. */
export type Score = (demand: Demand, node: number, gpu: number) => number

/**
 * Chooses the spot with the lowest score; ties go to the lower node, then the lower GPU. Scores are kept per kind of
 * demand and computed again only for nodes that changed since, so a decision costs a scan over numbers. At most
 * `mostScores` are kept.
 */
export function scoredChooser(fleet: ShareFleet, score: Score, mostScores = MOST_SCORES): ScoredChooser {
  const known = new Map<string, Scores>()
  const mostKnown = Math.max(1, Math.floor(mostScores / Math.max(1, fleet.nodes.length)))
  const scoresOf = (demand: Demand): Scores => {
    const key = demandKey(demand)
    const scores = known.get(key) ?? emptyScores(fleet)
    // The kind that was asked for longest ago is the first; it is judged again when it comes back.
    known.delete(key)
    known.set(key, scores)
    for (const oldest of known.keys()) {
      if (known.size <= mostKnown) break
      known.delete(oldest)
    }
    refresh({ fleet, score, demand }, scores)
    return scores
  }
  return {
    choose: (demand) => {
      const scores = scoresOf(demand)
      const node = leastOf(scores.value)
      return node === -1 ? undefined : spotOn(fleet, demand, { node, scores })
    },
    forget: () => known.clear(),
  }
}

/** `forget` where the way to judge changed. */
export type ScoredChooser = Chooser & { forget(): void }

/** Scores kept at once, of 13 bytes each: every kind of demand of openb-2023 on ten times its nodes, and bounded beyond. */
const MOST_SCORES = 16_000_000

type Scores = { readonly value: Float64Array; readonly gpu: Int32Array; readonly stale: Uint8Array; seen: number }

type Judging = { readonly fleet: ShareFleet; readonly score: Score; readonly demand: Demand }

function emptyScores({ nodes, changes }: ShareFleet): Scores {
  const size = nodes.length
  return {
    value: new Float64Array(size),
    gpu: new Int32Array(size),
    stale: new Uint8Array(size),
    seen: -changes.length - 1,
  }
}

function refresh(judging: Judging, scores: Scores): void {
  const { changes, changeCount, nodes } = judging.fleet
  if (changeCount - scores.seen > changes.length) {
    for (let node = 0; node < nodes.length; node += 1) judge(judging, scores, node)
  } else {
    // A node that changed often since is judged once.
    for (let change = scores.seen; change < changeCount; change += 1)
      scores.stale[at(changes, change % changes.length)] = 1
    for (let change = scores.seen; change < changeCount; change += 1) {
      const node = at(changes, change % changes.length)
      if (scores.stale[node] === 1) judge(judging, scores, node)
    }
  }
  scores.seen = changeCount
}

function judge({ fleet, score, demand }: Judging, scores: Scores, node: number): void {
  scores.stale[node] = 0
  scores.value[node] = Infinity
  scores.gpu[node] = -1
  if (!fitsNode(fleet, demand, node)) return
  if (demand.gpu.kind !== 'share') {
    scores.value[node] = score(demand, node, -1)
    return
  }
  const end = at(fleet.firstGpu, node + 1)
  let emptyTried = false
  for (let gpu = at(fleet.firstGpu, node); gpu < end; gpu += 1) {
    const empty = fleet.milliFree[gpu] === GPU_MILLI
    if ((empty && emptyTried) || !fitsGpu(fleet, demand, gpu)) continue
    emptyTried ||= empty
    const value = score(demand, node, gpu)
    if (value < at(scores.value, node) || scores.gpu[node] === -1) {
      scores.value[node] = value
      scores.gpu[node] = gpu
    }
  }
}

function leastOf(value: Float64Array): number {
  let best = -1
  let least = Infinity
  for (let node = 0; node < value.length; node += 1) {
    const candidate = at(value, node)
    if (candidate >= least) continue
    least = candidate
    best = node
  }
  return best
}

function spotOn(fleet: ShareFleet, { gpu }: Demand, { node, scores }: { node: number; scores: Scores }): Spot {
  if (gpu.kind === 'none') return { node, gpus: [] }
  if (gpu.kind === 'share') return { node, gpus: [at(scores.gpu, node)] }
  return { node, gpus: firstWholeGpus(fleet, node, gpu.count) }
}
