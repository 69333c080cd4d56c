import { request as ask } from 'node:http'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { openTestSeptet, type TestSeptet } from './open-test-septet.fixture.ts'

let septet: TestSeptet
let admin: { authorization: string }
beforeAll(async () => {
  septet = await openTestSeptet()
  admin = await septet.signIn('admin@septet.local')
})
afterAll(() => septet.close())

const JSON_BODY = { 'content-type': 'application/json' }
const LONG = 'x'.repeat(300)
const VERSIONED = { 'x-supabase-api-version': '2024-01-01', origin: 'http://localhost:5173' }

describe('a part of a path that is longer than any name', () => {
  test.each([
    ['GET', `/auth/v1/admin/users/${LONG}`],
    ['DELETE', `/auth/v1/factors/${LONG}`],
    ['DELETE', `/auth/v1/user/identities/${LONG}`],
  ])('is not found by the auth service, in its own form: %s %s', async (method, path) => {
    const answer = await fetch(`${septet.url}${path}`, { method, headers: { ...admin, ...VERSIONED } })
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([404, '*'])
    expect(await answer.json()).toMatchObject({ code: 'validation_failed', message: expect.any(String) })
  })

  test.each([
    ['DELETE', `/api/v1/tokens/${LONG}`],
    ['PUT', `/api/v1/members/${LONG}`],
    ['DELETE', `/api/v1/sessions/${LONG}`],
    ['GET', `/api/v1/gpus/${LONG}`],
  ])('is not found by the API, as a problem document: %s %s', async (method, path) => {
    const body = method === 'PUT' ? { body: '{"role":"viewer"}' } : {}
    const headers = { ...admin, ...(method === 'PUT' ? JSON_BODY : {}) }
    const answer = await fetch(`${septet.url}${path}`, { method, headers, ...body })
    expect(answer.status).toBe(404)
    expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/u)
    expect(await answer.json()).toMatchObject({ code: 'not-found', status: 404 })
  })
})

describe('a path that the auth service does not have', () => {
  test.each(['GET', 'POST', 'PUT', 'DELETE', 'PATCH'])('is answered in its form, to any origin: %s', async (method) => {
    for (const path of ['/auth/v1/nothing', '/auth/v1/', '/auth/v1', '/auth/v1/admin/nothing/at/all']) {
      const answer = await fetch(`${septet.url}${path}`, { method, headers: VERSIONED })
      expect([path, answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([path, 404, '*'])
      expect(answer.headers.get('x-supabase-api-version')).toBe('2024-01-01')
      expect(await answer.json()).toMatchObject({ code: 'validation_failed', message: expect.any(String) })
    }
  })

  test('a known path with a method that it does not have likewise', async () => {
    const answer = await fetch(`${septet.url}/auth/v1/token`, { headers: VERSIONED })
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([404, '*'])
    expect(await answer.json()).toMatchObject({ code: 'validation_failed' })
  })

  test('a malformed escape in it is answered in its form too', async () => {
    const answer = await fetch(`${septet.url}/auth/v1/admin/users/%zz`, { headers: VERSIONED })
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([400, '*'])
    expect(await answer.json()).toMatchObject({ code: 'validation_failed' })
  })
})

describe('a body that is too large', () => {
  const body = JSON.stringify({ name: 'x'.repeat(300 * 1024), role: 'viewer' })

  test('is 413 of the API, with what to do', async () => {
    const answer = await fetch(`${septet.url}/api/v1/tokens`, {
      method: 'POST',
      headers: { ...admin, ...JSON_BODY },
      body,
    })
    expect(answer.status).toBe(413)
    expect(await answer.json()).toMatchObject({
      code: 'too-large',
      detail: 'The request body is larger than 256 KiB.',
      todo: expect.stringContaining('smaller'),
    })
  })

  test('is 413 of the auth service, from 1 MiB on', async () => {
    const huge = JSON.stringify({ email: 'a@example.com', password: 'x'.repeat(1024 * 1024) })
    const answer = await fetch(`${septet.url}/auth/v1/token?grant_type=password`, {
      method: 'POST',
      headers: { ...JSON_BODY, ...VERSIONED },
      body: huge,
    })
    expect(answer.status).toBe(413)
    expect(await answer.json()).toMatchObject({ code: 'request_entity_too_large' })
  })
})

/** Asks with a host that `fetch` would not send. */
const statusFor = async (url: string, host: string): Promise<number | undefined> => {
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>()
  const sent = ask(`${url}/api/v1/clusters`, { headers: { host } }, (answer) => {
    answer.resume()
    resolve(answer.statusCode)
  })
  sent.on('error', reject).end()
  return promise
}

test.each([
  ['https://septet.example.com', 'septet.example.com:443', 200],
  ['https://septet.example.com', 'septet.example.com:80', 403],
  ['https://septet.example.com', 'septet.example.com:8443', 403],
  ['http://septet.example.com', 'septet.example.com:80', 200],
  ['http://septet.example.com', 'septet.example.com:443', 403],
  ['https://septet.example.com:8443', 'septet.example.com:8443', 200],
  ['https://septet.example.com:8443', 'septet.example.com', 403],
])(
  'reached by %s, the host %s is answered %i: the default port may be written out',
  async (publicUrl, host, status) => {
    const named = await openTestSeptet({
      environment: {
        SEPTET_PUBLIC_URL: publicUrl,
        SEPTET_AUTHORIZED_EMAIL: 'ops@example.com',
        SEPTET_SETUP_SECRET: 'sixteen-letters!',
      },
    })
    try {
      expect(await statusFor(named.url, host)).toBe(status)
    } finally {
      await named.close()
    }
  },
)
