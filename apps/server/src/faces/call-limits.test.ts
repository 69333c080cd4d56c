import { expect, test } from 'vitest'

import { openCallLimits } from './call-limits.ts'

test('too many calls of one caller are told to wait, and others are let in', async () => {
  const limits = openCallLimits({ points: 3, duration: 60, atOnce: 100 })
  for (let call = 0; call < 3; call += 1) await limits.begin('busy')
  await expect(limits.begin('busy')).rejects.toMatchObject({
    code: 'too-many-requests',
    retryAfter: expect.any(Number),
  })
  await expect(limits.begin('other')).resolves.toBeInstanceOf(Function)
})

test('too many at the same time wait for one to end', async () => {
  const limits = openCallLimits({ points: 100, duration: 60, atOnce: 2 })
  const first = await limits.begin('busy')
  await limits.begin('busy')
  await expect(limits.begin('busy')).rejects.toMatchObject({ code: 'too-many-requests' })
  first()
  await expect(limits.begin('busy')).resolves.toBeInstanceOf(Function)
})
