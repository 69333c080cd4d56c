import { existsSync } from 'node:fs'
import { join } from 'node:path'

import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { openFixtureServer } from './dashboard/fixture-server.ts'
import type { FixtureServer } from './dashboard/fixture-server.ts'
import { openBrowser } from '../shared/shared.ts'
import { windowsOf, type Windows } from '../windows.ts'

const DIST = join(import.meta.dirname, '../../apps/web/dist')
if (!existsSync(join(DIST, 'docs/index.html'))) throw new Error('The site is not built: npm run build.')

let browser: Browser
let open: Windows
let server: FixtureServer

beforeAll(async () => {
  ;[browser, server] = await Promise.all([openBrowser(), openFixtureServer(DIST)])
  open = windowsOf(browser)
})
afterAll(async () => {
  await browser?.close()
  await server?.close()
})

type Visit = { readonly width?: number; readonly javaScriptEnabled?: boolean }

/** Opens a page and hands it over with the paths that it asks for; fails on any error of it. */
async function visit(path: string, { width = 1280, javaScriptEnabled = true }: Visit, look: Look): Promise<void> {
  const permissions = ['clipboard-read', 'clipboard-write']
  const page = await open({ viewport: { width, height: 780 }, javaScriptEnabled, permissions })
  page.setDefaultTimeout(60_000)
  const asked: string[] = []
  const wrong: string[] = []
  page.on('request', (request) => void asked.push(new URL(request.url()).pathname))
  page.on('pageerror', (error) => void wrong.push(error.message))
  try {
    await page.goto(`${server.url}${path}`)
    await look(page, asked)
    expect(wrong).toEqual([])
  } finally {
    await page.close()
  }
}
type Look = (page: Page, asked: readonly string[]) => Promise<void>

const CONFIGURATION = '/docs/configuration/index.html'
const isIndex = (path: string): boolean => /^\/assets\/docs-search-\w+\.json$/u.test(path)

describe.each([1280, 360])('the search of the documentation, %d pixels wide', (width) => {
  test('is reached by /, comes when it is needed, is chosen from by arrows, and opens with Enter', () =>
    visit(CONFIGURATION, { width }, async (page, asked) => {
      const field = page.getByRole('combobox', { name: 'Search the documentation' })
      expect(asked.some(isIndex)).toBe(false)
      await page.keyboard.press('/')
      await page.keyboard.type('stranded')
      await page.getByRole('option').first().waitFor()
      expect(asked.filter(isIndex)).toHaveLength(1)
      await expect.poll(() => field.inputValue()).toBe('stranded')
      expect(
        await page
          .getByRole('option', { name: /Glossary/u })
          .locator('mark')
          .first()
          .innerText(),
      ).toBe('stranded')

      await page.keyboard.press('ArrowDown')
      const second = page.getByRole('option').nth(1)
      await expect.poll(() => second.getAttribute('aria-selected')).toBe('true')
      await expect.poll(() => field.getAttribute('aria-activedescendant')).toBe(await second.getAttribute('id'))
      await page.keyboard.press('ArrowUp')
      await page.keyboard.press('ArrowUp')
      await expect.poll(() => page.getByRole('option').last().getAttribute('aria-selected')).toBe('true')

      const box = await page.getByRole('listbox').boundingBox()
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width)
      const wanted = (await page.getByRole('option').last().getAttribute('href')) ?? 'none'
      await page.keyboard.press('Enter')
      await page.waitForURL((url) => url.pathname + url.hash === wanted)
    }))

  test('closes and then empties with Escape, and says when nothing is found', () =>
    visit(CONFIGURATION, { width }, async (page) => {
      const field = page.getByRole('combobox')
      await field.fill('qqqqzzzz')
      await page.getByText('Nothing found.').waitFor()
      await field.fill('certificates')
      await page.getByRole('option').first().waitFor()
      await page.keyboard.press('Escape')
      await expect.poll(() => page.getByRole('listbox').isVisible()).toBe(false)
      await expect.poll(() => field.inputValue()).toBe('certificates')
      await page.keyboard.press('Escape')
      await expect.poll(() => field.inputValue()).toBe('')
    }))
})

test('an index that does not come is said, and asked for again', () =>
  visit(CONFIGURATION, {}, async (page) => {
    await page.route('**/assets/docs-search-*.json', (route) => route.abort())
    const field = page.getByRole('combobox')
    await field.fill('certificates')
    await page.getByText('The search did not load.').waitFor()
    await page.unroute('**/assets/docs-search-*.json')
    await field.fill('certificate')
    await page.getByRole('option').first().waitFor()
    await expect.poll(() => page.getByText('The search did not load.').isVisible()).toBe(false)
  }))

test('without scripts there is no field and no button that does nothing, and the contents lead to every page', () =>
  visit('/docs/index.html', { javaScriptEnabled: false }, async (page) => {
    expect(await page.getByRole('search').count()).toBe(0)
    expect(await page.getByRole('main').getByRole('button').count()).toBe(0)
    expect(await page.getByRole('main').getByRole('link').count()).toBeGreaterThan(12)
  }))

test('a command is copied as it is written', () =>
  visit(CONFIGURATION, {}, async (page) => {
    const block = page.locator('[data-code]').first()
    await block.getByRole('button', { name: 'Copy' }).click()
    await block.getByRole('button', { name: 'Copied' }).waitFor()
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    expect(copied.trim()).toBe((await block.locator('code').innerText()).trim())
    expect(copied).toMatch(/npm start/u)
  }))

test('on a phone no table of a page is wider than it, and each cell says its column', () =>
  visit(CONFIGURATION, { width: 360, javaScriptEnabled: false }, async (page) => {
    const tables = page.locator('.prose .scrolls')
    const wider = await tables.evaluateAll((all) => all.filter((each) => each.scrollWidth > each.clientWidth).length)
    expect(wider).toBe(0)
    const row = tables.first().locator('tbody tr').filter({ hasText: 'SEPTET_PORT' }).first()
    expect(await row.locator('td').last().getAttribute('data-name')).toBe('Meaning')
  }))

test('a receipt says how its claim stands in words, and its other figures open without a script', () =>
  visit('/receipts/index.html#utilization', { javaScriptEnabled: false, width: 360 }, async (page) => {
    const claim = page.getByRole('region', { name: 'Up to 3x GPU utilization' })
    expect(await claim.getByText('not reached', { exact: true }).isVisible()).toBe(true)
    expect(await claim.getByText('What this doesn’t show').isVisible()).toBe(true)
    const long = page.locator('section[aria-labelledby="online-placement"]')
    const rows = (): Promise<number> => long.locator('tbody tr:visible').count()
    expect(await rows()).toBe(3)
    await long.locator('summary').click()
    await expect.poll(rows).toBeGreaterThan(20)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  }))
