import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { AGENTIC, COPILOT } from '@septet/web/testing'
import { root } from '../imports.ts'
import { axeFindings, overflow } from '../page-flaws.ts'
import { openBrowser, webFolder } from '../shared/shared.ts'
import { windowsOf, type Windows } from '../windows.ts'
import { type FixtureServer, openFixtureServer } from './dashboard/fixture-server.ts'

const SECTIONS = ['#copilot', '#mig', '#integration', '#platforms', '#mcp', '#agentic-ai', '#analytics']

let browser: Browser
let open: Windows
let server: FixtureServer

beforeAll(async () => {
  const dist = await webFolder()
  browser = await openBrowser()
  open = windowsOf(browser)
  server = await openFixtureServer(dist)
})
afterAll(async () => {
  await browser?.close()
  await server?.close()
})

/** Opens the landing page, hands it over, and fails on any error that the page itself throws. */
async function visit(context: BrowserContextOptions, look: (page: Page) => Promise<void>): Promise<void> {
  const page = await open({ ...context, alone: true })
  page.setDefaultTimeout(60_000)
  const thrown: string[] = []
  page.on('pageerror', (error) => thrown.push(error.message))
  page.on('console', (message) => void (message.type() === 'error' && thrown.push(message.text())))
  try {
    await page.clock.install({ time: 0 })
    await page.goto(`${server.url}/index.html`)
    await look(page)
    expect(thrown).toEqual([])
  } finally {
    await page.close()
  }
}

/** Shows the co-pilot demo until it plays, and stops the clock: from here on only `runFor` moves it. */
async function standStill(page: Page): Promise<void> {
  await page.locator('#copilot').scrollIntoViewIfNeeded()
  // What only a playing demo has: it is not part of the HTML that comes from the server.
  await page.locator('#copilot [data-thinking]').waitFor({ state: 'attached' })
  await page.clock.pauseAt(3_600_000)
}

type Seen = { readonly category: string; readonly prompt: boolean; readonly thinking: boolean; readonly typed: number }

/** What is seen of the active card. */
const seen = async (page: Page): Promise<Seen> => {
  const card = page.locator('#copilot article[data-active=true]')
  return card.evaluate((article) => {
    const [question, answer] = article.querySelectorAll('p')
    const text = (selector: string): string => answer?.querySelector(selector)?.textContent ?? ''
    return {
      category: article.querySelector('label')?.textContent ?? '',
      prompt: question?.className.includes('opacity-0') === false,
      thinking: article.querySelector('[data-thinking]') !== null,
      typed: text(':scope > span[aria-hidden]').length - text('span[aria-hidden] .opacity-0').length,
    }
  })
}

const choose = (page: Page, category: string): Promise<void> =>
  page.getByRole('radio', { name: new RegExp(`^${category}:`, 'u') }).click({ force: true })

