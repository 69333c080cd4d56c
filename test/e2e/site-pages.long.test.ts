import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { axeFindings, THEME_RULES } from '../page-flaws.ts'
import { openBrowser, septetWithoutDemo, type SharedSeptet } from '../shared/shared.ts'
import { windowsOf, type Windows } from '../windows.ts'

const DIST = join(import.meta.dirname, '../../apps/web/dist')
if (!existsSync(join(DIST, 'index.html'))) throw new Error('The site is not built: npm run build.')

/** Every page of the site: each is a file of its own in the build. */
const BUILT = readdirSync(DIST, { recursive: true, encoding: 'utf8' })
  .filter((file) => /(^|\/)index\.html$/u.test(file))
  .map((file) => `/${file.replace(/\/?index\.html$/u, '')}`)
  .toSorted()
/** And what answers where there is none. */
const MISSING = '/no-such-page'
const PAGES = [...BUILT, MISSING]

let septet: SharedSeptet
let browser: Browser
let open: Windows

beforeAll(async () => {
  ;[septet, browser] = await Promise.all([septetWithoutDemo(), openBrowser()])
  open = windowsOf(browser)
})
afterAll(() => browser?.close())

type Window = { readonly page: Page; readonly wrong: string[] }
const opened = new Map<string, Promise<Window>>()

/** A window in which one page after the other is opened, and what went wrong in it: any error, any request elsewhere. */
async function openWindow(context: BrowserContextOptions): Promise<Window> {
  const page = await open(context)
  page.setDefaultTimeout(60_000)
  const wrong: string[] = []
  page.on('pageerror', (error) => wrong.push(error.message))
  page.on('console', (message) => void (message.type() === 'error' && wrong.push(message.text())))
  page.on('request', (request) => {
    if (!request.url().startsWith(`${septet.url}/`) && !/^(data|blob):/u.test(request.url())) wrong.push(request.url())
  })
  return { page, wrong }
}

/** Opens a page where those before it were, as a reader does, hands it over, and fails on what went wrong in it. */
async function visit(path: string, context: BrowserContextOptions, look: (page: Page) => Promise<void>): Promise<void> {
  const key = JSON.stringify(context)
  const window = opened.get(key) ?? openWindow(context)
  opened.set(key, window)
  const { page, wrong } = await window
  wrong.length = 0
  await page.setViewportSize(context.viewport ?? { width: 1280, height: 900 })
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: context.reducedMotion ?? 'no-preference' })
  await page.goto(`${septet.url}${path}`)
  await look(page)
  // The page for unknown paths says the path on the console, and the browser that it was a 404.
  expect(path === MISSING ? [] : wrong).toEqual([])
}

/** What axe looks at. A theme changes colors alone, so that of a width's two themes one is looked at in full. */
const LOOKS = [
  { colorScheme: 'light', width: 1280, what: {} },
  { colorScheme: 'dark', width: 1280, what: THEME_RULES },
  { colorScheme: 'dark', width: 360, what: {} },
  { colorScheme: 'light', width: 360, what: THEME_RULES },
] as const

/** 320: a phone held far away, or 1280 at 400 %. 640: 1280 at 200 %. */
const WIDTHS = [320, 640, 768, 1024]

test('all pages of the build are looked at', () => {
  expect(PAGES).toEqual(expect.arrayContaining(['/', '/compare', '/docs', '/receipts', '/privacy', '/terms', MISSING]))
})

/** Both themes, wide and narrow. */
async function findingsOf(page: Page): Promise<string[]> {
  await page.addStyleTag({ content: '*{transition:none!important}' })
  const found: string[] = []
  for (const { colorScheme, width, what } of LOOKS) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 900 })
    const flaws = await axeFindings(page, what)
    found.push(...flaws.map((flaw) => `${colorScheme} ${width}: ${flaw}`))
  }
  return found
}

