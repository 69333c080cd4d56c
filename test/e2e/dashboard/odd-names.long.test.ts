import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { LONG, MARKUP, ODD, of, oddClusters, TURNS } from '@septet/server/testing'
import { axeFindings, overflow } from '../../page-flaws.ts'
import { openScreens, screen, SCREENS, SETTINGS, settled, type Screens } from './open-screens.ts'

// Names as long as Kubernetes allows, markup, emoji and text from right to left, on every screen.

let screens: Screens
beforeAll(async () => {
  screens = await openScreens(oddClusters())
})
afterAll(() => screens?.close())

const CUTS = ['/cost?by=label&label=team', '/cost?by=pool', '/cost?by=namespace']

test.each([360, 1280])('keep the layout and stay text, %i pixels wide', (width) =>
  screens.visit({ viewport: { width, height: 900 } }, async (page) => {
    expect.hasAssertions()
    for (const path of [...SCREENS, ...CUTS, ...SETTINGS, '/clusters']) {
      await screen(page, screens, of('strange', path))
      await expectNoHarm(page, path)
    }
  }),
)

test('a card and a menu keep them apart from the words around them', () =>
  screens.visit({ viewport: { width: 360, height: 900 } }, async (page) => {
    expect.hasAssertions()
    await screen(page, screens, of('strange', '/workloads'))
    await page
      .locator('main')
      .getByRole('button', { name: 'y-1' })
      .or(page.locator('main tr, main li').getByText('y-1'))
      .first()
      .click()
    await page.getByRole('dialog').waitFor()
    await settled(page, 'the card of a workload')
    await expectNoHarm(page, 'the card of a workload')
    const card = page.getByRole('dialog')
    for (const width of [1440, 1280, 360]) {
      await page.setViewportSize({ width, height: 900 })
      const flaws = async () => [await overflow(page), await card.evaluate((it) => it.scrollWidth - it.clientWidth)]
      await expect.poll(async () => [width, ...(await flaws())]).toEqual([width, 0, 0])
    }
    expect(await axeFindings(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: /^Source:/u }).click()
    await page.getByRole('menu').waitFor()
    await expectNoHarm(page, 'the menu of clusters')
  }))

async function expectNoHarm(page: Page, path: string): Promise<void> {
  await expect.poll(async () => [path, await overflow(page)]).toEqual([path, 0])
  expect([path, await page.locator('main b, img[src^="x"]').count()]).toEqual([path, 0])
  expect([path, await page.title()]).toEqual([path, expect.stringMatching(/ · Septet$/u)])
  expect([path, await page.evaluate(wordsThatTurn, TURNS)]).toEqual([path, []])
}

/**
 * Texts that turn the reading direction of words which are not theirs: neither alone in their block, nor in an element
 * that keeps its direction to itself, nor between the characters that do (for what can hold no element). Runs in the page.
 */
function wordsThatTurn(turns: string): string[] {
  const open = new RegExp(`^[^\u2068]*${turns}`, 'u')
  const found: string[] = []
  for (const one of document.querySelectorAll('body *:not(script, style)')) {
    if (![...one.childNodes].some((child) => child instanceof Text && open.test(child.data))) continue
    let block = one
    let style = getComputedStyle(block)
    while (block.parentElement !== null && `${style.display} ${style.unicodeBidi}` === 'inline normal') {
      block = block.parentElement
      style = getComputedStyle(block)
    }
    const keeps = style.unicodeBidi === 'plaintext' || style.display === 'inline'
    if (!keeps && block.textContent?.trim() !== one.textContent?.trim()) found.push(one.outerHTML.slice(0, 200))
  }
  return found
}

test('a message that the scheduler wrote is shown as it is', () =>
  screens.visit({ viewport: { width: 360, height: 900 } }, async (page) => {
    const path = '/workloads?view=waiting'
    const text = await screen(page, screens, of('strange', path))
    expect(text).toContain(`${MARKUP}: ${ODD} ${LONG}`)
    await expectNoHarm(page, path)
  }))
