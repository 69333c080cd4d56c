import { compareText, type Mib } from '../../units.ts'

/** What one pod asks of a fleet at the moment that it arrives. */
export type Demand = {
  readonly id: string
  /** Thousandths of a core. */
  readonly cpuMilli: number
  readonly memory: Mib
  readonly gpu: GpuDemand
  /** GPU models that it may run on; empty: any. */
  readonly models: readonly string[]
  /** Software shares of one GPU never cross tenants. Undefined is a tenant of its own. */
  readonly tenant: string | undefined
}

export type GpuDemand =
  | { readonly kind: 'none' }
  /** So many GPUs of one node, each wholly free. */
  | { readonly kind: 'whole'; readonly count: number }
  /** Thousandths of one GPU, under 1000. */
  | { readonly kind: 'share'; readonly milli: number }

/** Demands with equal needs have equal keys; who asks is no need, except for the tenant of a share. */
export function demandKey({ cpuMilli, memory, gpu, models, tenant }: Demand): string {
  const shared = gpu.kind === 'share' ? `|${tenant ?? ''}` : ''
  const limits = models.length > 1 ? models.toSorted(compareText).join(',') : (models[0] ?? '')
  return `${cpuMilli}|${memory}|${gpuKey(gpu)}|${limits}${shared}`
}

/** Thousandths of a GPU that a demand takes: 2500 would be two and a half GPUs. */
export function gpuMilliOf(gpu: GpuDemand): number {
  if (gpu.kind === 'none') return 0
  return gpu.kind === 'whole' ? gpu.count * GPU_MILLI : gpu.milli
}

export const GPU_MILLI = 1000

function gpuKey(gpu: GpuDemand): string {
  if (gpu.kind === 'none') return 'none'
  return gpu.kind === 'whole' ? `${gpu.count}x` : `${gpu.milli}m`
}
