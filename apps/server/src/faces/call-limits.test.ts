import { EventEmitter } from 'node:events'

import { afterEach, expect, test } from 'vitest'

import { openCallLimits } from './call-limits.ts'
import { openTestSeptet, type TestSeptet } from './open-test-septet.fixture.ts'

const reply = (): { readonly raw: never } => ({ raw: new EventEmitter() as never })

test('too many calls of one caller are told to wait, and others are let in', async () => {
  const limits = openCallLimits({ points: 3, duration: 60, atOnce: 100 })
  for (let call = 0; call < 3; call += 1) await limits.begin('busy', reply())
  await expect(limits.begin('busy', reply())).rejects.toMatchObject({
    code: 'too-many-requests',
    message: 'You sent more than 3 requests in 60 seconds, or 100 at once.',
    retryAfter: expect.any(Number),
  })
  await expect(limits.begin('other', reply())).resolves.toBeUndefined()
})

test('too many at the same time wait for one to end', async () => {
  const limits = openCallLimits({ points: 100, duration: 60, atOnce: 2 })
  const first = reply()
  await limits.begin('busy', first)
  await limits.begin('busy', reply())
  await expect(limits.begin('busy', reply())).rejects.toMatchObject({ code: 'too-many-requests' })
  Object(first.raw).emit('close')
  await expect(limits.begin('busy', reply())).resolves.toBeUndefined()
})

let septet: TestSeptet
afterEach(() => septet?.close())

test('a visitor who asks too much waits as long as they are told, while those who signed in are answered', async () => {
  const environment = { SEPTET_RATE_LIMITS: 'visitor=3, api=100', SEPTET_AUTHORIZED_EMAIL: 'ann@septet.local' }
  septet = await openTestSeptet({ environment })
  const ask = (headers: Record<string, string> = {}) => fetch(`${septet.url}/api/v1/clusters`, { headers })
  const asked = [await ask(), await ask(), await ask(), await ask()]
  expect(asked.map(({ status }) => status)).toEqual([200, 200, 200, 429])
  expect(Number(asked[3]?.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await asked[3]?.json()).toMatchObject({ code: 'too-many-requests', todo: expect.stringContaining('Wait') })
  expect((await ask(await septet.signIn('ann@septet.local'))).status).toBe(200)
})
