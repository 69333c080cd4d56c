import type { Mib, Ratio, Watts } from '../units.ts'
import type { GpuPart } from './gpu-parts.ts'
import type { JudgedSample, QualityReason } from './sample.ts'

/** What one reading says about one part of a GPU. `reason` is there when `busy` is not. */
export type PartTelemetry = {
  readonly busy: Ratio | undefined
  readonly effective: Ratio | undefined
  readonly memoryUsed: Mib | undefined
  readonly power: Watts | undefined
  readonly reason: QualityReason | undefined
}

/** The samples of one reading, ready to be asked about parts. */
export type SampleIndex = ReadonlyMap<string, GpuSamples>
type GpuSamples = {
  whole: JudgedSample | undefined
  readonly instances: Map<string, JudgedSample>
  readonly pods: Map<string, JudgedSample>
}

/** Indexes samples by device; of several about one device the first measured one counts. */
export function indexSamples(samples: readonly JudgedSample[]): SampleIndex {
  const index = new Map<string, GpuSamples>()
  for (const sample of samples) {
    const gpu = index.get(sample.gpu) ?? { whole: undefined, instances: new Map(), pods: new Map() }
    index.set(sample.gpu, gpu)
    if (sample.instance !== undefined) keepBetter(gpu.instances, sample.instance.id, sample)
    else if (sample.vgpu !== undefined && sample.holder !== undefined) {
      keepBetter(gpu.pods, `${sample.holder.namespace}/${sample.holder.pod}`, sample)
    } else if (gpu.whole?.quality.kind !== 'measured') gpu.whole = sample
  }
  return index
}

function keepBetter(samples: Map<string, JudgedSample>, key: string, sample: JudgedSample): void {
  if (samples.get(key)?.quality.kind !== 'measured') samples.set(key, sample)
}

/** What the reading says about a part. Parts that no series is about (uncut, stranded, down) have nothing to miss. */
export function telemetryOf(part: GpuPart, index: SampleIndex): PartTelemetry {
  if (part.series.kind === 'none') return SILENT
  const gpu = index.get(part.gpu)
  if (gpu === undefined) return MISSING['no-telemetry']
  if (part.series.kind === 'replica') return replicaTelemetry(part, gpu)
  const sample = part.series.kind === 'gpu' ? gpu.whole : gpu.instances.get(part.series.instance)
  if (sample === undefined) return MISSING[part.series.kind === 'gpu' ? 'no-telemetry' : 'missing-instance']
  return { ...judged(sample), power: part.series.kind === 'gpu' ? sample.power : undefined }
}

/** A replica's own series exists only under `--kubernetes-virtual-gpus`; a free replica has nothing to be measured. */
function replicaTelemetry({ kind, pod }: GpuPart, { pods }: GpuSamples): PartTelemetry {
  if (kind !== 'held') return SILENT
  const sample = pods.get(pod)
  return sample === undefined ? MISSING['not-attributable'] : { ...judged(sample), power: undefined }
}

function judged({ quality, busy, effective, memoryUsed }: JudgedSample): Omit<PartTelemetry, 'power'> {
  if (quality.kind === 'measured' && busy !== undefined) {
    return { busy, effective, memoryUsed, reason: undefined }
  }
  const reason = quality.kind === 'measured' ? 'not-exported' : quality.reason
  // A counter that is missing or stuck says nothing against the memory reading beside it; a stale target does.
  const memory = MEMORY_STANDS.has(reason) ? memoryUsed : undefined
  return { busy: undefined, effective: undefined, memoryUsed: memory, reason }
}

const MEMORY_STANDS: ReadonlySet<QualityReason> = new Set(['not-exported', 'stuck-at-zero', 'out-of-range'])

const nothing = (reason: QualityReason | undefined): PartTelemetry => ({
  busy: undefined,
  effective: undefined,
  memoryUsed: undefined,
  power: undefined,
  reason,
})
const SILENT = nothing(undefined)
const MISSING = {
  'no-telemetry': nothing('no-telemetry'),
  'missing-instance': nothing('missing-instance'),
  'not-attributable': nothing('not-attributable'),
} as const
