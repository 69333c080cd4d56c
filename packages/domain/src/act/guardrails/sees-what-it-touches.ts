import { type GpuPart, partsOfSnapshot } from '../../analyze/gpu-parts.ts'
import { indexSamples, type SampleIndex, telemetryOf } from '../../analyze/part-telemetry.ts'
import { DEFAULT_POLICY } from '../../analyze/policy.ts'
import { QUALITY_REASONS, type QualityReason } from '../../analyze/sample.ts'
import type { GpuNode } from '../../cluster/node.ts'
import { gpuOf, holdersOf, type Fleet } from '../../fleet/fleet.ts'
import { firstReason } from '../../plan/guardrail/guardrail.ts'
import { percent } from '../../words.ts'
import type { ActContext, ActRule } from './act-context.ts'
import { asHealthy } from './as-healthy.ts'

/** A sample older than this says nothing about now, milliseconds. */
const FRESH_MS = 300_000

/** How busy the touched GPUs are is measured now: unknown is never idle. */
export const seesWhatItTouches: ActRule = (context) => {
  const { snapshot, state, samples, now } = context
  const touched = new Set(context.touched.gpus)
  const fresh = indexSamples(samples.filter(({ gpu, at }) => touched.has(gpu) && now - at <= FRESH_MS))
  const nodes = snapshot.nodes.filter(({ gpus }) => gpus.some(({ id }) => touched.has(id))).map(asHealthy)
  const unknown = firstReason(partsOn(nodes, state), (part) => {
    const reason = touched.has(part.gpu) ? unknownReason(part, fresh) : undefined
    return reason && wordsFor(part, reason, context)
  })
  return unknown ?? whyNotItsOwn(context)
}

/** A pod that exporters name on a GPU besides those that it holds: one of the two lies, and how busy the pod is is unknown. */
function whyNotItsOwn({ state, samples, touched, now }: ActContext): string | undefined {
  const pods = new Set(touched.pods)
  const named = samples.flatMap(({ gpu, holder, at }) => {
    const pod = holder === undefined ? '' : `${holder.namespace}/${holder.pod}`
    return pods.has(pod) && now - at <= FRESH_MS ? { gpu, pod } : []
  })
  return firstReason(named, ({ gpu: id, pod }) => {
    const gpu = gpuOf(state, id)
    const isItsOwn = gpu !== undefined && holdersOf(state, gpu).includes(pod)
    const isUnplaced = (state.allocations.get(pod) ?? []).length === 0
    return isItsOwn || isUnplaced
      ? undefined
      : `It is unknown how busy ${pod} is: exporters name it on GPU ${id} as well, which it does not hold. Keep one exporter per node. Nothing changes there until they agree.`
  })
}

/** Whose pods share a GPU need not be told apart, as long as the GPU itself is measured. */
function unknownReason(part: GpuPart, index: SampleIndex): QualityReason | undefined {
  const { reason } = telemetryOf(part, index)
  const isMeasured = index.get(part.gpu)?.whole?.quality.kind === 'measured'
  return reason === 'not-attributable' && isMeasured ? undefined : reason
}

const wordsFor = ({ gpu, node }: GpuPart, reason: QualityReason, { samples }: ActContext): string => {
  const isOld = reason === 'no-telemetry' && samples.some((sample) => sample.gpu === gpu)
  const why = isOld ? QUALITY_REASONS['stale-target'] : QUALITY_REASONS[reason]
  return `It is unknown how busy GPU ${gpu} on ${node} is: ${why} Nothing changes there until it is measured again.`
}

/** What Septet approved itself stops no work that is busy at that moment, though it may idle most of its time. */
export const stopsByItselfOnlyWhatRests: ActRule = (context) =>
  context.approval?.kind === 'septet' ? whyNotNow(context) : undefined

function whyNotNow({ run, state, snapshot, samples }: ActContext): string | undefined {
  const stopped = new Set(
    run.plan.steps.flatMap(({ action }) => (action.kind === 'scale' && action.to === 0 ? action.workload : [])),
  )
  if (stopped.size === 0) return undefined
  const touched = new Set([...state.pods.values()].flatMap(({ workload, node }) => (stopped.has(workload) ? node : [])))
  const nodes = snapshot.nodes.filter(({ name }) => touched.has(name))
  const gpus = new Set(nodes.flatMap((node) => node.gpus.map(({ id }) => id)))
  const index = indexSamples(samples.filter(({ gpu }) => gpus.has(gpu)))
  return firstReason(partsOn(nodes, state), (part) => {
    const { busy = 0 } = stopped.has(part.workload) ? telemetryOf(part, index) : {}
    return busy <= DEFAULT_POLICY.idle.threshold
      ? undefined
      : `${part.pod} is ${percent(busy, 0)} busy now, so it is not stopped. Septet waits until it rests.`
  })
}

/** The parts of all GPUs of some nodes of a cluster, without looking through the others. */
function partsOn(nodes: readonly GpuNode[], state: Fleet): readonly GpuPart[] {
  const partitions = nodes.flatMap(({ gpus }) => gpus.flatMap((gpu) => gpu.partitions.map(({ id }) => id)))
  const held = new Set(partitions)
  const pods = new Set(partitions.flatMap((id) => state.holders.get(id) ?? []))
  const allocations = [...pods].flatMap((pod) => state.allocations.get(pod) ?? [])
  return partsOfSnapshot({
    nodes,
    allocations: allocations.filter(({ partition }) => held.has(partition)),
    workloads: [...new Set(allocations.map(({ workload }) => workload))].flatMap((id) => state.workloads.get(id) ?? []),
  })
}
