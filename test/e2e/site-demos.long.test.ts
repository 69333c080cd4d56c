import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'

import { AGENTIC, COPILOT } from '@septet/web/testing'
import { axeFindings, overflow } from '../page-flaws.ts'
import { SECTIONS, choose, openBeforeTests, seen, standStill, visit, watch } from './landing-page.ts'

openBeforeTests()

async function hideTab(page: Page, hidden: boolean): Promise<void> {
  await page.evaluate((value) => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => value })
    document.dispatchEvent(new Event('visibilitychange'))
  }, hidden)
}

describe('the co-pilot demo in a browser', () => {
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

describe('the recording of a plan', () => {
  test('is not offered to anyone who asked for less motion', () =>
    visit({ reducedMotion: 'reduce' }, async (page) => {
      await page.locator('#agentic-ai').scrollIntoViewIfNeeded()
      expect(await watch(page).count()).toBe(0)
    }))
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
