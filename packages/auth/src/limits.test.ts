import { instant } from '@septet/domain'
import { expect, test } from 'vitest'

import { openLimits } from './limits.ts'

test.each([
  ['letter', 10],
  ['code', 20],
  ['factor', 15],
  ['factor-day', 100],
] as const)('of the kind %s, %i reach one person, whoever asks, and nobody else is held up', async (kind, most) => {
  const limits = openLimits(() => instant(0))
  for (let spent = 0; spent < most; spent++) await limits.spendOn(kind, 'one')
  await expect(limits.spendOn(kind, 'one')).rejects.toMatchObject({
    status: 429,
    code: 'over_request_rate_limit',
    retryAfter: expect.any(Number),
  })
  await limits.spendOn(kind, 'another')
})
