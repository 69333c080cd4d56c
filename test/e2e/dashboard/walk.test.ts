import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { axeFindings, cutCells, EVERYTHING, overflow } from '../../page-flaws.ts'
import { settled } from './dashboard-page.ts'
import { dialog, goTo, openWalk, SCREENS, table, type Walk } from './walk-screens.ts'

// One look at every screen. The other widths and themes, and states that the demo cluster is not in, are looked at in the
// long run: walk.long.test.ts.

let walk: Walk
beforeAll(async () => {
  walk = await openWalk()
})
afterAll(() => walk?.close())

describe('every screen', () => {
  let page: Page
  let wrong: string[]
  beforeAll(async () => {
    ;({ page, wrong } = await walk.open(1280))
  })
  afterAll(() => page?.context().close())

  test.each(Object.entries(SCREENS))('%s is whole, is for everybody, and fits its window', async (_, screen) => {
    wrong.length = 0
    await goTo(page, walk.shown, screen)
    await expect.poll(() => page.title()).toBe(screen.title?.(walk.shown) ?? `${screen.heading} · Septet`)
    await expect.poll(() => page.getByRole('heading', { level: 1, includeHidden: true }).count()).toBe(1)
    expect(await axeFindings(page, { ...EVERYTHING, ...(screen.opens && { within: [screen.opens] }) })).toEqual([])
    await expect.poll(async () => [await overflow(page), await cutCells(page)]).toEqual([0, []])
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    expect(wrong).toEqual([])
  })
})

/** What has focus, and whether a ring or the like shows it. */
const focus = (page: Page): Promise<{ readonly inMain: boolean; readonly isShown: boolean }> =>
  page.evaluate(() => {
    const at = document.activeElement
    const { outlineStyle, outlineWidth } = getComputedStyle(at ?? document.body)
    return {
      inMain: at !== null && at.id !== 'main' && document.querySelector('main')?.contains(at) === true,
      isShown: outlineStyle !== 'none' && outlineWidth !== '0px',
    }
  })

const hasFocus = (control: Locator): Promise<boolean> => control.evaluate((button) => button === document.activeElement)

describe('by keyboard alone', () => {
  let page: Page
  beforeAll(async () => {
    ;({ page } = await walk.open(1440))
  })
  afterAll(() => page?.context().close())

  test.each([
    ['Summary', 'GPU Optimization Summary'],
    ...['Fleet', 'Partitions', 'Workloads', 'Cost', 'Actions', 'Alerts', 'Members'].map((name) => [name, name]),
  ])('%s is reached from the palette, and its first control has visible focus', async (name, heading) => {
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').waitFor()
    await page.keyboard.type(name)
    // Enter takes what is marked, and the list narrows a moment after the letters.
    await page.getByRole('option', { name: new RegExp(`^${name}\\b`, 'u'), selected: true }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor()
    await settled(page)
    await page.locator('#main').focus()
    await page.keyboard.press('Tab')
    await expect.poll(() => focus(page)).toEqual({ inMain: true, isShown: true })
  })

  test('a node is found, and opens on the map; T shows it in the table, Enter its GPU, Escape goes back', async () => {
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').waitFor()
    await page.keyboard.type(walk.shown.node)
    await page.getByRole('option', { selected: true }).filter({ hasText: walk.shown.node }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => url.pathname.endsWith('/fleet') && url.searchParams.get('q') === walk.shown.node)
    await page.getByRole('heading', { level: 1, name: 'Fleet', exact: true }).waitFor()
    await settled(page)
    await page.locator('#main').focus()
    await page.keyboard.press('t')
    await table('Every GPU')(page)
    const first = page.getByRole('button', { name: new RegExp(walk.shown.node, 'u') }).first()
    await first.focus()
    await page.keyboard.press('Enter')
    await dialog(page)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await expect.poll(() => hasFocus(first)).toBe(true)
  })

  test('what opens from a button closes by Escape and gives focus back', async () => {
    for (const name of ['Find', 'Export Report']) {
      await goTo(page, walk.shown, { path: () => '', heading: 'GPU Optimization Summary' })
      const opener = page.getByRole('button', { name }).first()
      await opener.press('Enter')
      await page.getByRole('dialog').waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'hidden' })
      await expect.poll(() => hasFocus(opener), { message: name }).toBe(true)
    }
  })
})
