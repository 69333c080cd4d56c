import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request as ask } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { openTestSeptet, type TestSeptet } from './open-test-septet.fixture.ts'

const FILES: Record<string, string> = {
  'index.html': '<h1>Site</h1>',
  'compare/index.html': '<h1>Compare</h1>',
  'docs/api/errors/index.html': '<h1>Errors</h1>',
  'auth.html': '<h1>SignInInfo</h1>',
  'app.html': '<h1>App</h1>',
  '404.html': '<h1>Oops! Page not found</h1>',
  'theme.js': 'theme()',
  'assets/app-1a2b3c.js': 'app()',
  '.vite/manifest.json': '{}',
}

let dist: string
let septet: TestSeptet
let closed: TestSeptet

beforeAll(async () => {
  dist = await mkdtemp(join(tmpdir(), 'septet-dist-'))
  for (const [name, text] of Object.entries(FILES)) {
    await mkdir(dirname(join(dist, name)), { recursive: true })
    await writeFile(join(dist, name), text)
    await writeFile(join(dist, `${name}.br`), brotliCompressSync(text))
    await writeFile(join(dist, `${name}.gz`), gzipSync(text))
  }
  septet = await openTestSeptet({ dist })
  closed = await openTestSeptet({ dist, environment: { SEPTET_PUBLIC_DEMO: 'off' } })
})
afterAll(async () => {
  await septet.close()
  await closed.close()
  await rm(dist, { recursive: true })
})

const get = (path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`${septet.url}${path}`, { redirect: 'manual', ...init })
const page = async (path: string, init?: RequestInit): Promise<[number, string]> => {
  const answer = await get(path, init)
  return [answer.status, await answer.text()]
}

/** As it comes over the wire: `fetch` unpacks, and tidies paths up before it asks. */
type Raw = { readonly status: number; readonly headers: NodeJS.Dict<unknown>; readonly body: Buffer }
function raw(path: string, encoding: string, more: Record<string, string> = {}): Promise<Raw> {
  const { promise, resolve, reject } = Promise.withResolvers<Raw>()
  const { port } = new URL(septet.url)
  const sent = ask({ host: '127.0.0.1', port, path, headers: { ...more, 'accept-encoding': encoding } }, (answer) => {
    const parts: Buffer[] = []
    answer.on('data', (part: Buffer) => parts.push(part))
    answer.on('end', () =>
      resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(parts) }),
    )
  })
  sent.on('error', reject)
  sent.end()
  return promise
}

test.each([
  `/${'x'.repeat(300)}`,
  `/docs/${'x'.repeat(5000)}`,
  `/assets/${'x'.repeat(300)}.js`,
  '/x'.repeat(3000),
  `/${'x'.repeat(300)}/`,
])('a path that is longer than any file has the page for what is not there: %#', async (path) => {
  expect(await page(path)).toEqual([404, '<h1>Oops! Page not found</h1>'])
})

