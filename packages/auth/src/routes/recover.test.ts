import { expect, test } from 'vitest'

import { ADMIN, openMailBench } from '../mail-flow.fixture.ts'
import { PASSWORD } from '../open-test-auth.fixture.ts'

const NEW_PASSWORD = 'four unrelated words: kettle moss'

test('a forgotten password: code by letter, new password, every other session is over', async () => {
  const bench = await openMailBench()
  const old = bench.client()
  await old.auth.signUp({ email: ADMIN, password: PASSWORD })
  expect((await old.auth.getUser()).data.user?.email).toBe(ADMIN)

  const client = bench.client()
  expect((await client.auth.resetPasswordForEmail(ADMIN)).error).toBeNull()
  const { code } = await bench.letter(ADMIN, 'recovery')
  const events: string[] = []
  client.auth.onAuthStateChange((event) => void events.push(event))
  const verified = await client.auth.verifyOtp({ email: ADMIN, token: code, type: 'recovery' })
  expect(verified.error).toBeNull()
  expect(verified.data.session?.user.email).toBe(ADMIN)
  expect(events).toContain('PASSWORD_RECOVERY')
  expect((await client.auth.updateUser({ password: NEW_PASSWORD })).error).toBeNull()

  expect((await old.auth.getUser()).error).toMatchObject({ name: 'AuthSessionMissingError' })
  expect((await old.auth.refreshSession()).error).not.toBeNull()
  expect((await client.auth.getUser()).data.user?.email).toBe(ADMIN)
  const fresh = bench.client()
  expect((await fresh.auth.signInWithPassword({ email: ADMIN, password: PASSWORD })).error?.code).toBe(
    'invalid_credentials',
  )
  expect((await fresh.auth.signInWithPassword({ email: ADMIN, password: NEW_PASSWORD })).error).toBeNull()
  expect(await bench.audited()).toEqual([
    'account.sign-up done',
    'account.sign-in done',
    'account.send-code done',
    'account.sign-in done',
    'account.change-password done',
    'account.sign-in refused',
    'account.sign-in done',
  ])
})
