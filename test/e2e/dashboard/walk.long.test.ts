import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import {
  actingFixture,
  actPolicyFixture,
  type Answers,
  answerFixture,
  CUTS,
  fakeSeptet,
  faultsFixture,
  STOPS,
} from '@septet/web/testing'
import { axeFindings, cutCells, EVERYTHING, overflow, THEME_RULES } from '../../page-flaws.ts'
import { settled } from './dashboard-page.ts'
import { goTo, openWalk, SCREENS, type Walk } from './walk-screens.ts'

let walk: Walk
beforeAll(async () => {
  walk = await openWalk()
})
afterAll(() => walk?.close())

/** What a theme can change, which is colors and what they leave to press. */
const OF_A_THEME = { rules: [...THEME_RULES.rules, 'target-size'] }
/**
 * What axe looks for in each look. Names, roles and their order are those of a width, whatever the theme: one of its two
 * looks is audited by every rule, the other by those of a theme. The wide light one is looked at in walk.test.ts.
 */
const WIDTHS = [
  { width: 360, looks: { light: EVERYTHING, dark: OF_A_THEME } },
  { width: 1280, looks: { dark: EVERYTHING } },
] as const

describe.each(WIDTHS)('$width pixels wide', ({ width, looks }) => {
  let page: Page
  let wrong: string[]
  beforeAll(async () => {
    ;({ page, wrong } = await walk.open(width))
  })
  afterAll(() => page?.context().close())

  test.each(Object.entries(SCREENS))('%s is whole, fits and is for everybody in every theme', async (_, screen) => {
    wrong.length = 0
    await goTo(page, walk.shown, screen)
    expect([await overflow(page), await cutCells(page)]).toEqual([0, []])
    for (const [colorScheme, what] of Object.entries(looks)) {
      await page.emulateMedia({ colorScheme: colorScheme === 'dark' ? 'dark' : 'light' })
      expect([colorScheme, await axeFindings(page, what)]).toEqual([colorScheme, []])
    }
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    expect(wrong).toEqual([])
  })
})

type State = {
  readonly path: string
  /** What is answered in place of the demo cluster. */
  readonly answers?: Answers
  /** Brings the screen to where it is looked at. */
  readonly reach: (page: Page) => Promise<unknown>
}

const cut = (state: keyof typeof CUTS, path = ''): State => {
  const acting = actingFixture()
  acting.state = state
  const title = (page: Page): Promise<void> => page.getByText(CUTS[state].title).first().waitFor()
  return { path: `/actions?cluster=demo${path}`, answers: acting.answers, reach: title }
}
const press = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true }).first().click()

/** States in which the demo cluster is not, or into which a test must not bring what others use, and parts that unfold. */
const STATES: Readonly<Record<string, State>> = {
  'Summary, all that unfolds': {
    path: '?cluster=demo',
    reach: async (page) => {
      await press(page, 'By model')
      await page.getByRole('region', { name: 'AI Optimization Recommendations' }).locator('summary').first().click()
    },
  },
  'Partitions, what fits by moving': {
    path: '/partitions?cluster=demo&view=room',
    reach: (page) => page.getByLabel('How many').fill('5'),
  },
  'Workloads that wait': {
    path: '/workloads?cluster=demo&view=waiting',
    reach: (page) => page.getByRole('region', { name: 'Cost of waiting', exact: true }).waitFor(),
  },
  'An action that waits for approval': cut('proposed'),
  'An action that is applied': cut('applying'),
  'An action that was kept': cut('kept'),
  'The card of an action': cut('proposed', '&action=action-cut'),
  'The card of an action that failed': cut('failed', '&action=action-cut'),
  'Stop acting': cut('proposed', '&stop=ask'),
  'Faults of the demo cluster': {
    path: '/actions?cluster=demo',
    answers: { ...actingFixture().answers, ...faultsFixture() },
    reach: async (page) => {
      const panel = page.locator('details').filter({ has: page.getByText('Inject a fault', { exact: true }) })
      await panel.locator('summary').click()
      await panel.getByRole('button', { name: 'Inject fault' }).click()
      await panel.getByRole('region', { name: 'Active faults' }).waitFor()
    },
  },
  'What Septet may do, all unfolded and changed': {
    path: '/settings/acting?cluster=demo',
    answers: { ...actPolicyFixture({ role: 'admin' }), shadowGet: () => STOPS },
    reach: async (page) => {
      for (const title of ['Limits', 'Minimum benefit', 'Maintenance windows', 'Protected', 'Times', 'Auto'])
        await page.locator('summary').getByText(title, { exact: true }).click()
      await press(page, 'Add a window')
      await page.getByRole('combobox', { name: 'Repartition', exact: true }).selectOption('auto')
      await page.getByRole('list', { name: 'Changes' }).waitFor()
    },
  },
  'The co-pilot': {
    path: '?cluster=demo',
    answers: { copilotAsk: () => answerFixture(), copilotHistory: () => ({ answers: [answerFixture()] }) },
    reach: async (page) => {
      await press(page, 'Ask')
      await page.getByRole('article').first().waitFor()
    },
  },
}