describe('pages', () => {
  test.each([
    ['/', 'Site'],
    ['/?utm=1', 'Site'],
    ['/compare', 'Compare'],
    ['/docs/api/errors', 'Errors'],
    ['/auth', 'SignInInfo'],
    ['/auth?next=%2Fdashboard', 'SignInInfo'],
    ['/demo', 'App'],
    ['/demo/cost?range=7d', 'App'],
  ])('%s is the page it names', async (path, title) => {
    expect(await page(path)).toEqual([200, `<h1>${title}</h1>`])
  })

  test.each([
    '/nowhere',
    '/compare/nowhere',
    '/docs',
    '/index.html',
    '/app.html',
    '/app.html.br',
    '/app.html.gz',
    '/compare/index.html',
    '/a%2Fb',
  ])('%s is answered 404, with the page that says so', async (path) => {
    expect(await page(path)).toEqual([404, '<h1>Oops! Page not found</h1>'])
  })

  test.each([
    '/.vite/manifest.json',
    '/assets/',
    '/assets',
    '/..',
    '/%2e%2e/package.json',
    '//example.com/',
    '/assets/none.js',
  ])('nothing is told of %s', async (path) => {
    const { status, body, headers } = await raw(path, 'identity')
    expect([status, headers['location']]).toEqual([404, undefined])
    expect(body.toString()).toContain('Page not found')
  })

  test('a page that is not there is never "not modified"', async () => {
    const answer = await get('/nowhere', { headers: { 'if-modified-since': new Date().toUTCString() } })
    expect([answer.status, answer.headers.get('etag')]).toEqual([404, null])
  })

  test('a slash too many leads to the page, within this site', async () => {
    const answer = await get('/compare/?x=1')
    expect([answer.status, answer.headers.get('location')]).toEqual([308, '/compare?x=1'])
  })

  test('what is asked of the API or the auth service and is not there is a problem document', async () => {
    for (const path of ['/api/v1/nothing', '/api/', '/api/v1/']) {
      const answer = await get(path)
      expect([answer.status, answer.headers.get('content-type')]).toEqual([
        404,
        'application/problem+json; charset=utf-8',
      ])
    }
    expect((await get('/compare', { method: 'POST' })).status).toBe(404)
  })

  test('HEAD is answered like GET, without a body', async () => {
    const answer = await get('/compare', { method: 'HEAD' })
    expect([answer.status, await answer.text()]).toEqual([200, ''])
    expect((await get('/nowhere', { method: 'HEAD' })).status).toBe(404)
    expect((await get('/dashboard', { method: 'HEAD' })).status).toBe(302)
  })

  test('say the address that people reach this server at, and no other that is served from the same build', async () => {
    const rest = `<meta property="og:type" content="website"/></head><a href="/compare">${'more '.repeat(10_000)}</a>`
    const text = `<head>${rest}`
    await mkdir(join(dist, 'shared'))
    await writeFile(join(dist, 'shared/index.html'), text)
    const addresses = ['http://localhost:7001', 'http://127.0.0.1:7002']
    for (const address of addresses) {
      const named = await openTestSeptet({ dist, environment: { SEPTET_PUBLIC_URL: address } })
      const answer = await fetch(`${named.url}/shared`)
      expect([answer.status, answer.headers.get('content-encoding')]).toEqual([200, 'gzip'])
      expect(await answer.text()).toBe(
        `<head><link rel="canonical" href="${address}/shared"/><meta property="og:url" content="${address}/shared"/><meta property="og:image" content="${address}/share.png"/><meta name="twitter:image" content="${address}/share.png"/>${rest}`,
      )
      await named.close()
    }
    expect(await page('/shared')).toEqual([200, text])
  })

  test('the demo is not there where it is switched off', async () => {
    expect((await fetch(`${closed.url}/demo`)).status).toBe(404)
    expect((await fetch(`${closed.url}/demo/cost`)).status).toBe(404)
  })
})

const UNPACK: Record<string, (body: Buffer) => Buffer> = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
  identity: (body) => body,
}

