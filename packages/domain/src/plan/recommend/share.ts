import type { GpuPart } from '../../analyze/gpu-parts.ts'
import { sumUsage, totalsOf } from '../../analyze/usage-sum.ts'
import type { GpuNode } from '../../cluster/node.ts'
import { findModel } from '../../gpu/catalog.ts'
import { boardFor } from '../../gpu/known-boards.ts'
import { compareText, ratio } from '../../units.ts'
import { confidenceOf, type Proposal } from './proposal.ts'
import type { RecommendContext } from './recommend-context.ts'

/** Measured hours of every pod before sharing is proposed. */
const LEAST_HOURS = 24
/** Sum of mean busy and of memory peaks that the pods on one GPU may reach. */
const MOST_BUSY = 0.65
const MOST_MEMORY = 0.9
/** More replicas than this make one pod wait for many. */
const MOST_REPLICAS = 4

/**
 * Nodes without MIG on which pods of one namespace each hold a whole GPU that they use partly and by turns: let them share.
 * Never across namespaces, as replicas are not isolated; where a board has MIG, right-size isolates them instead.
 */
export function share(context: RecommendContext): readonly Proposal[] {
  const byNode = Map.groupBy(
    context.parts.filter(({ kind }) => kind === 'held'),
    ({ node }) => node,
  )
  return [...byNode]
    .toSorted(([a], [b]) => compareText(a, b))
    .flatMap(([name, parts]) => {
      const node = context.nodes.get(name)
      return node === undefined ? [] : (proposalFor(node, parts, context) ?? [])
    })
}

function proposalFor(node: GpuNode, parts: readonly GpuPart[], context: RecommendContext): Proposal | undefined {
  const [first] = parts
  if (first === undefined || !canShare(node, parts, context)) return undefined
  const uses = parts.map((part) => useOf(part, context))
  const known = uses.filter((use) => use !== undefined)
  if (known.length < uses.length) return undefined
  const replicas = replicasFor(known, memoryOf(first.model))
  const gpus = Math.ceil(parts.length / replicas)
  const freed = parts.length - gpus
  if (freed < 1) return undefined
  const hours = Math.min(...known.map((use) => use.hours))
  const coverage = Math.min(...known.map((use) => use.coverage))
  const pool = first.pool
  return {
    kind: 'share',
    object: `node/${node.name}`,
    title: `Share the GPUs of ${node.name} among ${first.namespace}'s pods, ${replicas} to a GPU`,
    message: `${parts.length} pods of ${first.namespace} hold a GPU each and keep it ${meanBusy(known)} % busy. ${gpus} GPUs would do; ${freed} would be free. Shared GPUs have no isolation, so only this namespace may use the node.`,
    rule: { name: 'share', version: 1 },
    evidence: {
      query: `DCGM_FI_PROF_GR_ENGINE_ACTIVE{Hostname="${node.name}"}`,
      window: context.window,
      samples: known.reduce((sum, use) => sum + use.rows, 0),
      coverage: ratio(coverage),
      figures: {
        pods: parts.length,
        'mean busy of a GPU, %': meanBusy(known),
        'highest memory peak of a pod, MiB': Math.round(Math.max(...known.map((use) => use.memoryPeak))),
        'least history of a pod, h': Math.round(hours),
      },
    },
    wishes: [
      { kind: 'share', node: node.name, to: { kind: 'time-slicing', replicas }, tenant: first.namespace, moves: [] },
    ],
    gain: {
      gpus: freed,
      pool,
      model: first.model,
      shown: {
        kind: 'none',
        because:
          'Pods on a shared GPU slow one another down by an amount that their past apart cannot tell, so no saving is promised.',
      },
    },
    confidence: confidenceOf(hours, LEAST_HOURS, coverage),
  }
}

/** Whole GPUs of one namespace alone, on a board that MIG cannot cut, none shared yet. */
function canShare(node: GpuNode, parts: readonly GpuPart[], { podsOn }: RecommendContext): boolean {
  const [first] = parts
  if (first === undefined || !node.ready || node.sharing.kind !== 'none') return false
  if (boardFor(first.model) !== undefined || memoryOf(first.model) === undefined) return false
  const alone = parts.every(
    ({ namespace, profile, share: part }) => namespace === first.namespace && profile === '' && part === 1,
  )
  const pods = podsOn.get(node.name) ?? []
  return (
    alone &&
    parts.length > 1 &&
    pods.every(({ namespace, requests }) => namespace === first.namespace && requests[0]?.count === 1)
  )
}

type Use = {
  readonly busy: number
  readonly memoryPeak: number
  readonly hours: number
  readonly coverage: number
  readonly rows: number
}

/** What a pod made of its GPU; undefined where too little is known to say. */
function useOf({ workload, pod }: GpuPart, { rowsOf }: RecommendContext): Use | undefined {
  const own = (rowsOf.get(workload) ?? []).filter((row) => row.pod === pod)
  const sum = sumUsage(totalsOf(own, []))
  const hours = sum.measuredSeconds / 3600
  if (sum.memoryPeak === undefined || sum.measuredGpuSeconds === 0 || hours < LEAST_HOURS) return undefined
  return {
    busy: sum.busyGpuSeconds / sum.measuredGpuSeconds,
    memoryPeak: sum.memoryPeak,
    hours,
    coverage: sum.measuredSeconds / sum.seconds,
    rows: own.length,
  }
}

/** The most pods that any one GPU could take: even the hungriest ones together stay within memory and compute. */
function replicasFor(uses: readonly Use[], memory: number | undefined): number {
  const byMemory = uses.map((use) => use.memoryPeak).toSorted((a, b) => b - a)
  const byBusy = uses.map((use) => use.busy).toSorted((a, b) => b - a)
  let replicas = 1
  for (let count = 2; count <= Math.min(MOST_REPLICAS, uses.length); count += 1) {
    const needs = byMemory.slice(0, count).reduce((sum, value) => sum + value, 0)
    const busy = byBusy.slice(0, count).reduce((sum, value) => sum + value, 0)
    if (needs <= MOST_MEMORY * (memory ?? 0) && busy <= MOST_BUSY) replicas = count
  }
  return replicas
}

/** Memory of a GPU in MiB: as a driver reported it, else a little under what is on the box; undefined where not known. */
function memoryOf(label: string): number | undefined {
  const model = findModel(label)
  if (model === undefined) return undefined
  return model.reportedMemory ?? (model.memory === undefined ? undefined : model.memory.min * 950)
}

const meanBusy = (uses: readonly Use[]): number =>
  Math.round((uses.reduce((sum, use) => sum + use.busy, 0) / uses.length) * 1000) / 10
