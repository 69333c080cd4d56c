import { expect, onTestFinished, test } from 'vitest'

import { OWNER, openTestAuth, PASSWORD } from './open-test-auth.fixture.ts'

async function signUpFrom(siteUrl: string, headers: Record<string, string>) {
  const septet = await openTestAuth()
  onTestFinished(() => septet.close())
  septet.clock.siteUrl = siteUrl
  // As a page sends it that needs no leave to: "simple" requests are asked without a preflight.
  const answer = await septet.ask('POST', '/signup', {
    body: { email: OWNER, password: PASSWORD },
    headers: { host: new URL(siteUrl).host, 'content-type': 'text/plain', ...headers },
  })
  const made = (await septet.store.access.accounts.byEmail(OWNER)) !== undefined
  return { status: answer.status, made, open: answer.headers['access-control-allow-origin'] }
}

const HERE = 'http://127.0.0.1:7381'

test.each([
  'https://elsewhere.example',
  'null',
  'http://127.0.0.1.elsewhere.example',
  'http://localhost.elsewhere.example',
])('a page of %s cannot make the first account of a Septet on this machine', async (origin) => {
  expect(await signUpFrom(HERE, { origin })).toEqual({ status: 403, made: false, open: undefined })
})

test.each(['http://localhost:5173', HERE, 'http://[::1]:3000'])('a page of %s can', async (origin) => {
  expect(await signUpFrom(HERE, { origin })).toMatchObject({ status: 200, made: true })
})

test('a program, which names no origin, can', async () => {
  expect(await signUpFrom(HERE, {})).toMatchObject({ status: 200, made: true })
})

test('the page of a Septet that listens everywhere can, by whichever name it was opened', async () => {
  const headers = { host: '192.0.2.7:7381', origin: 'http://192.0.2.7:7381' }
  expect(await signUpFrom(HERE, headers)).toMatchObject({ status: 200, made: true })
})

test('a Septet with a public name is open to pages of another one', async () => {
  const answer = await signUpFrom('https://septet.example.com', { origin: 'https://other.example' })
  expect(answer).toEqual({ status: 200, made: true, open: '*' })
})
