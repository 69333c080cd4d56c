import { expect, test } from 'vitest'

import { chargedFor } from './charged-for.ts'
import { type FocusRecord, readFocusLine } from './focus-line.ts'

function charged(columns: FocusRecord) {
  const line = readFocusLine({
    BilledCost: '10',
    EffectiveCost: '10',
    BillingCurrency: 'USD',
    ChargeCategory: 'Usage',
    ChargePeriodStart: '2026-07-20T13:00:00Z',
    ChargePeriodEnd: '2026-07-20T14:00:00Z',
    ...columns,
  })
  if ('flaw' in line) throw new Error(line.flaw)
  return chargedFor(line)
}

const HOUR = { ConsumedQuantity: '1', ConsumedUnit: 'Hours' }

test.each<[FocusRecord, object]>([
  [{ x_UsageType: 'BoxUsage:p5e.48xlarge' }, { kind: 'machine', instanceType: 'p5e.48xlarge', gpus: 8, hours: 1 }],
  [{ SkuPriceDetails: '{"InstanceType":"BM.GPU.B200.8"}' }, { kind: 'machine', gpus: 8 }],
  [{ SkuPriceDetails: '{"InstanceType":"a4-highgpu-8g"}' }, { kind: 'machine', gpus: 8 }],
  [{ SkuPriceDetails: '{"InstanceType":"x9.big","GpuCount":2}' }, { kind: 'machine', gpus: 2 }],
  [{ SkuPriceDetails: '{"InstanceType":"m7i.large"}' }, { kind: 'other', as: 'other-usage' }],
  [{ x_UsageType: 'UnusedBox:p5.48xlarge' }, { kind: 'other', as: 'unused-reservation' }],
  [{ x_UsageType: 'USE1-Reservation:p5.48xlarge' }, { kind: 'other', as: 'other-usage' }],
  [
    { ProviderName: 'AWS', ServiceName: 'Amazon SageMaker', x_UsageType: 'Train:ml.p5.48xlarge' },
    { kind: 'other', as: 'other-usage' },
  ],
  [
    { ChargeCategory: 'Purchase', ChargeDescription: 'Capacity Block, p5.48xlarge' },
    { kind: 'block', instanceType: 'p5.48xlarge', gpus: 8 },
  ],
  [{ ChargeDescription: 'Nvidia Tesla A100 80GB GPU running in Americas' }, { kind: 'gpu', model: 'A100-SXM4-80GB' }],
  [{ ChargeDescription: 'Nvidia Tesla A100 GPU running in Americas' }, { kind: 'gpu', model: 'A100-SXM4-40GB' }],
  [{ ChargeDescription: 'Nvidia H100 80GB Plus GPU running in Americas' }, { kind: 'gpu', model: 'H100-80GB-HBM3' }],
  [
    {
      ChargeDescription: 'Nvidia L4 GPU attached to Spot Preemptible VMs running in Iowa',
      ConsumedQuantity: '7200',
      ConsumedUnit: 'seconds',
    },
    { kind: 'gpu', model: 'L4', gpuHours: 2 },
  ],
  [{ ChargeDescription: 'Commitment v1: Nvidia L4 GPU in Iowa for 1 Year' }, { kind: 'other', as: 'purchase' }],
  [{ ChargeDescription: 'Licensing Fee for Nvidia RTX workstation (GPU)' }, { kind: 'other', as: 'other-usage' }],
  [{ ChargeDescription: 'A3Plus Instance Core running in Americas' }, { kind: 'host', family: 'a3plus' }],
  [{ ChargeDescription: 'Spot Preemptible A2 Instance Ram running in Iowa' }, { kind: 'host', family: 'a2' }],
  [{ ChargeDescription: 'N1 Predefined Instance Core running in Americas' }, { kind: 'other', as: 'other-usage' }],
  [
    { ChargeDescription: 'N1 Predefined Instance Core running in Americas', ResourceId: 'vm' },
    { kind: 'host', family: 'n1' },
  ],
  [
    {
      ChargeDescription: 'OCI - Compute - GPU - H200',
      UsageQuantity: '8',
      UsageUnit: 'GPU Per Hour',
      ConsumedQuantity: '',
      ConsumedUnit: '',
    },
    { kind: 'gpu', model: 'H200', gpuHours: 8 },
  ],
  [
    { ResourceType: 'VM.GPU3.4', ConsumedQuantity: '24', ConsumedUnit: 'OCPU-Hour' },
    { kind: 'gpu', instanceType: 'VM.GPU3.4', gpuHours: 4 },
  ],
  [
    { ResourceType: 'BM.GPU9.8', ConsumedQuantity: '24', ConsumedUnit: 'OCPU-Hour' },
    { kind: 'unread', why: 'it is charged by the OCPU, and its OCPUs for a GPU are not known' },
  ],
  [
    { ChargeDescription: 'OCI - NVIDIA AI Enterprise - H100', ConsumedUnit: 'GPU Per Hour' },
    { kind: 'other', as: 'other-usage' },
  ],
  [{ x_UsageType: 'BoxUsage:p9.48xlarge' }, { kind: 'unread', why: 'nothing says how many GPUs it has' }],
  [
    { x_UsageType: 'BoxUsage:p5.48xlarge', ConsumedUnit: 'Quantity' },
    { kind: 'unread', why: 'it is not charged by the hour' },
  ],
  [{ ResourceType: 'Virtual machine' }, { kind: 'other', isUntyped: true }],
])('%j', (columns, kind) => expect(charged({ ...HOUR, ...columns })).toMatchObject(kind))
