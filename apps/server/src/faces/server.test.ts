import { request as ask } from 'node:http'

import { SIGN_IN_INFO_PATH, MAY_SIGN_UP_PATH } from '@septet/contract'
import type { ConnectionState } from '@septet/domain'
import { draw } from '@septet/domain/testing'
import { afterEach, describe, expect, test } from 'vitest'

import { factsOf } from '../operations/answering/facts.fixture.ts'
import { openTestSeptet, type TestSeptet, type TestSeptetOptions } from './open-test-septet.fixture.ts'

const opened: TestSeptet[] = []
const open = async (environment: Record<string, string> = {}, more: TestSeptetOptions = {}): Promise<TestSeptet> => {
  const septet = await openTestSeptet({ ...more, environment })
  opened.push(septet)
  return septet
}
afterEach(async () => {
  for (const septet of opened.splice(0)) await septet.close()
})

type Raw = { readonly status: number; readonly headers: NodeJS.Dict<string | string[]>; readonly body: string }

/** With whatever headers; `fetch` would set the host by itself. */
function raw({ url }: TestSeptet, path: string, headers: Record<string, string>): Promise<Raw> {
  const { promise, resolve, reject } = Promise.withResolvers<Raw>()
  const sent = ask({ host: '127.0.0.1', port: new URL(url).port, path, headers }, (answer) => {
    let body = ''
    answer.setEncoding('utf8').on('data', (part: string) => (body += part))
    answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body }))
  })
  sent.on('error', reject)
  sent.end()
  return promise
}

const policyOf = (answer: Response): string => answer.headers.get('content-security-policy') ?? ''

