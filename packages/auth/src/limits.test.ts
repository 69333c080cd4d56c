import { instant } from '@septet/domain'
import { openTestStore } from '@septet/storage/testing'
import { expect, test } from 'vitest'

import { openLimits, type SignInLimits } from './limits.ts'
import { LIMITS } from './open-test-auth.fixture.ts'

test.each([
  ['code', 20],
  ['factor', 15],
  ['factor-day', 100],
] as const)('of the kind %s, %i reach one person, whoever asks, and nobody else is held up', async (kind, most) => {
  const { notes } = await openTestStore()
  // Two servers on one database: they count together.
  const servers = [1, 2].map(() => openLimits({ now: () => instant(0), notes, limits: LIMITS }))
  let turn = 0
  const limits = { spendOn: (...given: Parameters<SignInLimits['spendOn']>) => servers[turn++ % 2]?.spendOn(...given) }
  for (let spent = 0; spent < most; spent++) await limits.spendOn(kind, 'one')
  await expect(limits.spendOn(kind, 'one')).rejects.toMatchObject({
    status: 429,
    code: 'over_request_rate_limit',
    retryAfter: expect.any(Number),
  })
  await limits.spendOn(kind, 'another')
})

test('requests of one network address are held to what is set, by their kind', async () => {
  const { notes } = await openTestStore()
  const set = { ...LIMITS, requests: { ...LIMITS.requests, token: 2 } }
  const limits = openLimits({ now: () => instant(0), notes, limits: set })
  const spend = () => limits.spend('token', '192.0.2.1')
  await spend()
  await spend()
  await expect(spend()).rejects.toMatchObject({ status: 429, code: 'over_request_rate_limit' })
  await limits.spend('verify', '192.0.2.1')
  await limits.spend('token', '192.0.2.2')
})
