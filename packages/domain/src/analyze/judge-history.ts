import { findModel, isBeforeVolta } from '../gpu/catalog.ts'
import { mib, seconds, watts } from '../units.ts'
import { clampRatio } from './figure.ts'
import type { HistoricUsage } from './historic-usage.ts'
import type { QualityReason } from './sample.ts'
import type { UsageRow } from './usage.ts'

/** What decides whether a series of the past can be believed. */
export type HistoryJudgement = {
  /** Catalog name, or as exported. */
  readonly model: string
  /** `modelName`s that export profiling counters at any time; undefined when nobody looked. */
  readonly profiledModels: ReadonlySet<string> | undefined
}

type Measurements = Pick<
  UsageRow,
  'measured' | 'busy' | 'busyPeak' | 'effective' | 'memoryUsed' | 'memoryPeak' | 'power' | 'reason'
>

/** The measurements of a series of the past: those that can be trusted, and why the others are not there. */
export function judgeHistory(usage: HistoricUsage, judgement: HistoryJudgement): Measurements {
  const { busy, reason } = busyOf(usage, judgement)
  const isMeasured = busy !== undefined
  const wholeGpu = usage.instance === undefined
  return {
    measured: seconds(isMeasured ? usage.observedSeconds : 0),
    busy: optional(busy, clampRatio),
    busyPeak: optional(isMeasured ? (usage.busyPeak ?? busy) : undefined, clampRatio),
    effective: optional(isMeasured ? usage.effective : undefined, clampRatio),
    memoryUsed: optional(usage.memoryUsedMib, mib),
    memoryPeak: optional(usage.memoryPeakMib, mib),
    // The power of an instance is that of its whole GPU: it would count once for each instance.
    power: optional(wholeGpu ? usage.powerWatts : undefined, watts),
    reason: usage.pod === '' ? undefined : reason,
  }
}

type Busy = { readonly busy: number | undefined; readonly reason: QualityReason | undefined }

function busyOf(usage: HistoricUsage, judgement: HistoryJudgement): Busy {
  if (usage.busy === undefined) return withoutProfiling(usage, judgement)
  return isStuck(usage) ? missing('stuck-at-zero') : { busy: usage.busy, reason: undefined }
}

/** Where a model has no profiling counters GPU_UTIL is all there is; under MIG it means nothing. */
function withoutProfiling(usage: HistoricUsage, { model, profiledModels }: HistoryJudgement): Busy {
  const { kernelTime, instance, modelName } = usage
  const entry = findModel(model)
  const hasNone = profiledModels?.has(modelName) === false || (entry !== undefined && isBeforeVolta(entry))
  if (instance !== undefined || kernelTime === undefined || !hasNone) return missing('not-exported')
  return { busy: kernelTime, reason: undefined }
}

/** A compute engine that is never busy on a whole GPU whose kernels run. */
const isStuck = ({ busy, busyPeak = 0, kernelTime = 0, instance }: HistoricUsage): boolean =>
  instance === undefined && busy === 0 && busyPeak === 0 && kernelTime >= VISIBLE_WORK

/** GPU_UTIL from which on a GPU visibly works, 0 to 1. */
const VISIBLE_WORK = 0.05

const missing = (reason: QualityReason): Busy => ({ busy: undefined, reason })

const optional = <Unit>(value: number | undefined, unit: (value: number) => Unit): Unit | undefined =>
  value === undefined ? undefined : unit(value)
