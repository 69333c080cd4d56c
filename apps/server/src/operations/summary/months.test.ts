import { COST_PARTS, instant, recordOf } from '@septet/domain'
import { expect, test } from 'vitest'

import { sealedView } from './months.ts'

const at = (text: string) => instant(Date.parse(text))
const sumsOf = (gpuHours: number, usd: number) =>
  recordOf(COST_PARTS, (part) => (part === 'used' ? { gpuHours, usd } : { gpuHours: 0, usd: 0 }))
const SEALED = { month: '2026-10', sealedAt: at('2026-11-01T01:00:00Z'), sums: sumsOf(744, 1488), digest: 'd' }

test('a month that was sealed says in sentences what was learned of it since', () => {
  expect(sealedView({ ...SEALED, corrections: [] })).toMatchObject({ usd: 1488, says: null })
  const corrections = [
    { at: at('2026-11-03T09:00:00Z'), reason: 'Usage that was missing was read later.', change: sumsOf(1, 2) },
    { at: at('2026-11-04T09:00:00Z'), reason: 'Prices of the past were changed.', change: sumsOf(0, -745) },
  ]
  expect(sealedView({ ...SEALED, corrections })?.says).toBe(
    'Corrected by 1.0 GPU-h and $2.00 on 2026-11-03: Usage that was missing was read later. Corrected by 0.0 GPU-h and -$745.00 on 2026-11-04: Prices of the past were changed.',
  )
})
