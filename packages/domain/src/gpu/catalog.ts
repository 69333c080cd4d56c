import { AMD } from './catalog/amd.ts'
import { INTEL } from './catalog/intel.ts'
import { NVIDIA_CONSUMER } from './catalog/nvidia-consumer.ts'
import { NVIDIA_DATA_CENTER } from './catalog/nvidia-data-center.ts'
import { NVIDIA_EDGE } from './catalog/nvidia-edge.ts'
import { NVIDIA_WORKSTATION } from './catalog/nvidia-workstation.ts'
import type { GpuModel } from './gpu-model.ts'
import { modelKey } from './product-name.ts'
import { virtualGpu } from './virtual-gpu.ts'

/** Every GPU model we know by name. */
export const GPU_MODELS: readonly GpuModel[] = [
  ...NVIDIA_DATA_CENTER,
  ...NVIDIA_WORKSTATION,
  ...NVIDIA_CONSUMER,
  ...NVIDIA_EDGE,
  ...AMD,
  ...INTEL,
]

/**
 * The model behind a name: the exporter's `modelName`, the product label with any MIG or sharing suffix, another vendor's
 * label, or our own catalog name. Matched whole, never in part; a vGPU by its board. Undefined for a name that we do not
 * know and for one that several models share (`AMD Instinct MI60 / MI50`).
 */
export function findModel(label: string): GpuModel | undefined {
  const known = found.get(label)
  if (known !== undefined) return known
  const models = modelsByKey.get(modelKey(label)) ?? []
  const model = models.length === 0 ? virtualGpu(label, findModel) : models.length === 1 ? models[0] : undefined
  if (model !== undefined && found.size < MOST_SPELLINGS) found.set(label, model)
  return model
}

/** The same few spellings are asked for with every sample of every GPU. */
const found = new Map<string, GpuModel>()
const MOST_SPELLINGS = 1000

/** What an AMD GPU is called of which a label says the PCI device id alone. */
export const amdDevice = (id: string): string => `AMD device ${id.toLowerCase().replace(/^0x/u, '')}`

/** Kepler, Maxwell and Pascal have no profiling counters, so `GPU_UTIL` is all there is to measure. */
export const isBeforeVolta = (model: GpuModel): boolean => BEFORE_VOLTA.has(model.architecture)

const BEFORE_VOLTA: ReadonlySet<string> = new Set(['Kepler', 'Maxwell', 'Pascal'])

const modelsByKey = byKey(GPU_MODELS)

function byKey(models: readonly GpuModel[]): ReadonlyMap<string, readonly GpuModel[]> {
  const index = new Map<string, GpuModel[]>()
  for (const model of models) {
    const devices = model.vendor === 'AMD' ? model.pciIds.map(amdDevice) : []
    const names = [model.name, model.nvmlName, model.gfdProduct, ...model.labels, ...devices]
    const keys = new Set(names.flatMap((name) => (name === undefined ? [] : modelKey(name))))
    for (const key of keys) index.set(key, [...(index.get(key) ?? []), model])
  }
  return index
}
