import { readFileSync } from 'node:fs'

import type axe from 'axe-core'
import type { Frame, JSHandle, Page } from 'playwright-core'

type What = {
  readonly rules?: readonly string[]
  readonly tags?: readonly string[]
  readonly within?: readonly string[]
}

/**
 * What axe finds on a page, each rule with the elements that break it: by every rule that axe runs by default, or by
 * those of some names or tags alone; in the whole page, or within some selectors. A frame is looked at by itself.
 */
export async function axeFindings(page: Page | Frame, what: What = {}): Promise<string[]> {
  await stillness(page)
  const engine = await axeOf(page)
  const violations = await engine.evaluate(findViolations, what)
  return violations.map(({ id, elements }) => `${id}: ${elements.map((html) => html.slice(0, 300)).join(' ')}`)
}

/** Waits for what is on its way from one look to another: half-way between two colors axe finds too little contrast. */
const stillness = (page: Page | Frame): Promise<void> =>
  page.evaluate(async () => {
    const ending = document
      .getAnimations()
      .filter(
        ({ effect, playState }) => playState === 'running' && Number.isFinite(effect?.getComputedTiming().endTime),
      )
    await Promise.allSettled(ending.map(({ finished }) => finished))
  })

const AXE = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** A document is given axe once: to read it takes longer than to look at most pages with it. */
const axeOf = async (page: Page | Frame): Promise<JSHandle<typeof axe>> =>
  page.evaluateHandle<typeof axe>((await page.evaluate(() => 'axe' in window)) ? 'axe' : `${AXE};axe`)

/** Runs in the page. Of what is in order axe need not tell each element, which is most of its work on a large page. */
async function findViolations(
  engine: typeof axe,
  { rules, tags, within }: What,
): Promise<{ id: string; elements: string[] }[]> {
  const { violations } = await engine.run(within === undefined ? document : { include: [...within] }, {
    resultTypes: ['violations'],
    ...(rules !== undefined && { runOnly: { type: 'rule', values: [...rules] } }),
    ...(tags !== undefined && { runOnly: { type: 'tag', values: [...tags] } }),
  })
  return violations.map(({ id, nodes }) => ({ id, elements: nodes.map(({ html }) => html) }))
}

/** Every rule that axe runs by default, and what WCAG 2.2 AA has beyond them. */
export const EVERYTHING = { tags: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }

/** What a theme can break: it changes colors alone, so that of one width's two themes one is looked at in full. */
export const THEME_RULES = { rules: ['color-contrast', 'link-in-text-block'] } as const

/** Headings of tables that are cut off, and figures that run out of their cells. */
export const cutCells = (page: Page): Promise<string[]> =>
  page.evaluate(
    (bleed) => [
      ...[...document.querySelectorAll<HTMLElement>('th .truncate')]
        .filter((name) => name.scrollWidth > name.clientWidth)
        .map((name) => name.innerText),
      ...[...document.querySelectorAll<HTMLElement>('td')]
        .filter((cell) => cell.checkVisibility() && cell.scrollWidth > cell.clientWidth + bleed)
        .map((cell) => cell.innerText),
    ],
    BLEED,
  )

/** Pixels by which what can be pointed at may stand out beside its figure. */
const BLEED = 5

/** Pixels by which the page is wider than its window, without the room that is kept for a scroll bar. */
export const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth))
