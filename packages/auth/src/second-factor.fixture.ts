import { generateSync } from 'otplib'

import { OWNER, PASSWORD, type TestAuth } from './open-test-auth.fixture.ts'

/** What a person with an authenticator app does. */
export const openPerson = (house: TestAuth, email: string = OWNER) => ({
  signUp: async () => (await house.ask('POST', '/signup', { body: { email, password: PASSWORD } })).body,
  signIn: async () =>
    (await house.ask('POST', '/token?grant_type=password', { body: { email, password: PASSWORD } })).body,
  refresh: (refreshToken: string) =>
    house.ask('POST', '/token?grant_type=refresh_token', { body: { refresh_token: refreshToken } }),
  enroll: async (token: string, name = 'phone') =>
    (await house.ask('POST', '/factors', { token, body: { factor_type: 'totp', friendly_name: name } })).body,
  challenge: async (token: string, factor: string, ip?: string) =>
    (await house.ask('POST', `/factors/${factor}/challenge`, { token, ...(ip === undefined ? {} : { ip }) })).body[
      'id'
    ] as string,
  verify: (token: string, factor: string, shown: { challenge: string; code: string; ip?: string }) =>
    house.ask('POST', `/factors/${factor}/verify`, {
      token,
      body: { challenge_id: shown.challenge, code: shown.code },
      ...(shown.ip === undefined ? {} : { ip: shown.ip }),
    }),
  /** What the app shows now, or that many steps from now. */
  codeOf: (secret: string, steps = 0) =>
    generateSync({ secret, epoch: Math.floor(house.clock.at / 1000) + steps * 30 }),
})

/** Someone with a verified factor: their raised session, the factor and its secret. The clock has gone on since. */
export async function withFactor(house: TestAuth, email: string = OWNER) {
  const person = openPerson(house, email)
  const first = await person.signUp()
  const token: string = first['access_token']
  const factor = await person.enroll(token)
  const secret: string = factor['totp'].secret
  const challenge = await person.challenge(token, factor['id'])
  const { body } = await person.verify(token, factor['id'], { challenge, code: person.codeOf(secret) })
  // So that the next code is another one.
  house.pass(60_000)
  return {
    ...person,
    first,
    factor: factor['id'] as string,
    secret,
    raised: body,
    token: body['access_token'] as string,
  }
}
