import { findModel, isBeforeVolta } from '../gpu/catalog.ts'
import type { Instant, Ratio } from '../units.ts'
import type { DeviceSample, JudgedSample, Quality } from './sample.ts'

/** A sample dated later than this after now is dated in the future, milliseconds. */
const FUTURE_AFTER = 60_000
/** A sample older than this is long past, milliseconds: twice the look-back of Prometheus. */
const PAST_AFTER = 600_000

export type Circumstances = {
  readonly now: Instant
  /** Models with profiling counters: of these GPU_UTIL never stands in for busy. */
  readonly profiled: ReadonlySet<string>
  /** The value is the device's, repeated for each of its pods. */
  readonly repeated: boolean
  /** The counter says 0 and is not believed. */
  readonly stuck: boolean
  /** The node's GPUs are cut by MIG, where GPU_UTIL means nothing. */
  readonly cut: boolean
}

/** Says of one sample what its busy is worth, and takes it out unless it can be trusted. */
export function judgeDevice(sample: DeviceSample, around: Circumstances): JudgedSample {
  const { busy: _, kernelTime: __, hosts: ___, ...rest } = sample
  const busy = usableBusy(sample, around)
  const quality = qualityOf(sample, busy, around)
  return {
    ...rest,
    // Not available for MIG; some releases say 0 instead of nothing (dcgm-exporter issues 216 and 430).
    ...(sample.instance === undefined && sample.kernelTime !== undefined ? { kernelTime: sample.kernelTime } : {}),
    ...(quality.kind === 'measured' && busy !== undefined ? { busy } : {}),
    quality,
  }
}

function qualityOf(sample: DeviceSample, busy: Ratio | undefined, { now, repeated, stuck }: Circumstances): Quality {
  if (sample.at > now + FUTURE_AFTER || sample.at < now - PAST_AFTER) return { kind: 'suspect', reason: 'clock-skew' }
  if (busy === undefined) {
    const { busy: own, kernelTime } = sample.unusable ?? {}
    const reason = sample.instance === undefined ? (own ?? kernelTime) : own
    return reason === undefined ? { kind: 'missing', reason: 'not-exported' } : { kind: 'suspect', reason }
  }
  if (stuck) return { kind: 'suspect', reason: 'stuck-at-zero' }
  return repeated ? { kind: 'suspect', reason: 'not-attributable' } : { kind: 'measured' }
}

/** Whole GPUs without profiling counters have only GPU_UTIL, the share of time in which any kernel ran. */
function usableBusy(sample: DeviceSample, { profiled, cut }: Circumstances): Ratio | undefined {
  if (sample.busy !== undefined || sample.unusable?.busy !== undefined) return sample.busy
  if (sample.instance !== undefined || cut) return undefined
  return hasCounters(sample.model, profiled) ? undefined : sample.kernelTime
}

/** GPUs before Volta have none; of others it is known once one device of the model has shown them. */
function hasCounters(modelName: string, profiled: ReadonlySet<string>): boolean {
  const model = findModel(modelName)
  return (model === undefined || !isBeforeVolta(model)) && profiled.has(modelName)
}
