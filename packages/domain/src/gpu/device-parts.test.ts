import { expect, test } from 'vitest'
import { boardOfVm, isForVms, partsPerGpu } from './device-parts.ts'

test.each([
  ['nvidia.com/GH100_H100_PCIE', 'H100-PCIe', 1],
  ['nvidia.com/GH100_H100_SXM5_80GB', 'H100-80GB-HBM3', 1],
  ['nvidia.com/TU104GL_Tesla_T4', 'T4', 1],
  ['nvidia.com/AD102GL_L40S', 'L40S', 1],
  ['nvidia.com/GA100_A100_PCIE_40GB', 'A100-PCIE-40GB', 1],
  ['nvidia.com/NVIDIA_A40-24Q', 'A40', 2],
  ['nvidia.com/GRID_T4-4Q', 'T4', 4],
  ['nvidia.com/GX999_NEXT_BOARD', 'GX999_NEXT_BOARD', 1],
])('%s is %s, of which a GPU makes %i', (resource, board, parts) => {
  expect([isForVms(resource), boardOfVm(resource), partsPerGpu(resource, '')]).toEqual([true, board, parts])
})

test.each([
  'nvidia.com/gpu',
  'nvidia.com/gpu.shared',
  'nvidia.com/mig-1g.10gb',
  'amd.com/gpu',
  'nvidia.com/gpumem',
  'nvidia.com/GPU',
  'nvidia.com/MIG-1g.5gb',
])('%s is what containers ask for', (resource) =>
  expect([isForVms(resource), boardOfVm(resource), partsPerGpu(resource, '')]).toEqual([false, undefined, undefined]),
)

test('partitions of AMD are as many as their mode makes', () => {
  expect([partsPerGpu('amd.com/cpx_nps4', 'AMD Instinct MI300X'), partsPerGpu('amd.com/cpx_nps1', 'MI300A')]).toEqual([
    8, 6,
  ])
})
