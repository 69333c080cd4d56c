import { plural } from '../../words.ts'
import { compareText } from '../../units.ts'
import { askProblem, profilesFor, type PlaceAsk, type PlacedPod, type PlaceNode } from '../place/place-index-ask.ts'
import { fitsIn, nodeRefusal } from '../../cluster/node-rules.ts'
import type { IndexedGpu, IndexedNode } from '../place/place-index-view.ts'
import { WHOLE_GPU } from '../../gpu/whole-gpu.ts'
import { explainGpu, whyNot } from './explain-gpu.ts'

/** Why a pod goes where it goes, or why it fits nowhere. */
export type PodExplanation = {
  readonly kind: 'placed' | 'fits-nowhere' | 'not-a-request'
  /** GPUs that could take it. */
  readonly candidates: number
  /** GPUs that could not, by reason, most first. Together with the candidates they are all GPUs. */
  readonly refusals: readonly NodeRefusal[]
  /** The same for people, the answer first. */
  readonly sentences: readonly string[]
}

export type NodeRefusal = {
  readonly because: string
  readonly gpus: number
  readonly nodes: number
  /** One of the nodes. */
  readonly example: string
}

/** Explains against the nodes as they were before the pod was placed; `placed` undefined: no place was found. */
export function explainPod(
  nodes: readonly IndexedNode[],
  ask: PlaceAsk,
  placed: PlacedPod | undefined,
): PodExplanation {
  const problem = askProblem(ask)
  if (problem !== undefined) return { kind: 'not-a-request', candidates: 0, refusals: [], sentences: [`${problem}.`] }
  const found = new Map<string, Tally>()
  let candidates = 0
  for (const view of nodes) {
    const reasons = reasonsOf(view, ask)
    candidates += reasons.filter((reason) => reason === undefined).length
    for (const reason of reasons) if (reason !== undefined) add(found, reason, view.node.id)
  }
  const refusals = [...found]
    .map(([because, { gpus, on }]): NodeRefusal => ({ because, gpus, nodes: on.size, example: [...on][0] ?? '' }))
    .toSorted((a, b) => b.gpus - a.gpus || compareText(a.because, b.because))
  const answer = placed === undefined ? nowhere(nodes, candidates) : why(nodes, placed, candidates)
  const sentences = [...answer, ...refusals.map(refusalSentence)]
  return { kind: placed === undefined ? 'fits-nowhere' : 'placed', candidates, refusals, sentences }
}

type Tally = { gpus: number; readonly on: Set<string> }

function add(found: Map<string, Tally>, because: string, node: string): void {
  const tally = found.get(because) ?? { gpus: 0, on: new Set<string>() }
  found.set(because, tally)
  tally.gpus += 1
  tally.on.add(node)
}

/** For each GPU of a node the first filter that it fails; undefined where it passes all. */
function reasonsOf(view: IndexedNode, ask: PlaceAsk): ReadonlyArray<string | undefined> {
  const node = nodeReason(view, ask)
  return view.gpus.map((gpu) => node ?? gpuReason(view, gpu, ask))
}

function nodeReason({ node, cpuFree, memoryFree, gpus }: IndexedNode, { models, scheduling, wants }: PlaceAsk) {
  if (models.length > 0 && !models.includes(node.model)) return `model ${node.model} is not among ${models.join(', ')}`
  const refused = nodeRefusal(scheduling, node.room)
  if (refused !== undefined) return refused
  // Amounts differ from node to node: the reason names the request, so that equal reasons add up.
  if (!fitsIn(scheduling.cpuMilli, cpuFree)) return `fewer than ${scheduling.cpuMilli / 1000} CPU free on the node`
  if (!fitsIn(scheduling.memory, memoryFree)) return `less than ${scheduling.memory} MiB of memory free on the node`
  if (wants.kind !== 'whole') return undefined
  const free = gpus.filter(isWhollyFree).length
  return free < wants.count ? `${free} of ${wants.count} wholly free GPUs on the node` : undefined
}

