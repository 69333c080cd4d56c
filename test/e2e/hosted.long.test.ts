import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { createClient } from '@supabase/supabase-js'
import { base64url, decodeJwt, exportSPKI, generateKeyPair, importJWK, SignJWT, type CryptoKey } from 'jose'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { authenticatorCode } from '../authenticator.ts'
import { eventually, newDataDir, removeDataDir, startSeptet, type SeptetProcess } from '../server-process.ts'
import { openBrowser } from '../shared/shared.ts'

const PASSWORD = 'a long enough password'
/** Admitted by both. */
const OPS = { email: 'ops@example.com', password: PASSWORD }
/** Admitted by the project only. */
const BOB = { email: 'bob@example.com', password: PASSWORD }

/** A second Septet that plays the hosted project, with accounts, data directory and address of its own. */
let project: SeptetProcess
let septet: SeptetProcess
let browser: Browser
/** What the project gave two hours ago. */
let old: { access_token: string; refresh_token: string }

const portOf = (url: string): string => new URL(url).port
const startProject = (dataDir: string, more: Record<string, string> = {}) =>
  startSeptet({
    dataDir,
    environment: { SEPTET_DEMO: 'off', SEPTET_AUTHORIZED_EMAIL: 'ops@example.com, *@example.com', ...more },
  })
const startHosted = (dataDir: string, port = '0') =>
  startSeptet({
    dataDir,
    environment: {
      SEPTET_DEMO: 'off',
      SEPTET_PORT: port,
      SEPTET_AUTHORIZED_EMAIL: OPS.email,
      SEPTET_SUPABASE_URL: project.url,
      SEPTET_SUPABASE_ANON_KEY: 'sb_publishable_anything',
    },
  })

/** A module that sets the clock of a process back by two hours. */
async function clockSetBack(folder: string): Promise<string> {
  const path = join(folder, 'clock-set-back.mjs')
  await writeFile(
    path,
    `const Now = Date
     const at = () => Now.now() - 7_200_000
     globalThis.Date = class extends Now {
       constructor(...given) { super(...(given.length === 0 ? [at()] : given)) }
       static now() { return at() }
     }`,
  )
  return `--import ${pathToFileURL(path).href}`
}

beforeAll(async () => {
  const folder = await newDataDir()
  const past = await startProject(folder, { NODE_OPTIONS: await clockSetBack(folder) })
  const made = await fetch(`${past.url}/auth/v1/signup`, { method: 'POST', body: JSON.stringify(OPS) })
  old = (await made.json()) as typeof old
  await past.stop()
  project = await startProject(folder, { SEPTET_PORT: portOf(past.url) })
  ;[septet, browser] = await Promise.all([startHosted(await newDataDir()), openBrowser()])
})
afterAll(async () => {
  await browser?.close()
  for (const each of [septet, project]) {
    await each?.stop()
    if (each !== undefined) await removeDataDir(each.dataDir)
  }
})

/** A client of the project, as a page has one. */
const client = () =>
  createClient(project.url, 'sb_publishable_anything', { auth: { persistSession: false, autoRefreshToken: false } })
    .auth

async function signedIn(account: typeof OPS) {
  const auth = client()
  // One that is there already is not an error: the sign-in tells.
  await auth.signUp(account)
  const { data, error } = await auth.signInWithPassword(account)
  if (error !== null) throw error
  return { auth, id: data.user.id, token: data.session.access_token }
}

const ask = (token: string, path = '/api/v1/me') =>
  fetch(`${septet.url}${path}`, { headers: { authorization: `Bearer ${token}` } })
async function outcome(token: string): Promise<[number, string | undefined]> {
  const answer = await ask(token)
  return [answer.status, ((await answer.json()) as { code?: string }).code]
}

describe('an account of the project', () => {
  test('comes in with the role that this Septet gives its address', async () => {
    const { token } = await signedIn(OPS)
    const answer = await ask(token)
    expect(answer.status).toBe(200)
    expect(await answer.json()).toMatchObject({ name: OPS.email, role: 'admin', mode: 'hosted' })
  })

  test('is refused when only the project admits its address', async () => {
    const { token } = await signedIn(BOB)
    expect(await outcome(token)).toEqual([403, 'not-allowed'])
  })

  test('is out once it signed out there', async () => {
    const { auth, token } = await signedIn(OPS)
    await auth.signOut({ scope: 'local' })
    expect(await outcome(token)).toEqual([401, 'not-signed-in'])
  })
})

/** The public key that the project signs with. */
const keyOfProject = async () => {
  const answer = await fetch(`${project.url}/auth/v1/.well-known/jwks.json`)
  const { keys } = (await answer.json()) as { keys: [{ kid: string; kty: string }] }
  return keys[0]
}

/** Signed with a key of a stranger's own, over what a real token says but for the changes. */
const forge = async (
  change: Record<string, unknown>,
  header: Record<string, unknown>,
  key?: CryptoKey | Uint8Array,
): Promise<string> => {
  const { token } = await signedIn(OPS)
  const own = (await generateKeyPair('ES256')).privateKey
  const kid = (await keyOfProject()).kid
  return new SignJWT({ ...decodeJwt(token), ...change })
    .setProtectedHeader({ alg: 'ES256', kid, ...header })
    .sign(key ?? own)
}