describe.each(PAGES)('%s', (path) => {
  test('has nothing that axe finds or that moves by itself, and fits from 320 pixels on, also at 200 %', () =>
    visit(path, { reducedMotion: 'reduce' }, async (page) => {
      expect(await findingsOf(page)).toEqual([])
      const moving = await page.evaluate(
        () => document.getAnimations().filter(({ playState }) => playState === 'running').length,
      )
      expect(moving).toBe(0)

      // As who does not mind motion sees it.
      await page.emulateMedia({ reducedMotion: 'no-preference' })
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 740 })
        const content = await page.evaluate(() => document.documentElement.scrollWidth)
        expect([width, content]).toEqual([width, Math.min(width, content)])
        const last = await page.locator('header :is(a, summary):visible').last().boundingBox()
        expect((last?.x ?? 0) + (last?.width ?? 0)).toBeLessThanOrEqual(width)
      }
    }))

  test('can be read and left with scripts off', () =>
    visit(path, { javaScriptEnabled: false }, async (page) => {
      expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1)
      const text = await page.getByRole('main').innerText()
      expect(text.length).toBeGreaterThan(path === MISSING ? 30 : 200)
      const links = await page
        .locator('a[href]')
        .evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))
      expect(links).toContain('/')
      expect(links.filter((href) => href === '' || href === '#' || href.startsWith('javascript:'))).toEqual([])
    }))
})

test('every link of every page is answered by the server', async () => {
  const files = [...BUILT.map((path) => join(DIST, path, 'index.html')), join(DIST, '404.html')]
  const hrefs = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/(?:href|src)="(\/[^"#?]*)/gu)].map(([, href = '']) => href),
  )
  const wanted = [...new Set(hrefs)]
  expect(wanted.length).toBeGreaterThan(PAGES.length)
  const broken: string[] = []
  for (const href of wanted) {
    const { status } = await fetch(`${septet.url}${href}`, { redirect: 'manual' })
    // What is behind the sign-in page leads to the sign-in page.
    if (status !== 200 && !(status === 302 && href.startsWith('/dashboard'))) broken.push(`${href}: ${status}`)
  }
  expect(broken).toEqual([])
})

type Focused = { readonly what: string; readonly flaws: readonly string[]; readonly last: boolean }

/** What has the focus, and whether a person sees where they are; undefined when it is on nothing. */
async function focusOf(page: Page): Promise<Focused | undefined> {
  const focused = page.locator(':focus')
  if ((await focused.count()) === 0) return undefined
  return focused.evaluate((element) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(element)
    // The first line of it, and of that the middle of what is in the window.
    const { left, right, top, bottom } = element.getClientRects()[0] ?? new DOMRect()
    const middle = (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2
    const there = document.elementFromPoint((left + right) / 2, middle)
    const flaws = [
      outlineStyle === 'none' || parseFloat(outlineWidth) === 0 ? 'has no mark' : '',
      there === null || !(element.contains(there) || there.contains(element)) ? 'is covered or out of sight' : '',
    ]
    return {
      what: element.outerHTML.replaceAll(/ class="[^"]*"/gu, '').slice(0, 120),
      flaws: flaws.filter((flaw) => flaw !== ''),
      last: element === [...document.querySelectorAll('footer a')].at(-1),
    }
  })
}

describe.each([1280, 360])('by keyboard through the landing page, %d pixels wide', (width) => {
  test('everything is reached in turn, seen where it is, and left again', () =>
    visit('/', { viewport: { width, height: 740 }, reducedMotion: 'reduce' }, async (page) => {
      const reachable = await page.locator('a[href], button, input, summary, [tabindex="0"]').count()
      const seen: string[] = []
      const problems: string[] = []
      let ended = false
      for (let step = 0; step < reachable + 20 && !ended; step += 1) {
        await page.keyboard.press('Tab')
        const focused = await focusOf(page)
        if (focused === undefined) continue
        problems.push(...focused.flaws.map((flaw) => `${focused.what} ${flaw}`))
        seen.push(focused.what)
        ended = focused.last
      }
      expect(problems).toEqual([])
      expect(seen[0]).toContain('href="#content"')
      expect(seen.length).toBeGreaterThan(40)
      expect(ended).toBe(true)
    }))
})
