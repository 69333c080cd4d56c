import { describe, expect, test } from 'vitest'

import { DAY_MS, HOUR_MS } from '../units.ts'
import { type FocusRecord, readFocusLine } from './focus-line.ts'

const RECORD: FocusRecord = {
  BilledCost: '10',
  EffectiveCost: '8',
  BillingCurrency: 'USD',
  ChargeCategory: 'Usage',
  ChargePeriodStart: '2026-07-20T13:00:00Z',
  ChargePeriodEnd: '2026-07-20T14:00:00Z',
}
const START = 1_784_552_400_000
const read = (changes: FocusRecord = {}) => readFocusLine({ ...RECORD, ...changes })

describe('a charge that cannot be read says what is wrong with it', () => {
  test.each([
    ['BilledCost', 'twelve'],
    ['BilledCost', ''],
    ['EffectiveCost', 'n/a'],
    ['ChargePeriodStart', '20 July 2026'],
    ['ChargePeriodEnd', 'tomorrow'],
    ['ChargeCategory', 'Refund'],
  ])('%s is "%s"', (column, text) => expect(read({ [column]: text })).toEqual({ flaw: `${column} is "${text}"` }))

  test('a column that is not there reads as empty', () => {
    expect(read({ ChargePeriodEnd: undefined })).toEqual({ flaw: 'ChargePeriodEnd is ""' })
  })
})

describe('the time of a charge', () => {
  test.each([
    ['2026-07-20T13:00:00Z', 0],
    ['2026-07-20T13:00:00.123Z', 0],
    ['2026-07-20 13:00:00', 0],
    ['2026-07-20 13:00:00 UTC', 0],
    ['2026-07-20T13:00:00+00:00', 0],
    ['2026-07-20T13:00Z', 0],
    ['2026-07-20', -13 * HOUR_MS],
    ['2026-08-01T00:00:00Z', 11 * DAY_MS + 11 * HOUR_MS],
  ])('%s is read, as UTC where it says no zone', (ChargePeriodStart, after) => {
    expect(read({ ChargePeriodStart })).toMatchObject({ period: { from: START + after } })
  })

  test('of another zone is refused rather than moved by hours', () => {
    expect(read({ ChargePeriodStart: '2026-07-20T13:00:00+02:00' })).toHaveProperty('flaw')
  })
})

describe('hours of a charge, and of what', () => {
  test.each([
    [{ ConsumedQuantity: '2', ConsumedUnit: 'Hours' }, 'machine', 2],
    [{ ConsumedQuantity: '2', ConsumedUnit: 'hour' }, 'machine', 2],
    [{ ConsumedQuantity: '1.5', ConsumedUnit: 'Hrs' }, 'machine', 1.5],
    [{ ConsumedQuantity: '1800', ConsumedUnit: 'Seconds' }, 'machine', 0.5],
    [{ ConsumedQuantity: '30', ConsumedUnit: 'Minutes' }, 'machine', 0.5],
    [{ ConsumedQuantity: '0', ConsumedUnit: 'Hours' }, 'machine', 0],
    [{ ConsumedQuantity: '', ConsumedUnit: 'Hours', PricingQuantity: '3', PricingUnit: 'Hours' }, 'machine', 3],
    [{ ConsumedQuantity: '5', ConsumedUnit: 'GB', PricingQuantity: '3', PricingUnit: 'Hours' }, 'machine', 3],
    [{ PricingQuantity: '0.24', PricingUnit: '100 Hours' }, 'machine', 24],
    [{ UsageQuantity: '16', UsageUnit: 'GPU Per Hour' }, 'gpu', 16],
    [{ UsageQuantity: '16', UsageUnit: 'ONE GPU HOURS' }, 'gpu', 16],
    [{ PricingQuantity: '16', PricingUnit: 'GPU-Hours' }, 'gpu', 16],
    [{ UsageQuantity: '12', UsageUnit: 'OCPU-Hour' }, 'ocpu', 12],
  ])('%j are of a %s, %s', (changes, of, hours) => expect(read(changes)).toMatchObject({ time: { of, hours } }))

  test.each([
    [{ ConsumedQuantity: '5', ConsumedUnit: 'GB-Hours' }],
    [{ ConsumedQuantity: 'many', ConsumedUnit: 'Hours' }],
    [{}],
  ])('%j are none', (changes) => expect(read(changes)).toMatchObject({ time: undefined }))
})

