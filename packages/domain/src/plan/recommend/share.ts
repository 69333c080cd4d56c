import { unsoundNode } from '../../cluster/soundness.ts'
import { percent, plural } from '../../words.ts'
import type { GpuPart } from '../../analyze/gpu-parts.ts'
import { sumUsage, totalsOf } from '../../analyze/usage-sum.ts'
import { SPAN_SECONDS } from '../../analyze/usage.ts'
import type { GpuNode } from '../../cluster/node.ts'
import type { Pod } from '../../cluster/workload.ts'
import { migSupport } from '../../gpu/mig-support.ts'
import { compareText, ratio } from '../../units.ts'
import { memoryOfDevice } from './memory-of-device.ts'
import { kept, type Kept, type KeptReason } from './kept.ts'
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
 * Never across namespaces, as replicas are not isolated; where a board has MIG, right-size isolates them instead. Where a
 * board has none and they are not to share, each of them is told why.
 */
export function share(context: RecommendContext): ReadonlyArray<Proposal | Kept> {
  const byNode = Map.groupBy(
    context.parts.filter(({ kind }) => kind === 'held'),
    ({ node }) => node,
  )
  return [...byNode]
    .toSorted(([a], [b]) => compareText(a, b))
    .flatMap<Proposal | Kept>(([name, parts]) => {
      const node = context.nodes.get(name)
      const [first] = parts
      if (node === undefined || first === undefined || !isWholeWithoutMig(node, parts)) return []
      const judged = judge(node, { parts, first }, context)
      return 'reason' in judged ? keptFor(parts, judged) : judged
    })
}

/** None is shared yet, and surely none has MIG: where a board may have it, instances isolate what replicas do not. */
const isWholeWithoutMig = ({ sharing }: GpuNode, parts: readonly GpuPart[]): boolean =>
  sharing.kind === 'none' && parts.every(({ model, share: part }) => migSupport(model).kind === 'none' && part === 1)

type Why = { readonly reason: KeptReason; readonly because: string }

const keptFor = (parts: readonly GpuPart[], { reason, because }: Why): readonly Kept[] =>
  [...new Set(parts.map(({ workload }) => workload))].map((id) => kept(id, reason, `Sharing its GPU: ${because}`))

type Holders = { readonly parts: readonly GpuPart[]; readonly first: GpuPart }

function judge(node: GpuNode, { parts, first }: Holders, context: RecommendContext): Proposal | Why {
  const why = whyApart(node, parts, context)
  if (why !== undefined) return why
  const uses = parts.map((part) => useOf(part, context))
  const known = uses.flatMap((use) => (typeof use === 'string' ? [] : use))
  const unknown = uses.find((use) => typeof use === 'string')
  if (unknown !== undefined) return { reason: 'not-measured', because: unknown }
  const mostBusy = MOST_BUSY / slackFor(context, 'share', `node/${node.name}`)
  const memory = memoryOfDevice(first) ?? 0
  const replicas = replicasFor(known, { memory, mostBusy })
  const gpus = Math.ceil(parts.length / replicas)
  const freed = parts.length - gpus
  if (freed < 1) return tooMuch(known, memory)
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

/** Why pods that hold whole GPUs of a node must not share any, whatever they do with them; undefined where they may. */
function whyApart(node: GpuNode, parts: readonly GpuPart[], { podsOn, faulty }: RecommendContext): Why | undefined {
  if (unsoundNode(node) !== undefined || node.gpus.some(({ id }) => faulty.has(id))) return HAS_FAULT
  const pods = podsOn.get(node.name) ?? []
  if (new Set([...pods, ...parts].map(({ namespace }) => namespace)).size > 1) return OTHER_NAMESPACES
  if (parts.length < 2) return { reason: 'needs-size', because: 'no other pod holds a GPU of its node.' }
  if (node.gpus.some(({ model }) => model !== node.gpus[0]?.model)) return SEVERAL_MODELS
  return holdOneEach(parts, pods) ? undefined : NOT_ONE_EACH
}

const HAS_FAULT: Why = {
  reason: 'needs-size',
  because: 'its node has a fault, and nothing is changed there meanwhile.',
}
const OTHER_NAMESPACES: Why = {
  reason: 'guardrail',
  because: 'pods of several namespaces hold GPUs of its node, and shared GPUs have no isolation.',
}
const SEVERAL_MODELS: Why = { reason: 'needs-size', because: 'the GPUs of its node are of several models.' }
const NOT_ONE_EACH: Why = {
  reason: 'needs-size',
  because: 'not every pod of its node holds one GPU each that is known to be its own.',
}

function holdOneEach(parts: readonly GpuPart[], pods: readonly Pod[]): boolean {
  const holders = new Set(parts.map(({ pod }) => pod))
  return (
    holders.size === parts.length &&
    pods.length === parts.length &&
    pods.every(({ id, requests }) => holders.has(id) && requests.length === 1 && requests[0]?.count === 1)
  )
}

type Use = {
  readonly busy: number
  readonly memoryPeak: number
  readonly hours: number
  readonly coverage: number
  readonly rows: number
}

/** What a pod made of its GPU; where too little is known to say, what is missing. */
function useOf({ workload, pod, gpu, node }: GpuPart, context: RecommendContext): Use | string {
  const { rowsOf, window } = context
  const own = (rowsOf.get(workload) ?? []).filter((row) => row.pod === pod && row.gpu === gpu)
  const [first] = own
  const sum = sumUsage(totalsOf(own, []))
  const hours = sum.measuredSeconds / 3600
  if (first === undefined || sum.memoryPeak === undefined || sum.measuredGpuSeconds === 0)
    return `what ${pod} does was not measured.`
  // The first bucket counts from when the pod was there in it; what is missing since is a gap, the newest hours too.
  const since = (window.to - first.at) / 1000 - SPAN_SECONDS[first.span] + first.present
  const coverage = Math.min(1, sum.measuredSeconds / Math.max(1, since))
  if (hours < LEAST_HOURS)
    return `${pod} was measured for ${plural(Math.floor(hours), 'hour')} of the ${LEAST_HOURS} that tell.`
  if (coverage < LEAST_COVERAGE * slackFor(context, 'share', `node/${node}`))
    return `only ${percent(coverage, 0)} of the time since ${pod} was first seen is measured.`
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

/** What the two hungriest pods would need of one GPU. */
function tooMuch(uses: readonly Use[], memory: number): Why {
  const two = (of: (use: Use) => number): number =>
    uses
      .map(of)
      .toSorted((a, b) => b - a)
      .slice(0, 2)
      .reduce((sum, value) => sum + value, 0)
  const need = percent(two((use) => use.memoryPeak) / memory, 0)
  const busy = percent(
    two((use) => use.busy),
    0,
  )
  return {
    reason: 'needs-size',
    because: `two pods on one GPU could need ${need} of its memory and ${busy} of its compute; at most ${percent(MOST_MEMORY, 0)} and ${percent(MOST_BUSY, 0)} are planned.`,
  }
}

const meanBusy = (uses: readonly Use[]): number =>
  Math.round((uses.reduce((sum, use) => sum + use.busy, 0) / uses.length) * 1000) / 10