describe('the co-pilot demo in a browser', () => {
  test('keeps the times of the specification, and turns from the last card to the first', () =>
    visit({}, async (page) => {
      await standStill(page)
      await choose(page, 'Partitions')
      const nothing = { category: 'Partitions', prompt: false, thinking: false, typed: 0 }
      await expect.poll(() => seen(page)).toEqual(nothing)
      await page.clock.runFor(999)
      expect(await seen(page)).toEqual(nothing)
      await page.clock.runFor(1)
      await expect.poll(() => seen(page)).toEqual({ ...nothing, prompt: true, thinking: true })
      await page.clock.runFor(1999)
      expect(await seen(page)).toEqual({ ...nothing, prompt: true, thinking: true })
      await page.clock.runFor(1)
      await expect.poll(() => seen(page)).toEqual({ ...nothing, prompt: true, typed: 1 })
      await page.clock.runFor(400)
      await expect.poll(() => seen(page)).toEqual({ ...nothing, prompt: true, typed: 11 })
      await page.clock.runFor(7599)
      const length = COPILOT.examples.at(-1)?.response.length
      await expect.poll(() => seen(page)).toEqual({ ...nothing, prompt: true, typed: length })
      await page.clock.runFor(1)
      await expect.poll(() => seen(page)).toEqual({ ...nothing, category: 'Cost' })
    }))

  test('pauses and goes on, and stands still in a hidden tab', () =>
    visit({}, async (page) => {
      await standStill(page)
      await choose(page, 'Utilization')
      await page.clock.runFor(3400)
      await expect.poll(() => seen(page)).toMatchObject({ typed: 11 })
      const button = page.locator('#copilot').getByRole('button', { name: /^(Pause|Play)$/u })
      await button.click()
      await page.clock.runFor(30_000)
      expect(await seen(page)).toMatchObject({ category: 'Utilization', typed: 11 })
      await button.click()
      await page.clock.runFor(40)
      await expect.poll(() => seen(page)).toMatchObject({ typed: 12 })
      await hideTab(page, true)
      await page.clock.runFor(30_000)
      expect(await seen(page)).toMatchObject({ category: 'Utilization', typed: 12 })
      await hideTab(page, false)
      await page.clock.runFor(40)
      await expect.poll(() => seen(page)).toMatchObject({ typed: 13 })
    }))

  test('follows the arrow keys, and no card takes the place of the one that they are on', () =>
    visit({}, async (page) => {
      await standStill(page)
      await choose(page, 'Cost')
      await page.getByRole('radio', { name: /^Cost:/u }).focus()
      await page.keyboard.press('ArrowRight')
      await expect.poll(() => seen(page)).toMatchObject({ category: 'Utilization', prompt: false })
      await page.keyboard.press('ArrowLeft')
      await page.keyboard.press('ArrowLeft')
      await expect.poll(() => seen(page)).toMatchObject({ category: 'Partitions', prompt: false })
      await page.clock.runFor(30_000)
      const length = COPILOT.examples.at(-1)?.response.length
      await expect.poll(() => seen(page)).toMatchObject({ category: 'Partitions', typed: length })
      await page.keyboard.press('Tab')
      await page.clock.runFor(10)
      await expect.poll(() => seen(page)).toMatchObject({ category: 'Cost', prompt: false })
      await expect.poll(() => page.getByRole('radio', { name: /^Partitions:/u }).isChecked()).toBe(false)
    }))

  test('has every word in the page from the start, and nothing moves while it types', () =>
    visit({}, async (page) => {
      await standStill(page)
      const places = () =>
        page.evaluate(() =>
          [...document.querySelectorAll('#copilot article, #copilot article p')].map((element) => {
            const { top, height, width } = element.getBoundingClientRect()
            return [Math.round(top + scrollY), Math.round(height), Math.round(width)]
          }),
        )
      const before = await places()
      for (let second = 0; second < 12; second += 1) {
        await page.clock.runFor(1000)
        expect(await places()).toEqual(before)
        const spoken = await page.locator('#copilot article').allTextContents()
        for (const [index, { response }] of COPILOT.examples.entries()) expect(spoken[index]).toContain(response)
      }
    }))
})

describe.each(['#copilot', '#agentic-ai'])('%s', (section) => {
  test.each([{ reducedMotion: 'reduce' }, { javaScriptEnabled: false }] as const)(
    'shows everything at once with %o',
    (context) =>
      visit(context, async (page) => {
        await page.locator(section).scrollIntoViewIfNeeded()
        const island = page.locator(`${section} [data-island]`).first()
        const wanted =
          section === '#copilot'
            ? COPILOT.examples.map(({ response }) => response)
            : AGENTIC.lines.map((line) => line.text)
        // On a busy machine the page may still be taking over what the server wrote.
        for (const words of wanted) await expect.poll(() => island.textContent()).toContain(words)
        await expect.poll(() => island.getByRole('button').locator('visible=true').count()).toBe(0)
        const kept = island.locator('.opacity-0')
        const opacities = () => kept.evaluateAll((parts) => parts.map((part) => getComputedStyle(part).opacity))
        await expect.poll(async () => (await opacities()).filter((opacity) => opacity !== '1')).toEqual([])
      }),
  )
})

describe('the packing of the hero', () => {
  test('follows its slider, and begins again there', () =>
    visit({}, async (page) => {
      const hero = page.locator('[data-island=hero]')
      const slider = hero.getByRole('slider')
      const words = hero.locator('figcaption')
      const opening = await words.textContent()
      // The island may not have taken over yet, nor its tape have come.
      const moveTo = async (position: string): Promise<string | null> => {
        await slider.fill('10')
        await slider.fill(position)
        return words.textContent()
      }
      await expect.poll(() => moveTo('20')).not.toBe(opening)
      const large = await words.textContent()
      await expect.poll(() => moveTo('0')).not.toBe(large)
      await page.clock.runFor(3000)
      await expect.poll(() => moveTo('20')).toBe(large)
      expect(await slider.getAttribute('aria-valuetext')).toBe('20 of 20')
    }))
})

