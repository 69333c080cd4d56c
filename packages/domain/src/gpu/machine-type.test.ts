import { expect, test } from 'vitest'

import { findModelByMachineType } from './machine-type.ts'

test.each([
  ['p3dn.24xlarge', 'V100-SXM2-32GB'],
  ['p4d.24xlarge', 'A100-SXM4-40GB'],
  ['p4de.24xlarge', 'A100-SXM4-80GB'],
  ['p5.48xlarge', 'H100-80GB-HBM3'],
  ['p5en.48xlarge', 'H200'],
  ['p6-b200.48xlarge', 'B200'],
  ['p6-b300.48xlarge', 'B300-SXM6-AC'],
  ['g4dn.metal', 'T4'],
  ['g5.48xlarge', 'A10G'],
  ['g5g.xlarge', 'T4G'],
  ['g6.xlarge', 'L4'],
  ['g6e.48xlarge', 'L40S'],
  ['g7.2xlarge', 'RTX-PRO-4500-Blackwell'],
  ['g7e.2xlarge', 'RTX-PRO-6000-Blackwell-Server-Edition'],
  ['Standard_NC4as_T4_v3', 'T4'],
  ['Standard_NC24ads_A100_v4', 'A100-80GB-PCIe'],
  ['Standard_NC40ads_H100_v5', 'H100-NVL'],
  ['Standard_ND96asr_v4', 'A100-SXM4-40GB'],
  ['Standard_ND96amsr_A100_v4', 'A100-SXM4-80GB'],
  ['Standard_ND96isr_H100_v5', 'H100-80GB-HBM3'],
  ['Standard_ND96isr_H200_v5', 'H200'],
])('%s has %s', (machineType, model) => expect(findModelByMachineType(machineType)?.name).toBe(model))

test.each([
  '',
  'm5.large',
  'g6f.large',
  'p5x.48xlarge',
  'Standard_D4s_v5',
  'Standard_ND96isr_MI300X_v5',
  'constructor',
])('"%s" names no GPU of ours', (machineType) => expect(findModelByMachineType(machineType)).toBeUndefined())
