import { OPERATIONS, type OutputOf } from '@septet/contract'
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'

import { NOW } from '@septet/web/testing'
import { axeFindings, overflow } from '../../page-flaws.ts'
import { visitDashboard } from './dashboard-page.ts'
import { type FixtureServer, healthy, signedIn } from './fixture-server.ts'
import { withFixtures } from './with-fixtures.ts'
import { actingFixture } from './live-actions.ts'

type Faults = OutputOf<typeof OPERATIONS.demoFaultsList>

let browser: Browser
let server: FixtureServer
withFixtures((opened) => ({ browser, server } = opened))

const KINDS: Faults['kinds'] = [
  { kind: 'mig-stuck-pending', says: 'The next MIG change stays pending for ever.', takes: ['node', 'times'] },
  { kind: 'mig-failed', says: 'The next MIG change fails.', takes: ['node', 'times'] },
  { kind: 'node-vanishes', says: 'The node goes at once.', takes: ['node'] },
  { kind: 'config-race', says: 'Someone else writes the ConfigMap first.', takes: ['times'] },
]

/** A Septet whose demo cluster takes faults as the real one does: a node that vanishes has to be named. */
function septet(me: Parameters<typeof actingFixture>[0] = {}): void {
  let active: Faults['active'] = []
  const answer = () => ({ body: { active, kinds: KINDS } satisfies Faults })
  server.answers = {
    ...healthy(),
    ...actingFixture(me).answers,
    '/api/v1/demo/faults': (_query, told) => {
      if (told === undefined) return answer()
      const fault = OPERATIONS.demoFaultsAdd.input.parse(told.body)
      if (fault.kind === 'node-vanishes' && fault.node === undefined) return NO_NODE
      active = [...active, { ...fault, id: `fault-${active.length + 1}`, times: 1 }]
      return answer()
    },
    '/api/v1/demo/faults/fault-1': () => {
      active = active.filter(({ id }) => id !== 'fault-1')
      return answer()
    },
  }
  server.asked.length = 0
  server.told.length = 0
}

const NO_NODE = {
  status: 400,
  body: {
    type: 'about:blank',
    title: 'x',
    status: 400,
    code: 'invalid-input',
    detail: 'The demo cluster refused that: node-vanishes needs a node.',
    todo: 'The list of faults shows what each one accepts.',
  },
}

const visit = (look: (page: Page) => Promise<void>, how: BrowserContextOptions & { cluster?: string } = {}) => {
  const { cluster = 'demo', ...context } = how
  const url = `${server.url}/dashboard/actions?cluster=${cluster}`
  return visitDashboard({ browser, url, session: signedIn(NOW), now: NOW, ...context }, look)
}
const panel = (page: Page): Locator =>
  page.locator('details').filter({ has: page.getByText('Inject a fault', { exact: true }) })
const button = (page: Page): Locator => panel(page).getByRole('button', { name: 'Inject fault' })

describe('faults of the demo cluster', () => {
  test('are added with a node and removed, and the panel says what to watch', async () => {
    septet()
    await visit(async (page) => {
      await panel(page).getByText('demo cluster only').click()
      await panel(page).getByText('Septet reverts what failed').waitFor()
      await panel(page).getByText('The next MIG change fails.').waitFor()
      const [node = ''] = (await panel(page).getByLabel('Node').locator('option').allInnerTexts()).slice(1)
      await panel(page).getByLabel('Node').selectOption(node)
      await button(page).click()
      const active = panel(page).getByRole('region', { name: 'Active faults' })
      await active.getByText(`A MIG change fails · ${node}`).waitFor()
      await panel(page).getByText('1 fault is active').waitFor()
      await active.getByRole('button', { name: 'Remove A MIG change fails' }).click()
      await active.waitFor({ state: 'detached' })
      expect(server.told).toEqual([
        { method: 'POST', path: '/api/v1/demo/faults', body: { kind: 'mig-failed', node } },
        { method: 'DELETE', path: '/api/v1/demo/faults/fault-1', body: undefined },
      ])
    })
  })

  test('that lack something are refused in words, and those of no node ask for none', async () => {
    septet()
    await visit(async (page) => {
      await panel(page).locator('summary').click()
      await panel(page).getByLabel('Fault', { exact: true }).selectOption('A node disappears')
      await button(page).click()
      await panel(page).getByRole('alert').getByText('node-vanishes needs a node.').waitFor()
      await panel(page).getByLabel('Fault', { exact: true }).selectOption('A conflicting configuration write')
      expect(await panel(page).getByLabel('Node').count()).toBe(0)
    })
  })

  test('are chosen and added by keyboard alone', async () => {
    septet()
    await visit(async (page) => {
      await panel(page).locator('summary').focus()
      await page.keyboard.press('Enter')
      await button(page).waitFor()
      await page.keyboard.press('Tab')
      await page.keyboard.press('Home')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await panel(page).getByRole('region', { name: 'Active faults' }).getByText('A MIG change hangs').waitFor()
      expect(server.told.map(({ body }) => body)).toEqual([{ kind: 'mig-stuck-pending' }])
    })
  })

  test('are offered to operators in the demo cluster alone', async () => {
    septet({ role: 'viewer' })
    await visit(async (page) => {
      await page.getByText('Approving needs the operator role').first().waitFor()
      expect(await panel(page).count()).toBe(0)
    })
    septet()
    await visit(
      async (page) => {
        await page.getByRole('heading', { name: 'Recommendations' }).waitFor()
        expect(await panel(page).count()).toBe(0)
      },
      { cluster: 'sample' },
    )
    expect(server.asked.filter((path) => path.startsWith('/api/v1/demo/faults'))).toEqual([])
  })

  test('are readable in both themes and as narrow as a phone', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      septet()
      const viewport = { width: colorScheme === 'light' ? 360 : 1280, height: 900 }
      const look = async (page: Page): Promise<void> => {
        await panel(page).locator('summary').click()
        await button(page).click()
        await panel(page).getByRole('region', { name: 'Active faults' }).waitFor()
        expect(await overflow(page)).toBe(0)
        expect(await axeFindings(page)).toEqual([])
      }
      // oxlint-disable-next-line no-await-in-loop -- one page after the other
      await visit(look, { viewport, colorScheme, reducedMotion: 'reduce' })
    }
  })
})
