import type { Mib } from '../units.ts'
import { findModel } from './catalog.ts'
import type { GpuModel } from './gpu-model.ts'

/** What a cloud's own node label says about the GPU, before any GPU component runs on the node. */
export type CloudLabel =
  /** Value of `cloud.google.com/gke-accelerator`. */
  | { readonly cloud: 'gke'; readonly accelerator: string }
  /** Values of Karpenter's `karpenter.k8s.aws/instance-gpu-name` and `instance-gpu-memory`. */
  | { readonly cloud: 'aws'; readonly gpuName: string; readonly gpuMemory: Mib | undefined }

/** The model that a cloud's label names. Undefined when the value is unknown, or when several models share it. */
export function findModelByCloudLabel(label: CloudLabel): GpuModel | undefined {
  const name = label.cloud === 'gke' ? GKE.get(label.accelerator) : awsName(label.gpuName, label.gpuMemory)
  return name === undefined ? undefined : findModel(name)
}

// Without p100 and v100: the label does not say which form of them a machine has.
const GKE: ReadonlyMap<string, string> = new Map([
  ['nvidia-tesla-t4', 'T4'],
  ['nvidia-tesla-p4', 'P4'],
  ['nvidia-tesla-a100', 'A100-SXM4-40GB'],
  ['nvidia-a100-80gb', 'A100-SXM4-80GB'],
  ['nvidia-l4', 'L4'],
  ['nvidia-h100-80gb', 'H100-80GB-HBM3'],
  ['nvidia-h100-mega-80gb', 'H100-80GB-HBM3'],
  ['nvidia-h200-141gb', 'H200'],
  ['nvidia-b200', 'B200'],
  ['nvidia-gb200', 'GB200'],
  ['nvidia-rtx-pro-6000', 'RTX-PRO-6000-Blackwell-Server-Edition'],
])

const AWS: ReadonlyMap<string, string> = new Map([
  ['h100', 'H100-80GB-HBM3'],
  ['h200', 'H200'],
  ['b200', 'B200'],
  ['b300', 'B300-SXM6-AC'],
  ['t4', 'T4'],
  ['t4g', 'T4G'],
  ['a10g', 'A10G'],
  ['l4', 'L4'],
  ['l40s', 'L40S'],
  ['rtx-pro-4500', 'RTX-PRO-4500-Blackwell'],
  ['rtx-pro-server-6000', 'RTX-PRO-6000-Blackwell-Server-Edition'],
  ['radeon-pro-v520', 'Radeon-Pro-V520'],
])

// One name for two boards: only the memory tells them apart.
const AWS_BY_MEMORY: ReadonlyMap<string, ReadonlyMap<number, string>> = new Map([
  [
    'a100',
    new Map([
      [40960, 'A100-SXM4-40GB'],
      [81920, 'A100-SXM4-80GB'],
    ]),
  ],
  ['v100', new Map([[32768, 'V100-SXM2-32GB']])],
])

const awsName = (gpuName: string, gpuMemory: Mib | undefined): string | undefined =>
  AWS.get(gpuName) ?? (gpuMemory === undefined ? undefined : AWS_BY_MEMORY.get(gpuName)?.get(gpuMemory))
