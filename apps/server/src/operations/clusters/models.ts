import type { modelsList, OutputOf } from '@septet/contract'
import { boardFor, GPU_MODELS, type Range } from '@septet/domain'

/** The GPU catalog. */
export function listModels(): OutputOf<typeof modelsList> {
  return {
    models: GPU_MODELS.map((model) => ({
      name: model.name,
      vendor: model.vendor,
      architecture: model.architecture,
      memoryGb: rangeView(model.memory),
      tdpWatts: rangeView(model.tdp),
      mig: model.mig,
      profiles: boardFor(model)?.profiles.map((profile) => profile.name) ?? [],
      unverified: [...model.unverified],
    })),
  }
}

const rangeView = (range: Range<number> | undefined): { min: number; max: number } | null =>
  range === undefined ? null : { min: range.min, max: range.max }
