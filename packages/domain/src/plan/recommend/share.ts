import { unsoundNode } from '../../cluster/soundness.ts'
import { plural } from '../../words.ts'
import type { GpuPart } from '../../analyze/gpu-parts.ts'
import { sumUsage, totalsOf } from '../../analyze/usage-sum.ts'
import { SPAN_SECONDS } from '../../analyze/usage.ts'
import type { GpuNode } from '../../cluster/node.ts'
import type { Pod } from '../../cluster/workload.ts'
import { migSupport } from '../../gpu/mig-support.ts'
import { compareText, ratio } from '../../units.ts'
import { memoryOfDevice } from './memory-of-device.ts'
import { confidenceOf, type Proposal } from './proposal.ts'
import { type RecommendContext, slackFor } from './recommend-context.ts'

/** Measured hours of every pod before sharing is proposed. */
const LEAST_HOURS = 24
/** Share of the time since a pod's first row that must have been measured: a gap may hide the peak. */
const LEAST_COVERAGE = 0.9
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
  const mostBusy = MOST_BUSY / slackFor(context, 'share', `node/${node.name}`)
  const replicas = replicasFor(known, { memory: memoryOfDevice(first) ?? 0, mostBusy })
  const gpus = Math.ceil(parts.length / replicas)
  const freed = parts.length - gpus
  if (freed < 1) return undefined
  const hours = Math.min(...known.map((use) => use.hours))
  const coverage = Math.min(...known.map((use) => use.coverage))
  return {
    kind: 'share',
    object: `node/${node.name}`,
    title: `Share the GPUs of ${node.name} among ${first.namespace}'s pods, ${replicas} to a GPU`,
    message: `${parts.length} pods of ${first.namespace} hold a GPU each and keep it ${meanBusy(known)}% busy on average. ${plural(gpus, 'GPU')} would do for them; ${freed} would be free for more work of ${first.namespace}. Shared GPUs have no isolation, so no other namespace may use the node.`,
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
    displaces: parts.length,
    gain: {
      freed: [{ gpus: freed, pool: first.pool, model: first.model }],
      shown: {
        kind: 'none',
        brings: `frees ${plural(freed, 'GPU')}`,
        because:
          'Pods on a shared GPU slow one another down by an amount that their separate history cannot predict, so no saving is estimated.',
      },
    },
    confidence: confidenceOf(hours, LEAST_HOURS, coverage),
  }
}

/**
 * Whole GPUs of one model, held by one namespace alone, none shared yet, and surely without MIG: where a board may have
 * it, instances isolate what replicas do not. Every pod of the node holds one GPU, and it is known which.
 */
function canShare(node: GpuNode, parts: readonly GpuPart[], { podsOn, faulty }: RecommendContext): boolean {
  const [first] = parts
  if (first === undefined || parts.length < 2 || !parts.every((part) => isAlike(part, first))) return false
  if (unsoundNode(node) !== undefined || node.sharing.kind !== 'none') return false
  if (migSupport(first.model).kind !== 'none' || memoryOfDevice(first) === undefined) return false
  if (node.gpus.some(({ id, model }) => faulty.has(id) || model !== first.model)) return false
  return holdOneEach(parts, podsOn.get(node.name) ?? [])
}

function holdOneEach(parts: readonly GpuPart[], pods: readonly Pod[]): boolean {
  const holders = new Set(parts.map(({ pod }) => pod))
  return (
    holders.size === parts.length &&
    pods.length === parts.length &&
    pods.every(({ id, requests }) => holders.has(id) && requests.length === 1 && requests[0]?.count === 1)
  )
}

const isAlike = ({ namespace, profile, share: part }: GpuPart, first: GpuPart): boolean =>
  namespace === first.namespace && profile === '' && part === 1

type Use = {
  readonly busy: number
  readonly memoryPeak: number
  readonly hours: number
  readonly coverage: number
  readonly rows: number
}

/** What a pod made of its GPU; undefined where too little is known to say. */
function useOf({ workload, pod, gpu, node }: GpuPart, context: RecommendContext): Use | undefined {
  const { rowsOf, window } = context
  const own = (rowsOf.get(workload) ?? []).filter((row) => row.pod === pod && row.gpu === gpu)
  const [first] = own
  const sum = sumUsage(totalsOf(own, []))
  const hours = sum.measuredSeconds / 3600
  if (first === undefined || sum.memoryPeak === undefined || sum.measuredGpuSeconds === 0) return undefined
  // The first bucket counts from when the pod was there in it; what is missing since is a gap, the newest hours too.
  const since = (window.to - first.at) / 1000 - SPAN_SECONDS[first.span] + first.present
  const coverage = Math.min(1, sum.measuredSeconds / Math.max(1, since))
  if (hours < LEAST_HOURS || coverage < LEAST_COVERAGE * slackFor(context, 'share', `node/${node}`)) return undefined
  return {
    busy: sum.busyGpuSeconds / sum.measuredGpuSeconds,
    memoryPeak: sum.memoryPeak,
    hours,
    coverage,
    rows: own.length,
  }
}

/** The most pods that any one GPU could take: even the hungriest ones together stay within memory and compute. */
function replicasFor(
  uses: readonly Use[],
  { memory, mostBusy }: { readonly memory: number; readonly mostBusy: number },
): number {
  const byMemory = uses.map((use) => use.memoryPeak).toSorted((a, b) => b - a)
  const byBusy = uses.map((use) => use.busy).toSorted((a, b) => b - a)
  let replicas = 1
  for (let count = 2; count <= Math.min(MOST_REPLICAS, uses.length); count += 1) {
    const needs = byMemory.slice(0, count).reduce((sum, value) => sum + value, 0)
    const busy = byBusy.slice(0, count).reduce((sum, value) => sum + value, 0)
    if (needs <= MOST_MEMORY * memory && busy <= mostBusy) replicas = count
  }
  return replicas
}

const meanBusy = (uses: readonly Use[]): number =>
  Math.round((uses.reduce((sum, use) => sum + use.busy, 0) / uses.length) * 1000) / 10