/** Answers what a state has of its own; the rest is the demo cluster's. */
async function answer(page: Page, answers: Answers): Promise<void> {
  const septet = fakeSeptet(answers)
  // Where a state has its own answer, no stream of the demo cluster comes before it.
  if (answers.copilotAsk !== undefined)
    await page.route('**/api/v1/copilot/stream', (route) => route.fulfill({ status: 404 }))
  await page.route('**/api/v1/**', async (route) => {
    const request = route.request()
    const body = request.postData()
    const reply = await septet.fetch(
      new Request(request.url(), { method: request.method(), ...(body === null ? {} : { body }) }),
    )
    if (reply.status === 404) return route.fallback()
    return route.fulfill({ status: reply.status, contentType: 'application/json', body: await reply.text() })
  })
}

describe.each(Object.entries(STATES))('%s', (_, { path, answers = {}, reach }) => {
  test.each([
    { colorScheme: 'light', width: 360 },
    { colorScheme: 'dark', width: 1280 },
  ] as const)('is readable in the $colorScheme theme, $width pixels wide', async ({ colorScheme, width }) => {
    const { page, wrong } = await walk.open(width)
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await answer(page, answers)
    // What the demo recommends first stands for what the action was made of.
    await page.route('**/recommendations/remove-node-1?*', (route) =>
      route.continue({ url: route.request().url().replace('remove-node-1', walk.shown.recommendation) }),
    )
    await page.goto(`${walk.septet.url}/dashboard${path}`)
    // A dialog that is open from the start hides the rest from roles.
    await page.locator('h1').waitFor()
    await settled(page)
    await reach(page)
    expect(await overflow(page)).toBe(0)
    expect(await axeFindings(page, EVERYTHING)).toEqual([])
    expect(wrong).toEqual([])
    await page.context().close()
  })
})

test('what a replay folds stands in one list, evenly spaced', async () => {
  const { page } = await walk.open(1280)
  await answer(page, { ...actPolicyFixture({ role: 'viewer' }), shadowGet: () => STOPS })
  await page.goto(`${walk.septet.url}/dashboard/settings/acting?cluster=demo`)
  const folded = page.getByRole('region', { name: 'What Reclaim idle would have done on Auto' }).locator('summary')
  await folded.first().waitFor()
  const tops = await folded.evaluateAll((all) => all.map((each) => Math.round(each.getBoundingClientRect().top)))
  expect(tops).toHaveLength(3)
  const gaps = tops.slice(1).map((top, order) => top - (tops[order] ?? 0))
  expect(new Set(gaps).size).toBe(1)
  await page.context().close()
})

test('an answer of the co-pilot is read from its beginning, however many came before', async () => {
  const { page } = await walk.open(1280)
  await answer(page, { copilotAsk: () => answerFixture(), copilotHistory: () => ({ answers: [] }) })
  await page.goto(`${walk.septet.url}/dashboard?cluster=demo`)
  await page.getByRole('button', { name: 'Ask', exact: true }).click()
  for (const question of ['What waits?', 'What is idle?', 'What is free?']) {
    await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' })
    await page.getByRole('textbox', { name: 'Your question' }).fill(question)
    await page.getByRole('textbox', { name: 'Your question' }).press('Enter')
    const told = page.getByRole('article', { name: question })
    await told.getByText('No node has one free.').waitFor()
    // At the top, or as far up as an answer gets that is shorter than its panel: then all of it is in view.
    const list = page.getByRole('region', { name: 'Questions and answers' })
    const isAtEnd = async (): Promise<boolean> =>
      list.evaluate((each) => each.scrollTop + each.clientHeight >= each.scrollHeight - 1)
    await expect.poll(async () => ((await told.boundingBox())?.y ?? Infinity) < 120 || isAtEnd()).toBe(true)
    await expect.poll(async () => (await told.boundingBox())?.y).toBeGreaterThan(40)
  }
  await page.context().close()
})
