import { expect, test } from 'vitest'

import type { ShownCostGroup } from './cost-words.ts'
import { busy, idle } from './cost-columns.tsx'

const group = (unmeasured: number, isPriced = true): ShownCostGroup => {
  const parts = {
    capacity: 10,
    used: 6,
    unmeasured,
    idleHeld: 4,
    oversized: 0,
    unallocated: 0,
    stranded: 0,
    broken: 0,
    unrequested: 0,
    unobserved: 0,
  }
  const nothing = { ...parts, idleHeld: 0, used: 10 }
  const amounts = unmeasured === 10 ? nothing : parts
  const isDark = unmeasured === 10
  return {
    id: 'lab/Job/a',
    key: 'lab/Job/a',
    kind: 'named',
    gpuHours: amounts,
    usd: isPriced ? amounts : null,
    busy: isDark ? null : 0.184,
    coverage: 1 - unmeasured / 10,
    unmeasuredShare: unmeasured / 10,
  }
}

test('idle cost is an amount where idle is known, and is not 0 where nothing was measured', () => {
  expect(idle.text?.(group(0))).toBe('4.00')
  expect(idle.cell(group(0))).toBe('$4.00')
  expect(idle.text?.(group(10))).toBe('')
  expect(idle.text?.(group(0, false))).toBe('')
})

test('busy of held is the share as it was measured, and is not 0 where nothing was', () => {
  expect([group(0), group(10)].map((each) => [busy.text?.(each), busy.sortBy?.(each)])).toEqual([
    ['0.1840', 0.184],
    ['', undefined],
  ])
})
