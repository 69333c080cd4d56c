import { expect, test } from 'vitest'
import type { Page } from 'playwright-core'

import { removeDataDir, startSeptet } from '../server-process.ts'
import { openBrowser } from '../shared/shared.ts'

const PASSWORD = 'four words in a row'

test('a new user sees the hero pack, the demo, the sign-in page, the dashboard, and leaves again, by clicking alone', async () => {
  const septet = await startSeptet({ entry: 'scripts/start.mjs' })
  const browser = await openBrowser()
  try {
    // The line that `npm start` prints for exactly this.
    const { address = '', email = '' } =
      /^Sign up at (?<address>\S+) as (?<email>\S+)/mu.exec(septet.printed())?.groups ?? {}
    expect(address).toBe(`${septet.url}/auth`)
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
    page.setDefaultTimeout(60_000)
    const wrong = wrongsOf(page, septet.url)

    await page.goto(septet.url)
    await seeTheHeroPack(page)
    await page.getByRole('link', { name: 'Watch Demo' }).first().click()
    await seeTheDemo(page)
    await page.getByRole('link', { name: 'Sign in', exact: true }).locator('visible=true').first().click()
    await page.waitForURL(address)
    await signUp(page, email)
    await signIn(page)
    await page.waitForURL(`${septet.url}/`)
    await header(page).getByRole('link', { name: 'Open dashboard' }).locator('visible=true').click()
    await seeTheDashboard(page, email)
    await page.getByRole('button', { name: `Account: ${email}` }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.waitForURL(`${septet.url}/`)

    await header(page).getByRole('link', { name: 'Dashboard', exact: true }).click()
    await page.waitForURL(`${septet.url}/auth?next=%2Fdashboard`)
    await page.goto(septet.url)
    for (const name of ['Sign In', 'Get Started for Free']) {
      await header(page).getByRole('link', { name, exact: true }).locator('visible=true').click()
      await page.waitForURL(address)
      await page.goBack()
    }
    expect(wrong).toEqual([])
  } finally {
    await browser.close()
    expect(await septet.stop()).toBe(0)
    await removeDataDir(septet.dataDir)
  }
})

const header = (page: Page) => page.getByRole('banner')

/** Collects what a page must not do: throw, complain, break the security policy, or ask another origin. */
function wrongsOf(page: Page, origin: string): string[] {
  const wrong: string[] = []
  page.on('pageerror', (error) => wrong.push(error.message))
  page.on('console', (message) => {
    // A Septet that has just begun answers 503 for what it does not know yet, and browsers complain about every one.
    if (message.type() === 'error' && !message.text().includes('503')) wrong.push(message.text())
  })
  page.on('request', (request) => {
    if (!request.url().startsWith(`${origin}/`) && !/^(data|blob):/u.test(request.url())) wrong.push(request.url())
  })
  return wrong
}

async function seeTheHeroPack(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1, name: /Nothing idle/u }).waitFor()
  const hero = page.locator('[data-island=hero]')
  await hero.getByText(/^\d+ GPUs, proven optimal$|^\d+ above the bound of \d+$/u).waitFor()
  const picture = (): Promise<string> => hero.locator('figure').innerHTML()
  const first = await picture()
  await expect.poll(picture).not.toBe(first)
  await hero.getByRole('button', { name: 'Pause the score' }).click()
  await hero.getByRole('button', { name: 'Play the score' }).waitFor()
  const still = await picture()
  await page.evaluate(() => new Promise((done) => setTimeout(done, 500)))
  expect(await picture()).toBe(still)
}

async function seeTheDemo(page: Page): Promise<void> {
  await page.getByRole('heading', { name: 'GPU Optimization Summary' }).waitFor()
  await page.getByText('Live demo, read only').locator('visible=true').waitFor()
  await page
    .getByText(/^\d+ running/u)
    .first()
    .waitFor()
}

async function signUp(page: Page, email: string): Promise<void> {
  await page.getByRole('heading', { name: 'Sign In or Create Account' }).waitFor()
  await page.getByRole('button', { name: 'No account yet? Sign up' }).click()
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign Up', exact: true }).click()
  await page.locator('[data-sonner-toast]').getByText('Account created successfully! You can now sign in.').waitFor()
}

/** The address is kept from the sign-up. */
async function signIn(page: Page): Promise<void> {
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
}

async function seeTheDashboard(page: Page, email: string): Promise<void> {
  await page.getByRole('heading', { name: 'GPU Optimization Summary' }).waitFor()
  await page.getByRole('button', { name: `Account: ${email}` }).waitFor()
  await page
    .getByText(/^\d+ running/u)
    .first()
    .waitFor()
  await page.getByRole('img', { name: /A100/u }).first().waitFor()
}
