import { expect, test } from 'vitest'

import { monthlyWords } from './estimate-words.ts'
import { measuredRange, measuredWords, workWords } from './saving-words.ts'

const gpuHours = { value: 134, low: 120, high: 148 }
const usd = { value: 268, low: 240, high: 296 }
type Realized = Parameters<typeof workWords>[0]['realized']
const realized: Realized = {
  window: { from: '2026-11-01T00:00:00Z', to: '2026-11-15T00:00:00Z' },
  basis: 'held',
  work: null,
  gpuHours,
  usd,
  knownHours: 336,
  unknownHours: 0,
  promised: null,
}

test('an amount is in dollars, and in GPU-hours where it has no price', () => {
  expect([measuredWords({ gpuHours, usd }), measuredRange({ gpuHours, usd })]).toEqual(['$268', '$240 to $296'])
  const unpriced = { gpuHours, usd: null }
  expect([measuredWords(unpriced), measuredRange(unpriced)]).toEqual(['134 GPU-h', '120 to 148 GPU-h'])
  expect(measuredRange({ gpuHours: { value: 1, low: null, high: null }, usd: null })).toBeUndefined()
  expect(monthlyWords({ gpuHoursPerMonth: 292, usdPerMonth: null })).toBe('292 GPU-h/mo')
  expect([monthlyWords(null), monthlyWords({ gpuHoursPerMonth: null, usdPerMonth: null })]).toEqual([
    'no estimate',
    'no estimate',
  ])
})

test('the unit of work is told with how much a GPU-hour did before, and that there is none', () => {
  const unit = { unit: 'tokens', source: 'vllm:generation_tokens_total', done: 9 }
  const work = { ...unit, perGpuHour: { before: 1_900_000, after: 2_100_000 } }
  expect(workWords({ realized: { ...realized, basis: 'per-unit', work }, class: 'right-size' })).toBe(
    '2.1M tokens per GPU-hour, 1.9M before (vllm:generation_tokens_total).',
  )
  const none = { ...work, perGpuHour: { before: 10, after: null } }
  expect(workWords({ realized: { ...realized, work: none }, class: 'right-size' })).toMatch(/^No tokens per GPU-hour/u)
  expect(workWords({ realized, class: 'right-size' })).toMatch(/^No unit of work is known/u)
  expect(workWords({ realized, class: 'reclaim-idle' })).toBeUndefined()
  expect(workWords({ realized: null, class: 'right-size' })).toBeUndefined()
})