describe('a GPU is cut by hand', () => {
  test('by keyboard alone, with what happened said aloud', () =>
    visit({}, async (page) => {
      const mig = page.locator('#mig')
      await mig.scrollIntoViewIfNeeded()
      const said = mig.locator('output')
      const press = async (name: string): Promise<void> => {
        await mig.getByRole('button', { name, exact: true }).focus()
        await page.keyboard.press('Enter')
      }
      await press('Clear')
      await expect.poll(() => said.textContent()).toContain('All instances removed.')
      await press('Add 3g.20gb')
      await expect.poll(() => said.textContent()).toContain('3g.20gb added. Goes to memory slices 4 to 7')
      await press('Add 3g.20gb')
      await expect.poll(() => said.textContent()).toContain('1 compute slice is stranded')
      await press('Add 1g.5gb')
      await expect.poll(() => said.textContent()).toContain('1g.5gb does not fit. Needs 1 memory slice (none left).')
      await press('Remove 3g.20gb from memory slices 4 to 7')
      await expect.poll(() => said.textContent()).toContain('3g.20gb removed from memory slices 4 to 7.')
      await press('Rearrange to fit 4g.20gb')
      await expect
        .poll(() => mig.locator('fieldset').getByRole('button').allTextContents())
        .toEqual(['Remove 4g.20gb from memory slices 0 to 3×', 'Remove 3g.20gb from memory slices 4 to 7×'])
      await mig.getByRole('radio', { name: 'A30' }).check({ force: true })
      await expect
        .poll(() => mig.getByRole('list', { name: 'Profiles of A30-24GB' }).getByRole('listitem').count())
        .toBe(3)
    }))
})

const watch = (page: Page) => page.getByRole('button', { name: 'Watch a plan run' })
const recording = (page: Page) => page.locator('#agentic-ai figure img')

describe('the recording of a plan', () => {
  test('is loaded when it is asked for, pauses, and goes away', () =>
    visit({}, async (page) => {
      const asked: string[] = []
      page.on('request', (request) => asked.push(new URL(request.url()).pathname))
      await watch(page).scrollIntoViewIfNeeded()
      expect(asked.filter((path) => path.includes('plan-'))).toEqual([])
      await watch(page).click()
      await expect.poll(() => recording(page).getAttribute('src')).toBe('/screenshots/plan-loop-light.webp')
      await expect
        .poll(() => recording(page).evaluate((image) => image instanceof HTMLImageElement && image.naturalWidth))
        .toBe(960)
      expect(await recording(page).getAttribute('alt')).toContain('a person approves exactly that plan')
      await page.locator('#agentic-ai figure').getByRole('button', { name: 'Pause' }).click()
      await expect.poll(() => recording(page).getAttribute('src')).toBe('/screenshots/plan-still-light.webp')
      expect(await axeFindings(page, { within: ['#agentic-ai'] })).toEqual([])
      expect(await overflow(page)).toBe(0)
      await page.getByRole('button', { name: 'Close the recording' }).click()
      await expect.poll(() => recording(page).count()).toBe(0)
    }))

  test('is not offered to anyone who asked for less motion', () =>
    visit({ reducedMotion: 'reduce' }, async (page) => {
      await page.locator('#agentic-ai').scrollIntoViewIfNeeded()
      expect(await watch(page).count()).toBe(0)
    }))

  test('is an animation of at most 1 MiB in each theme', () => {
    for (const theme of ['light', 'dark']) {
      const loop = readFileSync(join(root, `apps/web/public/screenshots/plan-loop-${theme}.webp`))
      expect([loop.toString('latin1', 8, 16), loop.includes('ANIM'), loop.length < 1024 * 1024]).toEqual([
        'WEBPVP8X',
        true,
        true,
      ])
    }
  })
})

describe.each(['light', 'dark'] as const)('in the %s theme', (colorScheme) => {
  test.each([360, 1280])('at %d pixels axe finds nothing and nothing hangs over', (width) =>
    visit({ colorScheme, viewport: { width, height: 800 } }, async (page) => {
      for (const section of SECTIONS) await page.locator(section).scrollIntoViewIfNeeded()
      await page.clock.runFor(4000)
      expect(await axeFindings(page, { within: SECTIONS })).toEqual([])
      expect(await overflow(page)).toBe(0)
    }),
  )

  test('the pictures are those of the theme, and say where their figures come from', () =>
    visit({ colorScheme }, async (page) => {
      const pictures = page.locator('#analytics img').locator('visible=true')
      expect(await pictures.evaluateAll((found) => found.map((picture) => picture.getAttribute('src')))).toEqual(
        ['summary-demo', 'partitions-demo', 'summary-sample'].map((name) => `/screenshots/${name}-${colorScheme}.webp`),
      )
      const other = colorScheme === 'light' ? 'dark' : 'light'
      await page.evaluate((theme) => (document.documentElement.dataset['theme'] = theme), other)
      await expect.poll(() => pictures.first().getAttribute('src')).toBe(`/screenshots/summary-demo-${other}.webp`)
      expect(
        await page
          .locator('#analytics figure')
          .getByText(/^(Demo cluster|Sample data)$/u)
          .count(),
      ).toBe(3)
    }))
})

async function hideTab(page: Page, hidden: boolean): Promise<void> {
  await page.evaluate((value) => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => value })
    document.dispatchEvent(new Event('visibilitychange'))
  }, hidden)
}