describe('the machine of a charge', () => {
  test.each([
    [{ SkuPriceDetails: '{"InstanceType": "p5.48xlarge", "GpuCount": 8}' }, 'p5.48xlarge', 8],
    [{ SkuPriceDetails: '{"x_InstanceType": "a2-highgpu-1g", "x_GpuCount": "1"}' }, 'a2-highgpu-1g', 1],
    [{ SkuPriceDetails: '{"InstanceType": "", "GpuCount": 0}' }, '', undefined],
    [{ SkuPriceDetails: '{"InstanceType": 5, "GpuCount": "eight"}' }, '', undefined],
    [{ SkuPriceDetails: '{"InstanceType": "p5' }, '', undefined],
    [{ SkuPriceDetails: 'null' }, '', undefined],
    [{ SkuPriceDetails: '"p5.48xlarge"' }, '', undefined],
    [{ ChargeDescription: '$1.624 per On Demand Linux g5.4xlarge Instance Hour' }, 'g5.4xlarge', undefined],
    [{ ChargeDescription: 'u7in-16tb.224xlarge instance hour' }, 'u7in-16tb.224xlarge', undefined],
    [{ ChargeDescription: 'p6-b200.metal-48xl, host' }, 'p6-b200.metal-48xl', undefined],
    [{ ChargeDescription: 'Standard_NC40ads_H100_v5 in West Europe' }, 'Standard_NC40ads_H100_v5', undefined],
    [{ ChargeDescription: 'Data transfer out, first 10 TB' }, '', undefined],
    [{ x_SkuDetails: '{"ServiceType": "Standard_NC24ads_A100_v4"}' }, 'Standard_NC24ads_A100_v4', undefined],
    [{ x_SkuMeterCategory: 'Virtual Machines', x_SkuMeterName: 'NC4as T4 v3 Spot' }, 'Standard_NC4as_T4_v3', undefined],
    [{ x_SkuMeterCategory: 'Virtual Machines', x_SkuMeterName: 'NC6s v3/NC6 v3' }, 'Standard_NC6s_v3', undefined],
    [{ x_SkuMeterCategory: 'Storage', x_SkuMeterName: 'P30 LRS Disk' }, '', undefined],
    [{ x_SkuMeterCategory: 'Virtual Machines', x_SkuMeterName: 'ND96asr A100 v4' }, 'Standard_ND96asr_v4', undefined],
    [
      {
        x_SkuMeterCategory: 'Virtual Machines Licenses',
        x_SkuMeterName: '24 vCPU VM License',
        x_SkuDetails: '{"ServiceType":"Standard_NC24ads_A100_v4"}',
      },
      '',
      undefined,
    ],
    [{ x_UsageType: 'USE2-BoxUsage:p5en.48xlarge' }, 'p5en.48xlarge', undefined],
    [{ SkuMeter: 'USE1-SpotUsage:g6.xlarge' }, 'g6.xlarge', undefined],
    [{ x_UsageType: 'USE1-EBS:VolumeUsage.gp3' }, '', undefined],
    [
      { Tags: '[{"key":"compute.googleapis.com/machine_spec","value":"a3-highgpu-8g","x_type":"system_label"}]' },
      'a3-highgpu-8g',
      undefined,
    ],
    [{ Tags: '{"compute.googleapis.com/machine_spec": "n1-standard-8"}' }, 'n1-standard-8', undefined],
    [{ ChargeDescription: 'Compute - GPU, VM.GPU.A10.2' }, 'VM.GPU.A10.2', undefined],
    [{ ResourceType: 'BM.GPU.A100-v2.8' }, 'BM.GPU.A100-v2.8', undefined],
    [{ SkuPriceDetails: '{"GpuCount": 4}', ChargeDescription: 'g6.12xlarge hour' }, 'g6.12xlarge', 4],
  ])('of %j is "%s"', (changes, instanceType, gpus) => expect(read(changes)).toMatchObject({ instanceType, gpus }))
})

test('what a bill leaves out is not made up', () => {
  expect(read({ CommitmentDiscountId: 'none', PricingCategory: 'Odd', SkuPriceDetails: ' NULL ' })).toMatchObject({
    list: 10_000_000_000n,
    pricing: undefined,
    commitment: undefined,
    reservation: undefined,
    isCorrection: false,
    provider: '',
  })
  expect(read({ CommitmentDiscountId: 'sp-1', CommitmentDiscountStatus: '', ListCost: '12' })).toMatchObject({
    list: 12_000_000_000n,
    commitment: { id: 'sp-1', status: undefined },
  })
})
