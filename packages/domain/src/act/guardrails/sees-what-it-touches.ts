import type { GpuPart } from '../../analyze/gpu-parts.ts'
import { indexSamples, type SampleIndex, telemetryOf } from '../../analyze/part-telemetry.ts'
import { QUALITY_REASONS, type QualityReason } from '../../analyze/sample.ts'
import { type ActContext, type ActRule, refusing } from './act-context.ts'
import { asHealthy } from './as-healthy.ts'
import { partsOn } from './parts-on.ts'

/** A sample older than this says nothing about now, milliseconds. */
const FRESH_MS = 300_000

/** How busy the touched GPUs are is measured now: unknown is never idle. */
export const seesWhatItTouches: ActRule = (context) => {
  const { snapshot, state, samples, now } = context
  const touched = new Set(context.touched.gpus)
  const fresh = indexSamples(samples.filter(({ gpu, at }) => touched.has(gpu) && now - at <= FRESH_MS))
  const nodes = snapshot.nodes.filter(({ gpus }) => gpus.some(({ id }) => touched.has(id))).map(asHealthy)
  for (const part of partsOn(nodes, state)) {
    const reason = touched.has(part.gpu) ? unknownReason(part, fresh) : undefined
    if (reason !== undefined) return refusing('telemetry-unknown', wordsFor(part, reason, context))
  }
  return undefined
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