const mayI = (septet: TestSeptet, body: string): Promise<Response> =>
  fetch(`${septet.url}${MAY_SIGN_UP_PATH}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })

const readinessOf = async (septet: TestSeptet, headers: Record<string, string> = {}): Promise<unknown> =>
  (await fetch(`${septet.url}/readyz`, { headers })).json()

const metricsStatus = async (septet: TestSeptet, headers: Record<string, string> = {}): Promise<number> =>
  (await fetch(`${septet.url}/metrics`, { headers })).status

const PUBLIC = {
  SEPTET_HOST: '0.0.0.0',
  SEPTET_AUTHORIZED_EMAIL: 'ops@example.com',
  SEPTET_SETUP_SECRET: 'sixteen-letters!',
}
const NAMED = { ...PUBLIC, SEPTET_PUBLIC_URL: 'https://septet.example.com' }
const BEHIND_PROXY = { ...NAMED, SEPTET_HOST: '127.0.0.1' }

describe('host names', () => {
  test.each([
    ['loopback', {}, '127.0.0.1:7070', true],
    ['loopback', {}, 'localhost', true],
    ['loopback', {}, '[::1]:7070', true],
    ['loopback', {}, 'evil.example', false],
    ['loopback', {}, '127.0.0.1.evil.example', false],
    ['loopback', {}, '10.0.0.7:7070', false],
    ['loopback behind a name', BEHIND_PROXY, 'septet.example.com', true],
    ['loopback behind a name', BEHIND_PROXY, 'evil.example', false],
    ['public without a name', PUBLIC, 'whatever.example', true],
    ['public with a name', NAMED, 'Septet.Example.com', true],
    ['public with a name', NAMED, 'localhost:7070', true],
    ['public with a name', NAMED, 'evil.example', false],
    ['public with a name', NAMED, 'septet.example.com.evil.example', false],
  ] as const)('%s %j: a request for %s is served: %s', async (...[, environment, host, served]) => {
    const { status, body } = await raw(await open(environment), '/api/v1/clusters', { host })
    expect([status, body.includes('is not served here')]).toEqual(served ? [200, false] : [403, true])
  })

  test('what asks by address, not by name, is answered: probes and scrapers', async () => {
    const septet = await open(NAMED, { clusters: ['demo'] })
    for (const path of ['/healthz', '/readyz', '/metrics']) {
      expect([path, (await raw(septet, path, { host: '10.0.0.7:7070' })).status]).toEqual([path, 200])
    }
  })
})

describe('forwarded headers', () => {
  const forged = {
    'x-forwarded-for': '198.51.100.7',
    'x-forwarded-host': 'septet.example.com',
    'x-forwarded-proto': 'https',
  }
  const seen = async (
    septet: TestSeptet,
    admin = 'admin@septet.local',
  ): Promise<{ ip: string; url: string; secure: boolean }> => {
    const signed = await septet.signIn(admin)
    // Behind a proxy the request itself names the proxy's upstream.
    const signInInfo = await raw(septet, SIGN_IN_INFO_PATH, forged)
    const passed = await fetch(`${septet.url}/auth/page-pass`, { method: 'PUT', headers: { ...signed, ...forged } })
    const put = await fetch(`${septet.url}/api/v1/prices/p`, {
      method: 'PUT',
      headers: { ...signed, ...forged, 'content-type': 'application/json' },
      body: JSON.stringify({ usdPerGpuHour: 1, source: 'contract' }),
    })
    expect(put.status).toBe(200)
    const [entry] = await septet.store.access.audit.list({ limit: 1, action: 'prices.put' })
    return {
      ip: entry?.ip ?? '',
      url: (JSON.parse(signInInfo.body) as { url: string }).url,
      secure: passed.headers.get('set-cookie')?.endsWith('; Secure') ?? false,
    }
  }

  test('are believed by nobody unless a proxy was named', async () => {
    const septet = await open()
    expect(await seen(septet)).toEqual({ ip: '127.0.0.1', url: expect.stringMatching(/^http:\/\//u), secure: false })
  })

  test('are believed of a proxy that was named, and of no other address', async () => {
    const trusted = await open({ ...BEHIND_PROXY, SEPTET_TRUSTED_PROXIES: 'loopback' })
    expect(await seen(trusted, 'ops@example.com')).toEqual({
      ip: '198.51.100.7',
      url: 'https://septet.example.com',
      secure: true,
    })
    const other = await open({ SEPTET_TRUSTED_PROXIES: '10.0.0.0/8' })
    expect(await seen(other)).toMatchObject({ ip: '127.0.0.1', secure: false })
  })

  test('a forged host does not get past the check of host names', async () => {
    const septet = await open()
    const answer = await raw(septet, '/api/v1/clusters', { host: 'evil.example', 'x-forwarded-host': 'localhost' })
    expect(answer.status).toBe(403)
  })
})

describe('headers of every answer', () => {
  test('keep scripts to our own files and the page out of frames', async () => {
    const septet = await open()
    for (const path of [
      '/',
      '/api',
      '/api/v1/clusters',
      '/api/v1/nothing',
      '/auth/v1/health',
      SIGN_IN_INFO_PATH,
      '/nowhere',
    ]) {
      const answer = await fetch(`${septet.url}${path}`)
      expect([path, policyOf(answer)]).toEqual([path, expect.stringContaining("script-src 'self';")])
      expect(policyOf(answer)).toContain("frame-ancestors 'none'")
      expect(policyOf(answer)).toContain("connect-src 'self';")
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'same-origin',
        'cross-origin-opener-policy': 'same-origin',
        'permissions-policy': expect.stringContaining('camera=()'),
      })
      expect(answer.headers.get('strict-transport-security')).toBeNull()
    }
  })

  test('ask for TLS for good where people come by https', async () => {
    const septet = await open(BEHIND_PROXY)
    expect((await fetch(`${septet.url}/healthz`)).headers.get('strict-transport-security')).toBe('max-age=63072000')
  })

  test('let the page ask the hosted project that holds the accounts, and no one else', async () => {
    const septet = await open({
      SEPTET_SUPABASE_URL: 'https://project.supabase.co',
      SEPTET_SUPABASE_ANON_KEY: 'sb_publishable_1',
    })
    expect(policyOf(await fetch(septet.url))).toContain("connect-src 'self' https://project.supabase.co;")
  })

  test('answers of the API are kept by nobody', async () => {
    const septet = await open()
    expect((await fetch(`${septet.url}/api/v1/clusters`)).headers.get('cache-control')).toBe('no-store')
  })

  test('an answer that many share comes as one that was made for one of them', async () => {
    const known = factsOf(draw`a  H100-80GB-HBM3  [team/x]`, [])
    const edition = {}
    const alone = await open({}, { facts: { clusters: () => [known] } })
    const shared = await open({}, { facts: { clusters: () => [{ ...known, edition: () => edition }] } })
    const told = await Promise.all(
      [alone, shared, shared].map(async ({ url }) => {
        const answer = await fetch(`${url}/api/v1/partitions`)
        const { headers, status } = answer
        return [status, headers.get('content-type'), headers.get('cache-control'), await answer.text()]
      }),
    )
    expect(told[0]?.slice(0, 3)).toEqual([200, 'application/json; charset=utf-8', 'no-store'])
    expect(told.slice(1)).toEqual([told[0], told[0]])
  })
})

describe('before anyone is signed in', () => {
  test('the sign-in page says how to sign in, under the name that the page was opened by', async () => {
    const septet = await open({ SEPTET_PUBLIC_DEMO: 'off' })
    const { port } = new URL(septet.url)
    for (const name of ['127.0.0.1', 'localhost']) {
      const signInInfo: unknown = JSON.parse((await raw(septet, SIGN_IN_INFO_PATH, { host: `${name}:${port}` })).body)
      expect(signInInfo).toMatchObject({
        mode: 'embedded',
        url: `http://${name}:${port}`,
        demo: false,
        needsSetupSecret: false,
      })
    }
    expect(await (await fetch(`${(await open(PUBLIC)).url}${SIGN_IN_INFO_PATH}`)).json()).toMatchObject({
      needsSetupSecret: true,
    })
  })

  test('an address learns whether it may sign up', async () => {
    const septet = await open({ SEPTET_AUTHORIZED_EMAIL: 'ops@example.com, *@team.example' })
    for (const [email, allowed] of [
      ['ops@example.com', true],
      [' OPS@Example.com ', true],
      ['x@team.example', true],
      ['ops+x@example.com', false],
      ['x@team.example.evil', false],
      ['', false],
    ] as const) {
      expect([email, await (await mayI(septet, JSON.stringify({ email }))).json()]).toEqual([email, { allowed }])
    }
  })

  test('what is not an address is refused, and nobody tries for long', async () => {
    const septet = await open()
    const statuses: number[] = []
    for (const body of ['{}', '{', `{"email":"${'x'.repeat(400)}"}`, '{"email":7}']) {
      statuses.push((await mayI(septet, body)).status)
    }
    expect(statuses).toEqual([400, 400, 400, 400])
    let last = await mayI(septet, '{"email":"a@b.example"}')
    for (let tries = 0; tries < 70 && last.status === 200; tries += 1)
      last = await mayI(septet, '{"email":"a@b.example"}')
    expect([last.status, Number(last.headers.get('retry-after')) > 0]).toEqual([429, true])
    expect(await last.json()).toMatchObject({ code: 'too-many-requests' })
  })
})

