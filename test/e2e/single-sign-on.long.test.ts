import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { openOidcIssuer, type OidcIssuer } from '../oidc-issuer.ts'
import { axeFindings, overflow } from '../page-flaws.ts'
import { removeDataDir, startSeptet, type SeptetProcess } from '../server-process.ts'
import { openBrowser } from '../shared/shared.ts'
import { windowsOf, type Windows } from '../windows.ts'

const OWNER = { email: 'admin@septet.local', password: 'a long enough password' }
const ACCOUNT = '/dashboard/settings/account'

let folder: string
let issuer: OidcIssuer
let septet: SeptetProcess
let browser: Browser
let open: Windows

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'septet-sso-'))
  issuer = await openOidcIssuer({
    ann: { email: 'ann@example.com', groups: ['people', 'ml'] },
    eve: { email: 'eve@example.com', groups: ['people'] },
  })
  writeFileSync(join(folder, 'secret'), issuer.secret)
  ;[septet, browser] = await Promise.all([
    startSeptet({
      environment: {
        SEPTET_DEMO: 'off',
        SEPTET_SSO_NAME: 'Acme Identity',
        SEPTET_SSO_ISSUER: issuer.url,
        SEPTET_SSO_CLIENT_ID: issuer.clientId,
        SEPTET_SSO_CLIENT_SECRET_FILE: join(folder, 'secret'),
        SEPTET_SSO_SCOPES: 'openid email groups',
        SEPTET_SSO_SIGN_OUT: 'on',
        SEPTET_SSO_GROUPS: 'ml=operator:team-a+team-b,platform=admin',
      },
    }),
    openBrowser(),
  ])
  issuer.register(septet.url)
  open = windowsOf(browser)
})
afterAll(async () => {
  await browser?.close()
  await septet?.stop()
  await issuer?.close()
  await removeDataDir(septet.dataDir)
  rmSync(folder, { recursive: true, force: true })
})

const alone = async (): Promise<Page> => {
  const page = await open({ viewport: { width: 1280, height: 800 }, alone: true })
  page.setDefaultTimeout(60_000)
  return page
}
const towardsProvider = (page: Page) => page.getByRole('link', { name: 'Continue with Acme Identity' })

/** Signs in at the provider's own page. */
async function signInThere(page: Page, name: string): Promise<void> {
  await towardsProvider(page).click()
  await page.locator('input[name=login]').fill(name)
  await page.locator('input[name=password]').fill('whatever it asks for')
  await page.getByRole('button', { name: /sign-in/iu }).click()
}

const fact = (page: Page, name: string) => page.locator(`dt:text-is("${name}") + dd`)

test('someone signs in at their provider, and has here what their groups give, until it says that they are gone', async () => {
  const page = await alone()
  await page.goto(`${septet.url}${ACCOUNT}`)
  await page.waitForURL(/\/auth\?next=/u)
  expect([await axeFindings(page), await overflow(page)]).toEqual([[], 0])
  await signInThere(page, 'ann')
  await page.waitForURL(`${septet.url}${ACCOUNT}`)
  await expect.poll(() => fact(page, 'Email').textContent()).toBe('ann@example.com')
  expect(await fact(page, 'Role').textContent()).toMatch(/^operator/u)
  expect(await fact(page, 'Namespaces').textContent()).toBe('team-a, team-b')
  expect(await fact(page, 'Account stored in').textContent()).toBe('Acme Identity')

  // Elsewhere in the same browser the person signs out at the provider, and of everything that it signed them in to.
  const there = await page.context().newPage()
  await there.goto(`${issuer.url}/session/end`)
  await there.getByRole('button', { name: /yes/iu }).click()
  await there.getByText(/sign-out success/iu).waitFor()
  // Its own stream may have told the page already: it is then on its way to the sign-in, which ends this reload.
  await page.reload().catch(() => undefined)
  await page.waitForURL(/\/auth\?/u)
  await towardsProvider(page).waitFor()
  await page.close()
})

test('who signs out here is signed out at the provider too, and comes back to the sign-in', async () => {
  const page = await alone()
  await page.goto(`${septet.url}/auth?next=${encodeURIComponent(ACCOUNT)}`)
  await signInThere(page, 'ann')
  await page.waitForURL(`${septet.url}${ACCOUNT}`)
  await page.getByRole('button', { name: 'This device' }).click()
  await page.waitForURL(new RegExp(`^${issuer.url}/session/end`, 'u'))
  // Whatever the person says there, the session here has ended.
  const elsewhere = await page.context().newPage()
  await elsewhere.goto(`${septet.url}${ACCOUNT}`)
  await elsewhere.waitForURL(/\/auth\?next=/u)
  await elsewhere.close()
  await page.getByRole('button', { name: /yes/iu }).click()
  await page.waitForURL(`${septet.url}/auth`)
  await towardsProvider(page).click()
  // It asks who is there, as it no longer knows.
  await page.locator('input[name=login]').waitFor()
  expect(new URL(page.url()).origin).toBe(issuer.url)
  await page.close()
})

test('groups are read again at each sign-in: more of them give more, and none keeps the door shut', async () => {
  const page = await alone()
  issuer.people['ann'] = { email: 'ann@example.com', groups: ['platform'] }
  await page.goto(`${septet.url}/auth?next=${encodeURIComponent('/dashboard/settings/members')}`)
  await signInThere(page, 'ann')
  const row = page.getByRole('row', { name: /ann@example\.com/u })
  await row.waitFor()
  expect(await row.textContent()).toMatch(/admin.*all.*groups/u)
  await page.close()

  const other = await alone()
  await other.goto(`${septet.url}/auth`)
  await signInThere(other, 'eve')
  await other.getByText('None of your groups at Acme Identity gives access to this Septet').waitFor()
  expect(new URL(other.url()).search).toBe('')
  await other.close()
})

test('while the provider is away the page says so, and a password opens as ever', async () => {
  await issuer.close()
  const page = await alone()
  await page.goto(`${septet.url}/auth?next=${encodeURIComponent(ACCOUNT)}`)
  await towardsProvider(page).click()
  await page.getByText('Acme Identity is not responding, so signing in with it does not work right now.').waitFor()
  expect([await axeFindings(page), await overflow(page)]).toEqual([[], 0])
  await page.getByRole('button', { name: 'No account yet? Sign up' }).click()
  await page.getByLabel('Email').fill(OWNER.email)
  await page.getByLabel('Password', { exact: true }).fill(OWNER.password)
  await page.getByRole('button', { name: 'Sign Up', exact: true }).click()
  await page.getByRole('button', { name: 'Sign In', exact: true }).waitFor()
  await page.getByLabel('Password', { exact: true }).fill(OWNER.password)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await page.waitForURL(`${septet.url}${ACCOUNT}`)
  await expect.poll(() => fact(page, 'Email').textContent()).toBe(OWNER.email)
  await page.close()
})
