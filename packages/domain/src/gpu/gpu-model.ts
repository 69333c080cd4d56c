import type { Mib, Ratio, Watts } from '../units.ts'

/**
 * A GPU model's catalog entry. The figures are what its maker or a table of parts says, for simulation and for clusters
 * that we cannot ask; on a live node its own labels win.
 */
export type GpuModel = {
  /** Our name, unique: the product label without `NVIDIA-` or `Tesla-`. `A100-SXM4-80GB`, `T4`, `GeForce-RTX-4090`. */
  readonly name: string
  readonly vendor: Vendor
  readonly class: GpuClass
  /** NVIDIA's name for the generation; for others the name and the compiler's target, `CDNA3 / gfx942`. */
  readonly architecture: string
  /** Gigabytes of one GPU as marketed, not usable; a range where variants share the name. Undefined: not known. */
  readonly memory: Range<number> | undefined
  /** Memory that a driver or a cloud reported for it. */
  readonly reportedMemory: Mib | undefined
  /** True when GPU and CPU share this memory. */
  readonly unifiedMemory: boolean
  /** Power limit of what `tdpOf` names. Undefined: not known. */
  readonly tdp: Range<Watts> | undefined
  readonly tdpOf: 'gpu' | 'board' | 'module'
  readonly gpusPerBoard: number
  /** `likely`: the same silicon as a board that can, but nobody published a table. Only NVIDIA's GPUs have MIG. */
  readonly mig: 'yes' | 'no' | 'likely' | 'unknown'
  /** How another vendor's GPU can be divided, in that vendor's words. */
  readonly partitioning: string | undefined
  /** As NVML and so the exporter's `modelName` spell it. Undefined for other vendors. */
  readonly nvmlName: string | undefined
  /** As `nvidia.com/gpu.product` spells it on a whole, unshared GPU. Undefined for other vendors. */
  readonly gfdProduct: string | undefined
  /** Names that other vendors' node labellers write. One label may stand for several models. */
  readonly labels: readonly string[]
  /** PCI device ids, upper-case hexadecimal; the first three. Models may share one. */
  readonly pciIds: readonly string[]
  readonly note: string | undefined
  /** A vGPU that a guest sees as its GPU: of which board, by its name, and how much of it. Absent: it is a GPU. */
  readonly partOf?: { readonly board: string; readonly share: Ratio }
  /** Values without a source, or missing. Say so wherever they are shown. */
  readonly unverified: readonly CatalogField[]
}

export type Vendor = 'NVIDIA' | 'AMD' | 'Intel'
export type GpuClass = 'data-center' | 'workstation' | 'consumer' | 'edge'
export type CatalogField = 'memory' | 'tdp' | 'mig' | 'partitioning' | 'nvmlName' | 'gfdProduct' | 'labels'

/** From `min` to `max`; equal where there is one figure. */
export type Range<T extends number> = { readonly min: T; readonly max: T }
