import { expect, test } from 'vitest'

import { modelRules } from './model-rules.ts'
import { nodeRefusal } from './node-rules.ts'
import type { NodeRequirement } from './scheduling.ts'

const PRODUCT = 'nvidia.com/gpu.product'
const product = (...values: string[]): NodeRequirement => ({ key: PRODUCT, operator: 'In', values })
const zone: NodeRequirement = { key: 'zone', operator: 'In', values: ['a'] }
const takes = (nodeTerms: readonly (readonly NodeRequirement[])[], model: string): boolean | undefined => {
  const rules = modelRules({ nodeSelector: {}, nodeTerms })
  return rules && nodeRefusal(rules, { labels: { [PRODUCT]: model }, taints: [] }) === undefined
}

test('affinity names models, whatever else it asks of the node', () => {
  expect(takes([[product('Tesla-T4'), zone]], 'Tesla-T4')).toBe(true)
  expect(takes([[product('Tesla-T4'), zone]], 'NVIDIA-L4')).toBe(false)
  expect(takes([[product('Tesla-T4')], [product('NVIDIA-L4')]], 'NVIDIA-L4')).toBe(true)
})

test('any model will do where one of the terms names none, or nothing is asked for', () => {
  expect(takes([[product('Tesla-T4')], [zone]], 'NVIDIA-L4')).toBeUndefined()
  expect(takes([[zone]], 'NVIDIA-L4')).toBeUndefined()
  expect(takes([], 'NVIDIA-L4')).toBeUndefined()
  expect(modelRules({ nodeSelector: { zone: 'a' }, nodeTerms: [] })).toBeUndefined()
})
