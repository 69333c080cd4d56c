import { describe, expect, test } from 'vitest'

import { ADMIN, openMailBench, type MailBench } from './mail-flow.fixture.ts'
import { LIMITS, PASSWORD } from './open-test-auth.fixture.ts'

const MEMBER = 'member@example.com'
const OTHER = 'other@example.com'
const USED_UP = { status: 429 }

/** A bench with the owner, a member and small budgets; `token` is the owner's. */
async function withSmallBudgets(letters: Partial<typeof LIMITS.letters>) {
  const bench = await openMailBench({ limits: { ...LIMITS, letters: { ...LIMITS.letters, ...letters } } })
  const signUp = (email: string) => bench.ask('POST', '/signup', { body: { email, password: PASSWORD } })
  const [owner] = await Promise.all([signUp(ADMIN), signUp(MEMBER), signUp(OTHER)])
  return { bench, token: String(owner.body['access_token']) }
}
const recover = (bench: MailBench, email: string, ip = '192.0.2.1') =>
  bench.ask('POST', '/recover', { body: { email }, ip })
const signInByMail = (bench: MailBench, email: string, ip = '192.0.2.1') =>
  bench.ask('POST', '/otp', { body: { email }, ip })

/** A stranger with many network addresses asks for letters until there are no more. */
async function useUp(bench: MailBench): Promise<void> {
  for (let index = 0; index < 5; index++) {
    await signInByMail(bench, `stranger${index}@example.com`, `10.0.0.${index}`)
    await bench.letters()
  }
  expect(await signInByMail(bench, 'stranger@example.com', '10.0.1.1')).toMatchObject(USED_UP)
}

describe('strangers cannot use up', () => {
  test('recoveries: neither with letters to sign in, nor with recoveries of many others', async () => {
    const { bench } = await withSmallBudgets({ hourly: 3 })
    await useUp(bench)
    for (const [index, email] of [MEMBER, OTHER].entries()) await recover(bench, email, `10.0.2.${index}`)
    expect((await recover(bench, ADMIN)).status).toBe(200)
    expect((await bench.letter(ADMIN, 'recovery')).outcome).toBe('kept here: no mail server is set')
    expect((await bench.letter(OTHER, 'recovery')).outcome).toBe('kept here: no mail server is set')
  })

  test('invitations, which have a reserve of their own', async () => {
    const { bench, token } = await withSmallBudgets({ hourly: 3, reserved: 2 })
    await useUp(bench)
    const invite = (email: string) => bench.ask('POST', '/invite', { body: { email }, token })
    expect((await invite('new1@example.com')).status).toBe(200)
    expect((await bench.letter('new1@example.com', 'invite')).outcome).toMatch(/^kept here/u)
    // Asked for in a stranger's name before, the address can still be invited.
    expect((await invite('stranger0@example.com')).status).toBe(200)
    await bench.letters()
    expect(await invite('new3@example.com')).toMatchObject(USED_UP)
  })

  test('what is written to the owner', async () => {
    const { bench } = await withSmallBudgets({ hourly: 3 })
    await useUp(bench)
    expect((await signInByMail(bench, ADMIN)).status).toBe(200)
    expect((await bench.letter(ADMIN, 'magiclink')).outcome).toMatch(/^kept here/u)
  })

  test('a recovery by asking for other letters to the same reader', async () => {
    const { bench } = await withSmallBudgets({ perRecipient: 2 })
    for (let index = 0; index < 3; index++) {
      expect((await signInByMail(bench, MEMBER, `10.0.0.${index}`)).status).toBe(index < 2 ? 200 : 429)
      bench.advance(61_000)
    }
    expect((await recover(bench, MEMBER)).status).toBe(200)
  })

  test('a recovery by asking for other letters through the same proxy', async () => {
    const { bench } = await withSmallBudgets({ perAddress: 2 })
    for (let index = 0; index < 3; index++) {
      expect((await signInByMail(bench, `stranger${index}@example.com`)).status).toBe(index < 2 ? 200 : 429)
    }
    expect((await recover(bench, MEMBER)).status).toBe(200)
  })
})

test('one reader gets no more recoveries an hour than are set, and the newest letter works all the while', async () => {
  const { bench } = await withSmallBudgets({ perRecipient: 2 })
  for (let index = 0; index < 4; index++) {
    expect((await recover(bench, MEMBER, `10.0.0.${index}`)).status).toBe(index < 2 ? 200 : 429)
    await bench.letters()
    bench.advance(61_000)
  }
  expect((await bench.press((await bench.letter(MEMBER, 'recovery')).link)).status).toBe(200)
})