describe('a token', () => {
  test('that has expired is refused, and its session goes on after a refresh', async () => {
    expect(decodeJwt(old.access_token).exp).toBeLessThan(Date.now() / 1000)
    expect(await outcome(old.access_token)).toEqual([401, 'not-signed-in'])
    const { data, error } = await client().refreshSession({ refresh_token: old.refresh_token })
    expect(error).toBeNull()
    expect((await ask(data.session?.access_token ?? '')).status).toBe(200)
  })

  test.each([
    ['of another issuer', { iss: 'http://127.0.0.1:9/auth/v1' }, {}],
    ['of another key under the project’s name for it', {}, {}],
    ['of a key that the project does not know', {}, { kid: 'another' }],
    ['without the name of a key', {}, { kid: undefined }],
  ])('%s is refused', async (_what, change, header) => {
    expect(await outcome(await forge(change, header))).toEqual([401, 'not-signed-in'])
  })

  test('without a signature is refused', async () => {
    const { token } = await signedIn(OPS)
    const [, payload = '', signature = ''] = token.split('.')
    const none = base64url.encode(JSON.stringify({ alg: 'none', typ: 'JWT' }))
    for (const forged of [`${none}.${payload}.`, `${none}.${payload}.${signature}`]) {
      expect((await ask(forged)).status).toBe(401)
    }
  })

  test('that was signed with the public key as if it were a shared secret is refused', async () => {
    const jwk = await keyOfProject()
    const key = await importJWK(jwk, 'ES256', { extractable: true })
    if (key instanceof Uint8Array) throw new Error('the key is no public key')
    for (const secret of [await exportSPKI(key), JSON.stringify(jwk)]) {
      const forged = await forge({}, { alg: 'HS256' }, Buffer.from(secret))
      expect(await outcome(forged)).toEqual([401, 'not-signed-in'])
    }
  })
})

// Ends every session without it, so it comes after those who still need theirs.
describe('an account with a second factor', () => {
  test('must show here what it has there', async () => {
    const { auth, token } = await signedIn(OPS)
    const enrolled = await auth.mfa.enroll({ factorType: 'totp', friendlyName: 'phone' })
    if (enrolled.error !== null) throw enrolled.error
    const { id, totp } = enrolled.data
    const verified = await auth.mfa.challengeAndVerify({
      factorId: id,
      code: authenticatorCode(totp.secret),
    })
    expect(verified.error).toBeNull()
    const raised = (await auth.getSession()).data.session?.access_token ?? ''
    expect((await signedIn(OPS).then((half) => outcome(half.token)))[1]).toBe('second-factor-needed')
    expect((await ask(raised)).status).toBe(200)
    // The session goes on with the token from before, which has shown less.
    expect((await outcome(token))[1]).toBe('second-factor-needed')
    expect((await auth.mfa.unenroll({ factorId: id })).error).toBeNull()
  })
})

describe('in a browser', () => {
  test('the sign-in page leads to the project, and an outage of it signs nobody out', async () => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
    const page = await context.newPage()
    page.setDefaultTimeout(60_000)
    const complaints: string[] = []
    page.on(
      'console',
      (message) => message.text().includes('Content Security Policy') && complaints.push(message.text()),
    )
    const kept = () => page.evaluate(() => localStorage.getItem('septet-auth'))

    await page.goto(`${septet.url}/auth?next=/dashboard/settings/account`)
    await page.getByLabel('Email').fill(OPS.email)
    await page.getByLabel('Password', { exact: true }).fill(OPS.password)
    await page.getByRole('button', { name: 'Sign In', exact: true }).click()
    await page.waitForURL(`${septet.url}/dashboard/settings/account`)
    await page.getByText(new URL(project.url).host).waitFor()
    const { token } = await signedIn(OPS)
    const unseen = (await signedIn(OPS)).token
    expect((await ask(token)).status).toBe(200)

    const { dataDir: folder, url } = project
    await project.stop()
    // Who was recognized a moment ago still is; of others nothing can be said, and that is what they are told.
    expect((await ask(token)).status).toBe(200)
    const answer = await ask(unseen)
    expect(answer.status).toBe(503)
    expect(await answer.json()).toMatchObject({
      code: 'sign-in-unavailable',
      detail: expect.stringContaining('is not responding'),
    })
    await page.reload()
    await page.getByText('admin', { exact: false }).first().waitFor()

    // Started again it knows nobody: still nobody is sent away.
    await septet.stop()
    septet = await startHosted(septet.dataDir, portOf(septet.url))
    expect((await ask(token)).status).toBe(503)
    await page.reload()
    await page.getByText('is not responding').first().waitFor()
    expect(await kept()).toContain('access_token')

    project = await startProject(folder, { SEPTET_PORT: portOf(url) })
    await eventually(
      () => ask(token),
      ({ status }) => status === 200,
    )
    await page.goto(`${septet.url}/dashboard/settings/account`)
    await page.getByText(new URL(project.url).host).waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })
})
