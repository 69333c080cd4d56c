import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'

type What = {
  readonly rules?: readonly string[]
  readonly tags?: readonly string[]
  readonly within?: readonly string[]
}

/**
 * What axe finds on a page, each rule with the elements that break it: by every rule that axe runs by default, or by
 * those of some names or tags alone; in the whole page, or within some selectors.
 */
export async function axeFindings(page: Page, { rules, tags, within = [] }: What = {}): Promise<string[]> {
  // In one go in the page itself: no page here has a frame of another origin, for which alone axe would open a second
  // page. And of what is in order it need not tell each element, which is most of its work on a large page.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] })
  if (rules !== undefined) axe.withRules([...rules])
  if (tags !== undefined) axe.withTags([...tags])
  for (const selector of within) axe.include(selector)
  const { violations } = await axe.analyze()
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 300)).join(' ')}`)
}

/** What a theme can break: it changes colors alone, so that of one width's two themes one is looked at in full. */
export const THEME_RULES = { rules: ['color-contrast', 'link-in-text-block'] } as const

/** Pixels by which the page is wider than its window, without the room that is kept for a scroll bar. */
export const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth))
