import { demandKey, GPU_MILLI, type Demand } from '../place/demand.ts'
import { at, firstWholeGpus, fitsGpu, fitsNode, type Fleet, type Spot } from '../place/fleet.ts'
import type { Chooser } from './policy.ts'

/** How a policy judges a demand on a node where it fits; `gpu` is the one GPU to share, -1 for other demands. */
export type Score = (demand: Demand, node: number, gpu: number) => number

/**
 * Chooses the spot with the lowest score; ties go to the lower node, then the lower GPU. Scores are kept per kind of
 * demand and computed again only for nodes that changed since, so a decision costs a scan over numbers.
 */
export function scoredChooser(fleet: Fleet, score: Score): Chooser & { forget(): void } {
  const known = new Map<string, Scores>()
  return {
    choose: (demand) => {
      const key = demandKey(demand)
      let scores = known.get(key)
      if (scores === undefined) {
        scores = emptyScores(fleet)
        known.set(key, scores)
      }
      refresh({ fleet, score, demand }, scores)
      return spotOf(fleet, demand, scores)
    },
    forget: () => known.clear(),
  }
}

type Scores = { readonly value: Float64Array; readonly gpu: Int32Array; readonly stale: Uint8Array; seen: number }

type Judging = { readonly fleet: Fleet; readonly score: Score; readonly demand: Demand }

function emptyScores({ nodes, changes }: Fleet): Scores {
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

function spotOf(fleet: Fleet, { gpu }: Demand, scores: Scores): Spot | undefined {
  let best = -1
  let least = Infinity
  const { value } = scores
  for (let node = 0; node < value.length; node += 1) {
    const candidate = at(value, node)
    if (candidate < least) {
      least = candidate
      best = node
    }
  }
  if (best === -1) return undefined
  if (gpu.kind === 'none') return { node: best, gpus: [] }
  if (gpu.kind === 'share') return { node: best, gpus: [at(scores.gpu, best)] }
  return { node: best, gpus: firstWholeGpus(fleet, best, gpu.count) }
}
