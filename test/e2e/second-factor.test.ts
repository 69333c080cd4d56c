import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { authenticatorCode } from '../authenticator.ts'
import { signIn } from '../server-process.ts'
import { openBrowser, septetWithoutDemo, type SharedSeptet } from '../shared/shared.ts'

/** Of its own: a second factor ends every session of an account. */
const OWNER = { email: 'two-factors@example.com', password: 'a long enough password' }
const ACCOUNT = '/dashboard/settings/account'

let septet: SharedSeptet
let browser: Browser
let page: Page
/** Signed in elsewhere, by password alone. */
let elsewhere: { authorization: string }

beforeAll(async () => {
  ;[septet, browser] = await Promise.all([septetWithoutDemo(), openBrowser()])
  elsewhere = await signIn(septet, OWNER)
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  page = await context.newPage()
  page.setDefaultTimeout(60_000)
})
afterAll(() => browser?.close())

const button = (name: string) => page.getByRole('button', { name, exact: true })
const enter = async () => {
  await page.goto(`${septet.url}/auth?next=${encodeURIComponent(ACCOUNT)}`)
  await page.getByLabel('Email').fill(OWNER.email)
  await page.getByLabel('Password', { exact: true }).fill(OWNER.password)
  await button('Sign In').click()
}
const show = async (label: string, code: string) => {
  await page.getByLabel(label).fill(code)
  await button('Verify').click()
}
const me = (headers: { authorization: string }) => fetch(`${septet.url}/api/v1/me`, { headers })
const tokenOfPage = async (): Promise<{ authorization: string }> => {
  const kept = await page.evaluate(() => localStorage.getItem('septet-auth'))
  return { authorization: `Bearer ${(JSON.parse(kept ?? '{}') as { access_token: string }).access_token}` }
}

test('from the settings to the next sign-in, in a browser', async () => {
  await enter()
  await page.waitForURL(`${septet.url}${ACCOUNT}`)
  // Begun and left: the next one begins afresh.
  await button('Set up an authenticator app').click()
  await button('Continue').click()
  const picture = page.getByRole('img', { name: 'QR code of the secret below' })
  await picture.waitFor()
  const isDrawn = () => picture.evaluate((image) => image instanceof HTMLImageElement && image.naturalWidth > 0)
  await expect.poll(isDrawn).toBe(true)
  await button('Cancel').click()
  await button('Set up an authenticator app').click()
  await button('Continue').click()
  await picture.waitFor()
  const secret = (await page.locator('form code').innerText()).replaceAll(' ', '')
  expect(secret).toMatch(/^[A-Z2-7]{16,}$/u)

  await show('Six-digit code', '000000')
  await page.getByText('Invalid TOTP code entered').waitFor()
  expect((await me(elsewhere)).status).toBe(200)
  const first = authenticatorCode(secret)
  await show('Six-digit code', first)
  await button('Add another authenticator').waitFor()
  // Anyone who is in without one is out.
  expect((await me(elsewhere)).status).toBe(401)
  expect((await me(await tokenOfPage())).status).toBe(200)

  await page.getByRole('button', { name: `Account: ${OWNER.email}` }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.waitForURL(`${septet.url}/`)
  await enter()
  await page.getByRole('heading', { name: 'Second factor' }).waitFor()
  await page.reload()
  await page.getByRole('heading', { name: 'Second factor' }).waitFor()
  // The password alone opens neither the interface nor the pages.
  const half = await me(await tokenOfPage())
  expect([half.status, ((await half.json()) as { code: string }).code]).toEqual([403, 'second-factor-needed'])
  const closed = await page.request.get(`${septet.url}${ACCOUNT}`, { maxRedirects: 0 })
  expect(closed.status()).toBe(302)

  // A code that was seen once opens nothing more.
  await show('Six-digit code', first)
  await page.getByTestId('said').waitFor()
  await show('Six-digit code', authenticatorCode(secret, 30))
  await page.waitForURL(`${septet.url}${ACCOUNT}`)
  expect((await me(await tokenOfPage())).status).toBe(200)

  await button('Remove Authenticator app').click()
  await button('Set up an authenticator app').waitFor()
  expect((await me(await signIn(septet, OWNER))).status).toBe(200)
})
