import { findModel, isBeforeVolta } from '../gpu/catalog.ts'
import { seconds } from '../units.ts'
import { clampRatio } from './figure.ts'
import { type Measurements, measurements } from './field-values.ts'
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

type Judged = Measurements & Pick<UsageRow, 'measured' | 'reason'>

/** The measurements of a series of the past: those that can be trusted, and why the others are not there. */
export function judgeHistory(usage: HistoricUsage, judgement: HistoryJudgement): Judged {
  const { busy, reason } = busyOf(usage, judgement)
  const isMeasured = busy !== undefined
  const believed = { engine: isMeasured, device: true, board: usage.instance === undefined }
  return {
    measured: seconds(isMeasured ? usage.observedSeconds : 0),
    reason: usage.pod === '' ? undefined : reason,
    ...measurements(({ name, of, unit }) => {
      const told = name === 'busy' ? busy : name === 'busyPeak' ? (usage.busyPeak ?? busy) : usage[name]
      const value = believed[of] ? told : undefined
      return unit === 'ratio' && value !== undefined ? clampRatio(value) : value
    }),
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
