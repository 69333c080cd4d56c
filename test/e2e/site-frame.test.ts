import { join } from 'node:path'

import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { openBrowser, webFolder } from '../shared/shared.ts'
import { windowsOf, type Windows } from '../windows.ts'
import { openFixtureServer } from './dashboard/fixture-server.ts'
import type { FixtureServer } from './dashboard/fixture-server.ts'

const HOME = '/'

let browser: Browser
let open: Windows
let server: FixtureServer
let dist: string

beforeAll(async () => {
  dist = await webFolder()
  browser = await openBrowser()
  open = windowsOf(browser)
  server = await openFixtureServer(dist)
})
afterAll(async () => {
  await browser?.close()
  await server?.close()
})

/** Opens a page of the site, hands it over, and fails on any error, and on any request to another origin. */
async function visit(path: string, context: BrowserContextOptions, look: (page: Page) => Promise<void>): Promise<void> {
  const page = await open(context)
  page.setDefaultTimeout(60_000)
  const wrong: string[] = []
  page.on('pageerror', (error) => wrong.push(error.message))
  page.on('console', (message) => void (message.type() === 'error' && wrong.push(message.text())))
  page.on('request', (request) => void (request.url().startsWith(server.url) || wrong.push(request.url())))
  try {
    // The fixture has the dashboard at its root, where the real server has the landing page.
    await page.route(`${server.url}/`, (route) => route.fulfill({ path: join(dist, 'index.html') }))
    await page.goto(`${server.url}${path}`)
    await look(page)
    expect(wrong).toEqual([])
  } finally {
    await page.close()
  }
}

const NARROW = { viewport: { width: 360, height: 740 } }

describe('the header', () => {
  test('has a theme to choose that lasts from page to page', () =>
    visit('/terms/index.html', { colorScheme: 'light' }, async (page) => {
      const theme = page.getByRole('button', { name: /^Theme:/u })
      await theme.click()
      await page.getByRole('button', { name: 'Theme: light. Change to dark' }).click()
      await page.goto(`${server.url}/about/index.html`)
      await expect.poll(() => page.locator('html').getAttribute('data-theme')).toBe('dark')
      await page.getByRole('button', { name: 'Theme: dark. Change to as the system' }).click()
      await expect.poll(() => page.evaluate(() => localStorage.getItem('septet-theme'))).toBeNull()
    }))

  test('has a menu on narrow screens that works without scripts', () =>
    visit(HOME, { ...NARROW, javaScriptEnabled: false }, async (page) => {
      const menu = page.getByRole('navigation', { name: 'Main, in a menu' })
      expect(await menu.isVisible()).toBe(false)
      await page.locator('details[data-menu] summary').click()
      await menu.getByRole('link', { name: 'Pricing' }).waitFor()
      for (const name of ['Features', 'Dashboard', 'Documentation', 'Sign In', 'Get Started for Free']) {
        expect(await menu.getByRole('link', { name }).isVisible()).toBe(true)
      }
    }))

  test('closes its menu behind a link, on Escape and on a press elsewhere, and does not cover what the link led to', () =>
    visit(HOME, NARROW, async (page) => {
      const details = page.locator('details[data-menu]')
      const summary = details.locator('summary')
      await summary.click()
      await details.getByRole('link', { name: 'Pricing' }).click()
      await page.locator('details[data-menu]:not([open])').waitFor({ state: 'attached' })
      const title = page.locator('#pricing-title')
      await expect.poll(async () => (await title.boundingBox())?.y ?? 0).toBeGreaterThan(64)
      await summary.click()
      await page.keyboard.press('Escape')
      await page.locator('details[data-menu]:not([open])').waitFor({ state: 'attached' })
      await summary.click()
      await page.mouse.move(180, 700)
      await page.mouse.down()
      await page.locator('details[data-menu]:not([open])').waitFor({ state: 'attached' })
    }))

  test('the first thing the keyboard reaches leads past it', () =>
    visit('/privacy/index.html', {}, async (page) => {
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await expect.poll(() => page.url()).toMatch(/#content$/u)
    }))
})

/** Where the row of marks begins, in pixels. */
const left = async (page: Page): Promise<number> => (await page.locator('.strip-row').boundingBox())?.x ?? 0

describe('the strip of logos', () => {
  test('moves, and stands still once it is paused by keyboard', () =>
    visit(HOME, {}, async (page) => {
      const first = await left(page)
      await expect.poll(() => left(page)).not.toBe(first)
      await page.getByRole('checkbox', { name: 'Pause the moving logos' }).press('Space')
      const row = page.locator('.strip-row')
      await expect.poll(() => row.evaluate((moved) => getComputedStyle(moved).animationPlayState)).toBe('paused')
    }))

  test.each([
    ['with scripts off', { javaScriptEnabled: false }],
    ['under reduced motion', { reducedMotion: 'reduce' }],
  ] as const)('%s it is a static row with every mark in sight, and nothing to pause', (_, context) =>
    visit(HOME, { ...NARROW, ...context }, async (page) => {
      const marks = await page.locator('.strip li').all()
      const boxes = await Promise.all(marks.map((mark) => mark.boundingBox()))
      const seen = boxes.filter((box) => box !== null && box.width > 0)
      expect(seen).toHaveLength(8)
      expect(seen.filter((box) => box === null || box.x < 0 || box.x + box.width > 360)).toEqual([])
      expect(await page.getByRole('checkbox', { name: 'Pause the moving logos' }).isVisible()).toBe(false)
    }),
  )
})
