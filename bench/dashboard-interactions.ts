import type { Locator, Page } from 'playwright-core'

import type { Figure } from './benchmark.ts'
import { felt, type Felt } from './page-probe.ts'
import { quantile } from './quantile.ts'

type Visit = { readonly name: string; readonly path: string; readonly work: (page: Page) => Promise<void> }

/** What a person does on each screen; every press goes through the browser's own input. */
const VISITS: readonly Visit[] = [
  {
    name: 'Summary: ranges and explanations',
    path: '/dashboard',
    work: async (page) => {
      for (const range of ['7d', '30d', '24h'])
        await pressIfThere(page, `main button:text-is("${range}"), header button:text-is("${range}")`)
      await pressIfThere(page, 'main button:has-text("4 numbers")')
      await closeCards(page)
    },
  },
  {
    name: 'Fleet: find, group, zoom, open a card',
    path: '/dashboard/fleet',
    work: async (page) => {
      await typeSlowly(page, 'gpu-h100-0')
      for (const group of ['Model', 'Pool', 'Tenant', 'Health'])
        await pressIfThere(page, `main button:text-is("${group}")`)
      const box = await page.getByTestId('fleet-map').boundingBox()
      if (box !== null) {
        for (const share of [0.2, 0.4, 0.6]) {
          await page.mouse.click(box.x + box.width * share, box.y + box.height * 0.3)
          await page.waitForTimeout(300)
          await closeCards(page)
        }
      }
      await page.keyboard.press('t')
      await page.waitForTimeout(500)
      await sortAll(page)
      // Back to the map, for the next round begins there.
      await page.keyboard.press('t')
    },
  },
  {
    name: 'Partitions: filter, scroll, open a node',
    path: '/dashboard/partitions',
    work: async (page) => {
      await typeSlowly(page, '-01')
      await page.mouse.wheel(0, 3000)
      await page.waitForTimeout(500)
      await pressIfThere(page, 'ul[aria-label="Nodes"] li[data-index] button, ul[aria-label="Nodes"] li[data-index] a')
    },
  },
  {
    name: 'Workloads: sort, find, open cards',
    path: '/dashboard/workloads',
    work: async (page) => {
      await sortAll(page)
      await typeSlowly(page, 'train')
      for (const row of [1, 2, 3]) {
        await pressIfThere(page, `main tbody tr[data-index]:nth-of-type(${row}) button`)
        await closeCards(page)
      }
    },
  },
  {
    name: 'Cost: cuts and views',
    path: '/dashboard/cost',
    work: async (page) => {
      for (const cut of ['Namespace', 'Model', 'Pool', 'Tenant'])
        await pressIfThere(page, `main button:text-is("${cut}")`)
      await sortAll(page)
      for (const view of ['Budgets and forecast', 'Price book', 'Breakdown'])
        await pressIfThere(page, `main button:text-is("${view}")`)
    },
  },
]

/** Between two presses, as a person who knows where to press next. */
const PAUSE_MS = 250
const ROUNDS = 3

/** How soon the page shows that it was pressed, while events arrive. */
export async function interactionFigures(page: Page, url: string): Promise<Figure[]> {
  const figures: Figure[] = []
  const all: Felt[] = []
  for (const { name, path, work } of VISITS) {
    await page.goto(`${url}${path}`)
    await page.waitForTimeout(3000)
    await felt(page)
    for (let round = 0; round < ROUNDS; round += 1) await work(page)
    const here = await felt(page)
    all.push(here)
    figures.push({
      name: `${name}, slowest`,
      figure: quantile(here.interactions, 1),
      unit: 'ms',
      aim: '≤ 150 ms',
      note: wordsOf(here),
    })
  }
  const interactions = all.flatMap((each) => each.interactions)
  const longTasks = all.flatMap((each) => each.longTasks)
  return [
    {
      name: 'interaction to next paint, p98 of all',
      figure: quantile(interactions, 0.98),
      unit: 'ms',
      aim: '≤ 150 ms',
      note: `${interactions.length} interactions; those under 16 ms counted as 16`,
    },
    { name: 'interaction to next paint, median', figure: quantile(interactions, 0.5), unit: 'ms' },
    {
      name: 'longest task while they were made',
      figure: quantile([0, ...longTasks], 1),
      unit: 'ms',
      note: `${longTasks.length} tasks of 50 ms or more`,
    },
    ...figures,
  ]
}

const wordsOf = ({ interactions, longTasks }: Felt): string =>
  `${interactions.length} interactions, median ${Math.round(quantile(interactions, 0.5))} ms; ${longTasks.length} tasks of 50 ms or more`

async function pressIfThere(page: Page, selector: string): Promise<void> {
  const place = page.locator(selector).first()
  if ((await place.count()) === 0 || !(await place.isVisible())) return
  await press(place)
  await page.waitForTimeout(PAUSE_MS)
}

async function typeSlowly(page: Page, text: string): Promise<void> {
  const field = page.locator('main input[type="search"], main input[type="text"]').first()
  if ((await field.count()) === 0) return
  await field.click()
  await page.keyboard.type(text, { delay: 90 })
  await page.waitForTimeout(PAUSE_MS)
  for (let left = text.length; left > 0; left -= 1) await page.keyboard.press('Backspace', { delay: 30 })
  await page.waitForTimeout(PAUSE_MS)
}

async function sortAll(page: Page): Promise<void> {
  const headings = page.locator('main table').last().locator('thead th button')
  const count = await headings.count()
  for (let place = 0; place < Math.min(count, 6); place += 1) {
    await press(headings.nth(place))
    await page.waitForTimeout(PAUSE_MS)
  }
}

/** What something else covers is not pressed: the figures are of the presses that were made. */
const press = (place: Locator): Promise<void> => place.click({ timeout: 10_000 }).catch(() => undefined)

async function closeCards(page: Page): Promise<void> {
  const cards = page.locator('[role="dialog"][data-state="open"]')
  // A card whose answer is still on the way takes the key when it has the focus.
  for (let time = 0; time < 5 && (await cards.count()) > 0; time += 1) {
    await cards.first().press('Escape')
    await page.waitForTimeout(PAUSE_MS)
  }
}
