import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, test } from 'vitest'

import { COPILOT } from '@septet/web/testing'
import { root } from '../imports.ts'
import { axeFindings, overflow } from '../page-flaws.ts'
import { SECTIONS, choose, openBeforeTests, recording, seen, standStill, visit, watch } from './landing-page.ts'

openBeforeTests()

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
      await expect.poll(() => slider.getAttribute('aria-valuetext')).toBe('20 of 20')
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

test('on a phone in the dark axe finds nothing in the sections, and nothing hangs over', () =>
  visit({ colorScheme: 'dark', viewport: { width: 360, height: 800 } }, async (page) => {
    for (const section of SECTIONS) await page.locator(section).scrollIntoViewIfNeeded()
    await page.clock.runFor(4000)
    expect(await axeFindings(page, { within: SECTIONS })).toEqual([])
    expect(await overflow(page)).toBe(0)
  }))
