import type { Partition } from '../cluster/node.ts'
import { onceFor } from '../once-for.ts'
import type { Ratio } from '../units.ts'
import type { Field } from './fields.ts'
import { type SampleField, SAMPLE_FIELDS } from './field-values.ts'
import { type GpuPart, seriesOf } from './gpu-parts.ts'
import type { JudgedSample, QualityReason } from './sample.ts'

/** What one reading says about one part of a GPU. `reason` is there when `busy` is not. */
export type PartTelemetry = {
  readonly busy: Ratio | undefined
  readonly reason: QualityReason | undefined
  /** The sample that is about it, and which of that one's fields can be believed of it. */
  readonly sample: JudgedSample | undefined
  readonly believed: Readonly<Record<Field['of'], boolean>>
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

/** As much of a part as tells which series is about it. */
type Measurable = Pick<GpuPart, 'gpu' | 'kind' | 'pod' | 'series' | 'among'>

/** What the reading says about a part. Parts that no series is about (uncut, stranded, down) have nothing to miss. */
export function telemetryOf(part: Measurable, index: SampleIndex): PartTelemetry {
  if (part.among !== undefined) return agreedIn(index)(part.among)
  if (part.series.kind === 'none') return SILENT
  const gpu = index.get(part.gpu)
  if (gpu === undefined) return MISSING['no-telemetry']
  if (part.series.kind === 'replica') return replicaTelemetry(part, gpu)
  const sample = part.series.kind === 'gpu' ? gpu.whole : gpu.instances.get(part.series.instance)
  if (sample === undefined) return MISSING[part.series.kind === 'gpu' ? 'no-telemetry' : 'missing-instance']
  return judged(sample, part.series.kind === 'gpu')
}

/** Many parts are guessed among the same devices. */
const agreedIn = onceFor((index: SampleIndex) =>
  onceFor((among: readonly Partition[]) =>
    agreed(among.map((each) => telemetryOf({ gpu: each.gpu, kind: 'held', pod: '', series: seriesOf(each) }, index))),
  ),
)

/** What is true of a part whichever of these it is: the fields in which all agree, if busy is one of them. */
function agreed(all: readonly PartTelemetry[]): PartTelemetry {
  const [first] = all
  if (first === undefined || all.every(({ busy, reason }) => busy === undefined && reason === first.reason))
    return first ?? SILENT
  const samples = all.flatMap(({ busy, sample }) => (busy === undefined ? [] : (sample ?? [])))
  if (samples.length < all.length || first.sample === undefined || !agreeOn('busy', samples))
    return MISSING['holders-inferred']
  const sample = { ...first.sample }
  for (const field of SAMPLE_FIELDS) if (!agreeOn(field, samples)) delete sample[field]
  return { ...first, sample }
}

/** Equal but for a hundredth: of the whole for ratios, of the larger for others. */
function agreeOn(field: SampleField, samples: readonly JudgedSample[]): boolean {
  const values = samples.flatMap((sample) => sample[field] ?? [])
  const most = Math.max(...values)
  return values.length === samples.length && most - Math.min(...values) <= 0.01 * Math.max(1, most)
}

/** A replica's own series exists only under `--kubernetes-virtual-gpus`; a free replica has nothing to be measured. */
function replicaTelemetry({ kind, pod }: Measurable, { pods }: GpuSamples): PartTelemetry {
  if (kind !== 'held') return SILENT
  const sample = pods.get(pod)
  return sample === undefined ? MISSING['not-attributable'] : judged(sample, false)
}

function judged(sample: JudgedSample, board: boolean): PartTelemetry {
  const { quality, busy } = sample
  const believed = board ? OF_GPU : OF_PART
  if (quality.kind === 'measured' && busy !== undefined)
    return { busy, reason: undefined, sample, believed: believed.all }
  const reason = quality.kind === 'measured' ? 'not-exported' : quality.reason
  // A counter that is missing or stuck says nothing against the memory reading beside it; a stale target does.
  return { busy: undefined, reason, sample, believed: DEVICE_STANDS.has(reason) ? believed.device : believed.rest }
}

/** The board's fields are told by every instance, and believed of whole GPUs only. */
const believing = (board: boolean) => ({
  all: { engine: true, device: true, board },
  device: { engine: false, device: true, board },
  rest: { engine: false, device: false, board },
})
const OF_GPU = believing(true)
const OF_PART = believing(false)

const DEVICE_STANDS: ReadonlySet<QualityReason> = new Set(['not-exported', 'stuck-at-zero', 'out-of-range'])

const nothing = (reason: QualityReason | undefined): PartTelemetry => ({
  busy: undefined,
  reason,
  sample: undefined,
  believed: OF_PART.rest,
})
const SILENT = nothing(undefined)
const MISSING = {
  'no-telemetry': nothing('no-telemetry'),
  'missing-instance': nothing('missing-instance'),
  'not-attributable': nothing('not-attributable'),
  'holders-inferred': nothing('holders-inferred'),
} as const