const SIZE = { serverVersion: '', nodes: 1, gpus: 1, devices: 1 }
const standing = (kind: ConnectionState['kind'], stored: boolean) => ({
  ...factsOf(draw`node-a T4 [-]`, []),
  connection: (): ConnectionState => ({ kind, lastContact: undefined, problems: [] }),
  size: () => (stored ? SIZE : undefined),
})

describe('health', () => {
  test('is told to anyone, names of clusters only to those who may see them', async () => {
    const septet = await open()
    const ok = 'ok'
    expect(await readinessOf(septet)).toEqual({
      status: 'ready',
      checks: { database: 'ok', 'cluster 1': ok, 'cluster demo': ok },
    })
    expect(await readinessOf(septet, await septet.signIn('admin@septet.local'))).toEqual({
      status: 'ready',
      checks: { database: 'ok', 'cluster production': ok, 'cluster demo': ok },
    })
    expect(await readinessOf(await open({ SEPTET_PUBLIC_DEMO: 'off' }), { authorization: 'Bearer x' })).toMatchObject({
      checks: { 'cluster 1': ok, 'cluster 2': ok },
    })
  })

  test('a cluster that is away is not called ok: Septet is ready, and says what is not', async () => {
    const clusters = [standing('connected', true), standing('disconnected', true)]
    const septet = await open({}, { facts: { clusters: () => clusters } })
    const first = await fetch(`${septet.url}/readyz`)
    expect(first.status).toBe(200)
    expect(await first.json()).toEqual({
      status: 'degraded',
      checks: {
        database: 'ok',
        'cluster 1': 'ok',
        'cluster 2': 'is not responding; what was read before is shown with its time. Its screen says why.',
      },
    })
    clusters[1] = standing('disconnected', false)
    expect(await readinessOf(septet)).toMatchObject({
      status: 'degraded',
      checks: { 'cluster 2': expect.stringContaining('nothing was read of it yet') },
    })
    clusters[1] = standing('connecting', false)
    expect((await fetch(`${septet.url}/readyz`)).status).toBe(503)
  })

  test('what is wrong with the database is told to those who are signed in', async () => {
    const septet = await open()
    const signed = await septet.signIn('admin@septet.local')
    Object.assign(septet.store, { ping: () => Promise.reject(new Error('10.0.0.9:5432 refused the connection.')) })
    expect(await readinessOf(septet)).toMatchObject({
      status: 'not ready',
      checks: { database: expect.stringContaining('log of the server') },
    })
    expect(await readinessOf(septet, signed)).toMatchObject({
      checks: { database: '10.0.0.9:5432 refused the connection.' },
    })
  })
})

describe('metrics', () => {
  test('are open while there is nothing but the demo cluster, and the demo is public', async () => {
    expect(await metricsStatus(await open({}, { clusters: ['demo'] }))).toBe(200)
    expect(await metricsStatus(await open({ SEPTET_PUBLIC_DEMO: 'off' }, { clusters: ['demo'] }))).toBe(401)
  })

  test('need somebody who may see every cluster as soon as there is another', async () => {
    const septet = await open()
    const signed = await septet.signIn('admin@septet.local')
    const tokenFor = async (name: string, clusters?: readonly string[]): Promise<Record<string, string>> => {
      const made = await fetch(`${septet.url}/api/v1/tokens`, {
        method: 'POST',
        headers: { ...signed, 'content-type': 'application/json' },
        body: JSON.stringify({ name, clusters }),
      })
      return { authorization: `Bearer ${((await made.json()) as { secret: string }).secret}` }
    }
    expect(await metricsStatus(septet)).toBe(401)
    expect(await metricsStatus(septet, signed)).toBe(200)
    expect(await metricsStatus(septet, await tokenFor('scraper'))).toBe(200)
    expect(await metricsStatus(septet, await tokenFor('narrow', ['demo']))).toBe(403)
    expect(await metricsStatus(septet, await tokenFor('wide', ['demo', 'production']))).toBe(200)
  })
})
