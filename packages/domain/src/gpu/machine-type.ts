import { findModel } from './catalog.ts'
import type { GpuModel } from './gpu-model.ts'

/**
 * The model in a cloud's machine, by `node.kubernetes.io/instance-type`: all that a node of EKS, AKS or OKE says of itself
 * where no GPU component labels it. A machine with a part of a GPU has that vGPU. Undefined for a machine that is not listed.
 */
export function findModelByMachineType(machineType: string): GpuModel | undefined {
  const [family = '', size = ''] = machineType.split('.')
  const shape = machineType.replace(/\.\d+$/u, '')
  const series = machineType.split('-').slice(0, 2).join('-')
  const name =
    AWS_FAMILY.get(family) ??
    AWS_PARTS.get(family)?.get(size) ??
    ORACLE_SHAPES.get(shape) ??
    GOOGLE_SERIES.get(series) ??
    azureModel(machineType)
  return name === undefined ? undefined : findModel(name)
}

// Karpenter's table of AWS instance types.
const AWS_FAMILY: ReadonlyMap<string, string> = new Map([
  ['p3', 'V100-SXM2-16GB'],
  ['p3dn', 'V100-SXM2-32GB'],
  ['p4d', 'A100-SXM4-40GB'],
  ['p4de', 'A100-SXM4-80GB'],
  ['p5', 'H100-80GB-HBM3'],
  ['p5e', 'H200'],
  ['p5en', 'H200'],
  ['p6-b200', 'B200'],
  ['p6-b300', 'B300-SXM6-AC'],
  ['p6e-gb200', 'GB200'],
  ['g3', 'M60'],
  ['g3s', 'M60'],
  ['g4ad', 'Radeon-Pro-V520'],
  ['g4dn', 'T4'],
  ['g5', 'A10G'],
  ['g5g', 'T4G'],
  ['g6', 'L4'],
  ['gr6', 'L4'],
  ['g6e', 'L40S'],
  ['g7', 'RTX-PRO-4500-Blackwell'],
  ['g7e', 'RTX-PRO-6000-Blackwell-Server-Edition'],
])

// These have a part of an L4 each.
const L4_PARTS: ReadonlyMap<string, string> = new Map([
  ['large', 'L4-3Q'],
  ['xlarge', 'L4-3Q'],
  ['2xlarge', 'L4-6Q'],
  ['4xlarge', 'L4-12Q'],
])
const AWS_PARTS: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map([
  ['g6f', L4_PARTS],
  ['gr6f', L4_PARTS],
])

// https://docs.oracle.com/en-us/iaas/Content/Compute/References/computeshapes.htm
// Without GPU2: the shape does not say which form of P100 it has.
const ORACLE_SHAPES: ReadonlyMap<string, string> = new Map([
  ['VM.GPU3', 'V100-SXM2-16GB'],
  ['BM.GPU3', 'V100-SXM2-16GB'],
  ['BM.GPU4', 'A100-SXM4-40GB'],
  ['BM.GPU.A100-v2', 'A100-SXM4-80GB'],
  ['VM.GPU.A10', 'A10'],
  ['BM.GPU.A10', 'A10'],
  ['BM.GPU.L40S', 'L40S'],
  ['BM.GPU.H100', 'H100-80GB-HBM3'],
  ['BM.GPU.H200', 'H200'],
  ['BM.GPU.B200', 'B200'],
  ['BM.GPU.GB200', 'GB200'],
  ['BM.GPU.MI300X', 'Instinct-MI300X'],
  ['BM.GPU.MI355X', 'Instinct-MI355X'],
])

// https://cloud.google.com/compute/docs/gpus
const GOOGLE_SERIES: ReadonlyMap<string, string> = new Map([
  ['a2-highgpu', 'A100-SXM4-40GB'],
  ['a2-megagpu', 'A100-SXM4-40GB'],
  ['a2-ultragpu', 'A100-SXM4-80GB'],
  ['a3-edgegpu', 'H100-80GB-HBM3'],
  ['a3-highgpu', 'H100-80GB-HBM3'],
  ['a3-megagpu', 'H100-80GB-HBM3'],
  ['a3-ultragpu', 'H200'],
  ['a4-highgpu', 'B200'],
  ['a4x-highgpu', 'GB200'],
  ['g2-standard', 'L4'],
  ['g4-standard', 'RTX-PRO-6000-Blackwell-Server-Edition'],
])

// Azure's names of sizes: family, vCPUs, features, accelerator, version.
const AZURE_SIZES: readonly (readonly [RegExp, string])[] = [
  [/^standard_nc\d+r?s_v3$/, 'V100-PCIE-16GB'],
  [/^standard_nc\d+as_t4_v3$/, 'T4'],
  [/^standard_nc\d+ads_a100_v4$/, 'A100-80GB-PCIe'],
  [/^standard_ncc?\d+adi?s_h100_v5$/, 'H100-NVL'],
  [/^standard_nd40rs_v2$/, 'V100-SXM2-32GB'],
  [/^standard_nd\d+asr(_a100)?_v4$/, 'A100-SXM4-40GB'],
  [/^standard_nd\d+amsr(_a100)?_v4$/, 'A100-SXM4-80GB'],
  [/^standard_nd\d+isr_h100_v5$/, 'H100-80GB-HBM3'],
  [/^standard_nd\d+isr_h200_v5$/, 'H200'],
  [/^standard_nd\d+isr_mi300x_v5$/, 'Instinct-MI300X'],
  [/^standard_nd\d+isr(_ndr)?_gb200_v6$/, 'GB200'],
  [/^standard_nd\d+isr(_ndr)?_gb300_v6$/, 'GB300'],
  [/^standard_nv\d+s_v3$/, 'M60'],
  // A sixth, a third and a half of an A10; then whole ones.
  [/^standard_nv6ads_a10_v5$/, 'A10-4Q'],
  [/^standard_nv12ads_a10_v5$/, 'A10-8Q'],
  [/^standard_nv18ads_a10_v5$/, 'A10-12Q'],
  [/^standard_nv(36adm?s|72ads)_a10_v5$/, 'A10'],
]

const azureModel = (machineType: string): string | undefined =>
  AZURE_SIZES.find(([size]) => size.test(machineType.toLowerCase()))?.[1]
