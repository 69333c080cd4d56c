import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { overflow } from '../../page-flaws.ts'
import { signIn } from '../../server-process.ts'
import { demoSeptet, openBrowser, type SharedSeptet } from '../../shared/shared.ts'
import type { Session } from '../../windows.ts'
import { ADMIN, sessionOf, settled, visitDashboard } from './dashboard-page.ts'

// What only a browser shows: widths, colors in force, motion, and what a canvas is painted with.

let septet: SharedSeptet
let browser: Browser
let session: Session
beforeAll(async () => {
  ;[septet, browser] = await Promise.all([demoSeptet(), openBrowser()])
  await signIn(septet, ADMIN)
  session = await sessionOf(septet.url)
})
afterAll(() => browser?.close())

type Visit = { readonly now?: number } & BrowserContextOptions

const visit = (path: string, how: Visit, look: (page: Page) => Promise<void>): Promise<void> =>
  visitDashboard({ browser, url: `${septet.url}/dashboard${path}`, session, ...how }, async (page) => {
    // A session without a page pass comes by way of the sign-in page, which has a heading too.
    await page.waitForURL(({ pathname }) => pathname.startsWith('/dashboard'))
    await page.getByRole('heading', { level: 1 }).waitFor()
    await settled(page)
    await look(page)
  })

/** The color that a style says, in the theme in force. */
const color = (page: Page, selector: string, of: 'color' | 'backgroundColor'): Promise<string> =>
  page
    .locator(selector)
    .first()
    .evaluate((element, name) => getComputedStyle(element)[name], of)

describe('the Summary', () => {
  // 640 is 1280 at 200 % zoom; 320 is where WCAG 1.4.10 asks for reflow.
  test('is not cut off at 320, 360, 640 and 1280 pixels, with a node unfolded', () =>
    visit('?cluster=demo', {}, async (page) => {
      const nodes = page.getByRole('region', { name: 'MIG Partition Status' }).getByRole('listitem')
      await nodes.getByRole('button', { expanded: false }).first().click()
      for (const width of [320, 360, 640, 1280]) {
        await page.setViewportSize({ width, height: 900 })
        await expect.poll(async () => [width, await overflow(page)]).toEqual([width, 0])
      }
    }))

  test('moves nothing by itself for those who asked for less motion', () =>
    visit('?cluster=demo', { reducedMotion: 'reduce' }, async (page) => {
      expect(await page.evaluate(() => document.getAnimations().length)).toBe(0)
    }))

  test('turns old figures grey', () =>
    visit('?cluster=demo', { now: Date.now() + 14 * 60_000 }, async (page) => {
      await page.getByText(/The newest data is from/u).waitFor()
      const ink = await color(page, 'h1', 'color')
      await expect.poll(() => color(page, '.figure', 'color')).not.toBe(ink)
    }))

  test('follows the system’s theme, and a choice outlives a reload', () =>
    visit('?cluster=demo', { colorScheme: 'dark' }, async (page) => {
      const ground = () => color(page, 'html', 'backgroundColor')
      const dark = await ground()
      await page
        .getByRole('button', { name: /^Theme:/u })
        .last()
        .click()
      await page.getByRole('menuitemradio', { name: 'Light' }).click()
      await expect.poll(ground).not.toBe(dark)
      const light = await ground()
      await page.reload()
      await expect.poll(ground).toBe(light)
    }))

  test.each([
    ['1 free', '--sunken'],
    ['none free', '--fault-soft'],
    ['Running', '--busy-soft'],
    ['Queued', '--sunken'],
  ])('of sample data marks "%s" with %s', (words, token) =>
    visit('?cluster=sample', {}, async (page) => {
      const badge = page.locator('main').getByText(words, { exact: true }).first()
      // A page whose pass has to be fetched first goes by way of the sign-in page, which has a heading too.
      await badge.waitFor()
      const wanted = await page.evaluate((name) => {
        const probe = document.body.appendChild(document.createElement('i'))
        probe.style.backgroundColor = `var(${name})`
        return getComputedStyle(probe).backgroundColor
      }, token)
      expect(await badge.evaluate((element) => getComputedStyle(element).backgroundColor)).toBe(wanted)
    }),
  )
})

/** How many different colors the canvas shows; a blank one has a single color. */
const colors = (page: Page): Promise<number> =>
  page
    .getByTestId('fleet-map')
    .locator('canvas')
    .evaluate((canvas) => {
      if (!(canvas instanceof HTMLCanvasElement)) return 0
      const { data } = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] }
      const seen = new Set<string>()
      for (let at = 0; at < data.length; at += 4 * 97) seen.add(`${data[at]} ${data[at + 1]} ${data[at + 2]}`)
      return seen.size
    })

describe('the map of the fleet', () => {
  test('shows its colors, and is zoomed by the wheel', () =>
    visit('/fleet?cluster=demo', { viewport: { width: 1440, height: 900 } }, async (page) => {
      await expect.poll(() => colors(page)).toBeGreaterThan(4)
      const fit = page.getByRole('button', { name: 'Fit' })
      await expect.poll(() => fit.getAttribute('aria-disabled')).toBe('true')
      await page.getByTestId('fleet-map').hover()
      await page.keyboard.down('Control')
      await page.mouse.wheel(0, -400)
      await page.keyboard.up('Control')
      await expect.poll(() => fit.getAttribute('aria-disabled')).toBe('false')
    }))
})
