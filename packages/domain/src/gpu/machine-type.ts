import { findModel } from './catalog.ts'
import type { GpuModel } from './gpu-model.ts'

/**
 * The model in a cloud's machine, by `node.kubernetes.io/instance-type`: all that a node of EKS or AKS says of itself
 * where no GPU component labels it. Undefined for a machine that is not listed, or that has a part of a GPU only.
 */
export function findModelByMachineType(machineType: string): GpuModel | undefined {
  const name = AWS_FAMILY.get(machineType.split('.')[0] ?? '') ?? azureModel(machineType)
  return name === undefined ? undefined : findModel(name)
}

// Karpenter's table of AWS instance types. Without g6f, whose machines have a fraction of an L4.
const AWS_FAMILY: ReadonlyMap<string, string> = new Map([
  ['p3dn', 'V100-SXM2-32GB'],
  ['p4d', 'A100-SXM4-40GB'],
  ['p4de', 'A100-SXM4-80GB'],
  ['p5', 'H100-80GB-HBM3'],
  ['p5en', 'H200'],
  ['p6-b200', 'B200'],
  ['p6-b300', 'B300-SXM6-AC'],
  ['g4dn', 'T4'],
  ['g5', 'A10G'],
  ['g5g', 'T4G'],
  ['g6', 'L4'],
  ['g6e', 'L40S'],
  ['g7', 'RTX-PRO-4500-Blackwell'],
  ['g7e', 'RTX-PRO-6000-Blackwell-Server-Edition'],
])

// Azure's names of sizes: family, vCPUs, features, accelerator, version.
const AZURE_SIZES: readonly (readonly [RegExp, string])[] = [
  [/^standard_nc\d+as_t4_v3$/, 'T4'],
  [/^standard_nc\d+ads_a100_v4$/, 'A100-80GB-PCIe'],
  [/^standard_nc\d+ads_h100_v5$/, 'H100-NVL'],
  [/^standard_nd\d+asr(_a100)?_v4$/, 'A100-SXM4-40GB'],
  [/^standard_nd\d+amsr(_a100)?_v4$/, 'A100-SXM4-80GB'],
  [/^standard_nd\d+isr_h100_v5$/, 'H100-80GB-HBM3'],
  [/^standard_nd\d+isr_h200_v5$/, 'H200'],
]

const azureModel = (machineType: string): string | undefined =>
  AZURE_SIZES.find(([size]) => size.test(machineType.toLowerCase()))?.[1]
