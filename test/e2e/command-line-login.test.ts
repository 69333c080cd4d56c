import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { childEnvironment } from '../child-environment.ts'
import { signIn } from '../server-process.ts'
import { openBrowser, septetWithoutDemo, type SharedSeptet } from '../shared/shared.ts'

const PERSON = { email: 'terminal@example.com', password: 'a long enough password' }
const MAIN = resolve(import.meta.dirname, '../../apps/cli/src/main.ts')
const MACHINE = hostname().replaceAll(/[^\w.-]/gu, '-')

let septet: SharedSeptet
let browser: Browser
let context: BrowserContext
let page: Page
let folder: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'septet-login-'))
  ;[septet, browser] = await Promise.all([septetWithoutDemo(), openBrowser()])
  await signIn(septet, PERSON)
  context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  page = await context.newPage()
  page.setDefaultTimeout(60_000)
})
afterAll(async () => {
  await browser?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** The program as a person starts it; `opened` is the page that it opened in their browser. */
function septetLogin(...words: readonly string[]) {
  const opened = join(folder, `opened-${Math.random()}`)
  const opener = join(folder, 'browser.sh')
  writeFileSync(opener, '#!/bin/sh\nprintf %s "$1" > "$SEPTET_TEST_OPENED"\n')
  chmodSync(opener, 0o755)
  const child = spawn(process.execPath, [MAIN, 'login', '--server', septet.url, ...words], {
    env: { ...childEnvironment(), XDG_CONFIG_HOME: folder, BROWSER: opener, SEPTET_TEST_OPENED: opened },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (printed += text))
  const code = new Promise<number | null>((done) => child.once('close', done))
  return {
    code,
    printed: () => printed,
    stop: () => child.kill('SIGKILL'),
    says: async (pattern: RegExp): Promise<string> => {
      await expect.poll(() => printed, { timeout: 60_000 }).toMatch(pattern)
      return pattern.exec(printed)?.[1] ?? ''
    },
    opened: async (): Promise<string> => {
      await expect.poll(() => readFileSync(opened, 'utf8'), { timeout: 60_000 }).toContain('http')
      return readFileSync(opened, 'utf8')
    },
  }
}

const button = (name: string) => page.getByRole('button', { name, exact: true })
const kept = (): string => {
  const file = join(folder, 'septet/servers.json')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const { servers } = JSON.parse(readFileSync(file, 'utf8')) as { servers: Record<string, { token: string }> }
  return servers[septet.url]?.token ?? ''
}
const me = async (token: string) => {
  const answer = await fetch(`${septet.url}/api/v1/me`, { headers: { authorization: `Bearer ${token}` } })
  return [answer.status, await answer.json()]
}

test('by the browser here: signed in on the way, allowed, and back in the terminal with a token that can be revoked', async () => {
  const terminal = septetLogin('--role', 'viewer')
  try {
    const code = await terminal.says(/code is ([A-Z]{4}-[A-Z]{4})/u)
    await page.goto(await terminal.opened())
    // Nobody is signed in in this browser yet; the page asked for comes after the sign-in.
    await page.getByLabel('Email').fill(PERSON.email)
    await page.getByLabel('Password', { exact: true }).fill(PERSON.password)
    await button('Sign In').click()
    await page.getByRole('heading', { name: `Let ${MACHINE} use Septet as you?` }).waitFor()
    await page.getByText(code, { exact: true }).waitFor()
    await page.getByText('127.0.0.1').waitFor()
    await button('Allow').click()
    await page.getByRole('heading', { name: 'Allowed' }).waitFor()
    // Neither the code nor what it was worth stays in the address.
    expect(page.url()).toBe(`${septet.url}/dashboard/login?ended=done`)
    expect(await terminal.code).toBe(0)
  } finally {
    terminal.stop()
  }
  expect(terminal.printed()).toContain(`Signed in to ${septet.url} as token:cli-`)
  const token = kept()
  expect(terminal.printed()).not.toContain(token)
  expect(await me(token)).toMatchObject([200, { kind: 'token', role: 'viewer' }])

  await page.goto(`${septet.url}/dashboard/settings/tokens`)
  await page.getByRole('button', { name: /^Revoke cli-/u }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click()
  await page.getByText(/^Revoked cli-/u).waitFor()
  expect((await me(token))[0]).toBe(401)
})

test('by a code that is typed on any machine, which a link cannot bring', async () => {
  const terminal = septetLogin('--no-browser')
  try {
    const code = await terminal.says(/code:\s+([A-Z]{4}-[A-Z]{4})/u)
    await page.goto(`${septet.url}/dashboard/login?code=${code}`)
    const field = page.getByLabel('Code', { exact: true })
    await field.waitFor()
    expect(await button('Allow').count()).toBe(0)
    await field.fill('BBBB-BBBB')
    await button('Continue').click()
    await page.getByText('No command line is waiting under this code').waitFor()
    await field.fill(code.toLowerCase().replace('-', ' '))
    await button('Continue').click()
    await button('Allow').click()
    await page.getByText(`${MACHINE} can now use Septet as you.`).waitFor()
    expect(await terminal.code).toBe(0)
  } finally {
    terminal.stop()
  }
  expect(await me(kept())).toMatchObject([200, { kind: 'token', role: 'viewer' }])
})

test('who is denied is told so in the terminal, and keeps nothing new', async () => {
  const before = kept()
  const terminal = septetLogin()
  try {
    await page.goto(await terminal.opened())
    await button('Deny').click()
    await page.getByRole('heading', { name: 'Denied' }).waitFor()
    expect(await terminal.code).toBe(3)
  } finally {
    terminal.stop()
  }
  expect(terminal.printed()).toContain('The request was denied in the browser.')
  expect(kept()).toBe(before)
})

test('what comes to the terminal from elsewhere is not taken for the browser', async () => {
  const terminal = septetLogin()
  try {
    const address = new URL(await terminal.opened())
    const code = address.searchParams.get('code') ?? ''
    const as = await signIn(septet, PERSON)
    const answer = await fetch(`${septet.url}/api/v1/logins/${code}/approval`, {
      method: 'PUT',
      headers: { ...as, 'content-type': 'application/json' },
      body: '{}',
    })
    const { returnTo } = (await answer.json()) as { returnTo: string }
    const forged = new URL(returnTo)
    forged.searchParams.set('state', 'x'.repeat(32))
    expect((await fetch(forged, { redirect: 'manual' })).status).toBe(400)
    expect((await fetch(new URL('/', returnTo), { redirect: 'manual' })).status).toBe(400)
    expect((await fetch(returnTo, { redirect: 'manual' })).status).toBe(303)
    expect(await terminal.code).toBe(0)
  } finally {
    terminal.stop()
  }
})

test('septet logout revokes the token that this machine was given', async () => {
  const token = kept()
  expect((await me(token))[0]).toBe(200)
  const printed = execFileSync(process.execPath, [MAIN, 'logout'], {
    env: { ...childEnvironment(), XDG_CONFIG_HOME: folder },
    encoding: 'utf8',
  })
  expect(printed).toBe(`Signed out of ${septet.url}. Its token is revoked.\n`)
  expect((await me(token))[0]).toBe(401)
  expect(kept()).toBe('')
})