describe('bytes', () => {
  test.each([
    ['br, gzip', 'br'],
    ['gzip', 'gzip'],
    ['identity', undefined],
  ])('who accepts "%s" is sent %s', async (accepts, encoding) => {
    for (const path of ['/compare', '/assets/app-1a2b3c.js', '/nowhere']) {
      const { headers, body } = await raw(path, accepts)
      expect([path, headers['content-encoding'], headers['vary']]).toEqual([path, encoding, 'accept-encoding'])
      const unpack = UNPACK[encoding ?? 'identity']
      expect(unpack?.(body).toString()).toMatch(/Compare|app\(\)|Oops/u)
    }
  })

  test('compressed pages are pages still', async () => {
    expect((await raw('/compare', 'br')).headers['content-type']).toBe('text/html; charset=utf-8')
    expect((await raw('/assets/app-1a2b3c.js', 'br')).headers['content-type']).toMatch(/javascript/u)
  })

  test('assets are kept for good, pages are asked about again and answered "not modified"', async () => {
    const lasting = await get('/assets/app-1a2b3c.js')
    expect(lasting.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    for (const path of ['/', '/compare', '/auth', '/theme.js']) {
      const first = await get(path)
      expect([path, first.headers.get('cache-control')]).toEqual([path, 'no-cache'])
      const etag = String((await raw(path, 'br')).headers['etag'])
      const again = await raw(path, 'br', { 'if-none-match': etag })
      expect([path, again.status]).toEqual([path, 304])
    }
  })
})

describe('the dashboard', () => {
  test('leads to the sign-in page without a pass, and back to where it was asked for', async () => {
    for (const path of ['/dashboard', '/dashboard/cost?range=7d&by=pool']) {
      const answer = await get(path)
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([302, 'no-store'])
      expect(answer.headers.get('location')).toBe(`/auth?next=${encodeURIComponent(path)}`)
    }
  })

  test('opens with a pass, which is for people who are signed in, and closes when it is taken back', async () => {
    const signed = await septet.signIn('admin@septet.local')
    const passed = await get('/auth/page-pass', { method: 'PUT', headers: signed })
    expect(passed.status).toBe(204)
    const [cookie = '', ...attributes] = (passed.headers.get('set-cookie') ?? '').split('; ')
    expect(attributes).toEqual([
      'Path=/dashboard',
      expect.stringMatching(/^Max-Age=3\d{3}$/u),
      'HttpOnly',
      'SameSite=Strict',
    ])
    expect(await page('/dashboard/cost', { headers: { cookie: `other=1; ${cookie}` } })).toEqual([200, '<h1>App</h1>'])
    const taken = await get('/auth/page-pass', { method: 'DELETE' })
    expect(taken.headers.get('set-cookie')).toMatch(/^septet-page=; Path=\/dashboard; Max-Age=0;/u)
  })

  test('does not open with a pass that was made up, changed, or is over', async () => {
    const { secrets } = septet.identity.auth.context
    const past = String(Date.now() - 1)
    const later = String(Date.now() + 60_000)
    const hash = secrets.keyedHash('page-pass', later)
    expect((await get('/dashboard', { headers: { cookie: `septet-page=${later}.${hash}` } })).status).toBe(200)
    for (const value of [
      '',
      'yes',
      `${past}.${secrets.keyedHash('page-pass', past)}`,
      `${Number(later) + 1}.${hash}`,
      `${later}.${secrets.keyedHash('api-token', later)}`,
      `${later}.${'0'.repeat(64)}`,
    ]) {
      const answer = await get('/dashboard', { headers: { cookie: `septet-page=${value}` } })
      expect([value, answer.status]).toEqual([value, 302])
    }
  })

  test('a pass is not given to visitors and programs', async () => {
    const signed = await septet.signIn('admin@septet.local')
    const made = await get('/api/v1/tokens', {
      method: 'POST',
      headers: { ...signed, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'program', role: 'admin' }),
    })
    const { secret } = (await made.json()) as { secret: string }
    for (const headers of [{}, { authorization: `Bearer ${secret}` }, { authorization: 'Bearer nonsense' }]) {
      const answer = await get('/auth/page-pass', { method: 'PUT', headers })
      expect([answer.status, answer.headers.get('set-cookie')]).toEqual([401, null])
    }
  })

  test('no operation takes the cookie for an authorization', async () => {
    const signed = await closed.signIn('admin@septet.local')
    const passed = await fetch(`${closed.url}/auth/page-pass`, { method: 'PUT', headers: signed })
    const [cookie = ''] = (passed.headers.get('set-cookie') ?? '').split('; ')
    expect((await fetch(`${closed.url}/api/v1/clusters`, { headers: { cookie } })).status).toBe(401)
  })
})
