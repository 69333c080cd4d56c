import { OPERATIONS } from '@septet/contract'
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'

import { liveWaits, NOW } from '@septet/web/testing'
import { axeFindings, overflow } from '../../page-flaws.ts'
import { visitDashboard } from './dashboard-page.ts'
import { type FixtureServer, healthy, signedIn } from './fixture-server.ts'
import { withFixtures } from './with-fixtures.ts'

let browser: Browser
let server: FixtureServer
withFixtures((opened) => ({ browser, server } = opened))
beforeEach(() => {
  server.answers = healthy()
})

const visit = (path: string, look: (page: Page) => Promise<void>, how: BrowserContextOptions = {}): Promise<void> =>
  visitDashboard({ browser, url: `${server.url}${path}`, session: signedIn(NOW), now: NOW, ...how }, look)

const panel = (page: Page): Locator => page.getByRole('region', { name: 'Cost of waiting', exact: true })
const textOf = async (where: Locator): Promise<string> => (await where.innerText()).replaceAll(/\s+/gu, ' ')

describe('what waiting cost', () => {
  test('the Summary says it by cause, with the change that ends it, and shows no 0 for what is not known', async () => {
    await visit('/dashboard?cluster=demo', async (page) => {
      const shown = panel(page)
      await shown.getByText('Fragmentation').waitFor()
      const text = await textOf(shown)
      for (const words of [
        '50 GPU-h',
        '$100',
        '40 GPU-h',
        '$80',
        'Move work off 1 more GPU of gpu-h100-01.',
        '1 waits now',
      ])
        expect(text).toContain(words)
      expect(text).toMatch(/Quota.*unknown unknown/u)
      expect(text).toContain('not money lost on a bill')
      await shown.getByRole('link', { name: 'By workload' }).click()
      await expect.poll(() => new URL(page.url()).searchParams.get('view')).toBe('waiting')
    })
  })

  test('nothing waited, and an answer that does not come, are said', async () => {
    const nothing = { ...liveWaits(), seconds: 0, causes: [], workloads: [], total: 0 }
    server.answers['/api/v1/waits'] = () => ({ body: OPERATIONS.queueWaits.output.parse(nothing) })
    await visit('/dashboard?cluster=demo', async (page) => {
      await expect.poll(() => textOf(panel(page))).toContain('No workload waited for a GPU in this window.')
    })
    const words = {
      type: 'about:blank',
      title: 'x',
      status: 404,
      code: 'not-found',
      detail: 'No waits.',
      todo: 'Wait.',
    }
    server.answers['/api/v1/waits'] = () => ({ status: 404, body: words })
    await visit('/dashboard?cluster=demo', async (page) => {
      await expect.poll(() => textOf(panel(page))).toContain('No waits. Wait. Try again')
    })
  })

  test('the Workloads screen says it by workload, and one press opens the workload', async () => {
    await visit('/dashboard/workloads?cluster=demo&view=waiting', async (page) => {
      const shown = panel(page)
      const row = shown.getByRole('button', { name: /train/u })
      await expect.poll(() => textOf(row)).toContain('Fragmentation 20 h, Not watched 5 h')
      await row.click()
      await expect.poll(() => new URL(page.url()).searchParams.get('workload')).toBe('lab/Job/train')
    })
  })

  test.each(['/dashboard?cluster=demo', '/dashboard/workloads?cluster=demo&view=waiting'])(
    '%s is readable in both themes and as narrow as a phone',
    async (path) => {
      for (const colorScheme of ['light', 'dark'] as const) {
        const viewport = { width: colorScheme === 'light' ? 360 : 1280, height: 900 }
        // oxlint-disable-next-line no-await-in-loop -- one page after the other
        await visit(
          path,
          async (page) => {
            await panel(page).getByText('Fragmentation').first().waitFor()
            expect(await overflow(page)).toBe(0)
            expect(await axeFindings(page)).toEqual([])
          },
          { viewport, colorScheme },
        )
      }
    },
  )
})