function gpuReason({ node }: IndexedNode, gpu: IndexedGpu, ask: PlaceAsk): string | undefined {
  const { wants, tenant } = ask
  if (wants.kind === 'whole') return isWhollyFree(gpu) ? undefined : 'GPU in use or cut'
  if (gpu.kind === 'held') return 'one pod holds the whole GPU'
  if (wants.kind === 'share') return shareReason(gpu, wants.milli, tenant)
  const whole = wants.kind === 'any' && wants.of.some((fit) => fit.model === node.model && fit.profile === WHOLE_GPU)
  if (!whole) return instanceReason(node, gpu, ask)
  return isWhollyFree(gpu) || instanceReason(node, gpu, ask) === undefined ? undefined : 'not wholly free'
}

function instanceReason({ board, model }: PlaceNode, gpu: LooseGpu, { wants }: PlaceAsk): string | undefined {
  const profiles = board === undefined ? [] : profilesFor(board, wants, model)
  if (board === undefined || profiles.length === 0) return `${model} has no profile that would do`
  if (gpu.kind === 'shared') return 'not in MIG mode'
  const reasons = profiles.map((profile) => whyNot(board, gpu, profile))
  return reasons.includes(undefined) ? undefined : reasons[0]
}

type LooseGpu = Exclude<IndexedGpu, { readonly kind: 'held' }>

function shareReason(gpu: IndexedGpu, milli: number, tenant: string | undefined): string | undefined {
  if (gpu.kind !== 'shared') return 'in MIG mode, so software does not divide it'
  if (gpu.holder !== undefined && gpu.holder.tenant !== (tenant ?? '')) {
    return 'shared by another tenant, and software sharing never crosses tenants'
  }
  return gpu.freeMilli < milli ? `less than ${milli} thousandths of the GPU free` : undefined
}

function isWhollyFree(gpu: IndexedGpu): boolean {
  if (gpu.kind === 'shared') return gpu.freeMilli === 1000
  return gpu.kind === 'dynamic' && gpu.instances.length === 0
}

function nowhere(nodes: readonly IndexedNode[], candidates: number): readonly string[] {
  const gpus = nodes.reduce((sum, view) => sum + view.gpus.length, 0)
  if (candidates > 0) return [`${candidates} of ${plural(gpus, 'GPU')} can take it now.`]
  return [`It fits on none of ${plural(gpus, 'GPU')} on ${plural(nodes.length, 'node')}.`]
}

function why(
  nodes: readonly IndexedNode[],
  { node, gpus, instance, loss }: PlacedPod,
  candidates: number,
): readonly string[] {
  const view = nodes.find((one) => one.node.id === node)
  const gpu = view?.gpus.find(({ id }) => id === gpus[0])
  const shape = instance === undefined ? '' : ` as ${instance.profile} at memory slice ${instance.placement.start}`
  const choice = `of ${plural(candidates, 'GPU')} that could take it, none loses less room that others may ask for`
  const first = `Placed on ${node}, ${gpus.join(', ')}${shape}: ${choice} (${Math.max(0, loss).toPrecision(2)}, in GPUs times price).`
  if (
    view === undefined ||
    gpu === undefined ||
    instance === undefined ||
    gpu.kind === 'held' ||
    gpu.kind === 'shared'
  ) {
    return [first]
  }
  const instances =
    gpu.kind === 'dynamic'
      ? [...gpu.instances, { instance, held: true }]
      : gpu.instances.map((one) => (one.instance === instance ? { ...one, held: true } : one))
  return [
    first,
    `That GPU afterwards: ${explainGpu(view.node.board, { ...gpu, instances })
      .sentences.slice(0, 2)
      .join(' ')}`,
  ]
}

const refusalSentence = ({ because, gpus, nodes, example }: NodeRefusal): string =>
  `${plural(gpus, 'GPU')} on ${nodes} ${nodes === 1 ? `node (${example})` : `nodes (${example}, …)`}: ${because}.`
