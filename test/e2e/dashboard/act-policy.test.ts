import { OPERATIONS } from '@septet/contract'
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'

import { NOW } from '@septet/web/testing'
import { axeFindings, overflow } from '../../page-flaws.ts'
import { visitDashboard } from './dashboard-page.ts'
import { type FixtureServer, healthy, signedIn } from './fixture-server.ts'
import { withFixtures } from './with-fixtures.ts'
import { actingFixture } from './live-actions.ts'
import { actPolicyFixture, POLICY } from './live-act-policy.ts'

let browser: Browser
let server: FixtureServer
withFixtures((opened) => ({ browser, server } = opened))

const septet = (how: Parameters<typeof actPolicyFixture>[0]): void => {
  server.answers = { ...healthy(), ...actingFixture().answers, ...actPolicyFixture(how) }
  server.told.length = 0
}
const PATH = '/dashboard/settings/acting'
const visit = (path: string, look: (page: Page) => Promise<void>, how: BrowserContextOptions = {}): Promise<void> =>
  visitDashboard({ browser, url: `${server.url}${path}`, session: signedIn(NOW), now: NOW, ...how }, look)

const told = () =>
  server.told.map(({ body }) => {
    const { edited, ...input } = OPERATIONS.actPoliciesPut.input.parse(body)
    // It says what was edited, so that nobody undoes what somebody else saved meanwhile.
    expect(edited).toBeNull()
    return input
  })
/** What is listed as not saved yet; who does not see the arrow hears "becomes". */
async function changes(page: Page): Promise<string[]> {
  const lines = await page.getByRole('list', { name: 'Changes' }).getByRole('listitem').allInnerTexts()
  return lines.map((line) => line.replace(/\s*→\s*becomes\s*/u, ' → '))
}
const mode = (page: Page, name: string): Locator => page.getByRole('combobox', { name, exact: true })
const optionsOf = (page: Page, name: string): Promise<string[]> => mode(page, name).locator('option').allInnerTexts()
/** The folded group of that title. */
const group = (page: Page, title: string): Locator =>
  page.locator('details').filter({ has: page.getByText(title, { exact: true }) })
const open = (page: Page, title: string): Promise<void> => group(page, title).locator('summary').click()

describe('what Septet may do', () => {
  test('says what new pods were told and given, where the API server asks', async () => {
    septet({ role: 'viewer' })
    await visit(`${PATH}?cluster=demo`, async (page) => {
      const panel = page.getByRole('region', { name: 'New pods' })
      await panel.getByText('12 pods with a whole GPU got a warning, and 3 got a MIG instance').waitFor()
      await panel.getByText('2 answers since Septet started could not be stored').waitFor()
      await panel
        .getByText(/^The listener for new pods went down .* stayed as requested\. Cause: The thread ran/u)
        .waitFor()
      expect(await panel.getByRole('listitem').allInnerTexts()).toEqual([expect.stringContaining('lab/chat-7d9f4c-')])
    })
  })

  test('is reached from Actions, and Auto also lets the class be on auto', async () => {
    septet({ role: 'admin' })
    await visit('/dashboard/actions?cluster=demo', async (page) => {
      await page.getByRole('link', { name: 'What Septet may do' }).click()
      await page.getByText('Defaults: not changed yet for Demo cluster.').waitFor()
      expect(new URL(page.url()).search).toBe('?cluster=demo')
      await mode(page, 'Repartition').selectOption('auto')
      expect(await changes(page)).toEqual(['Repartition: Approve → Auto'])
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByText(/^Changed .* by ada@example.com\.$/u).waitFor()
      expect(await mode(page, 'Repartition').inputValue()).toBe('auto')
      const modes = { ...POLICY.modes, repartition: 'auto' }
      const auto = { ...POLICY.auto, classes: ['repartition'] }
      expect(told()).toEqual([{ cluster: 'demo', policy: { ...POLICY, modes, auto } }])
    })
  })

  test('never offers Auto for MIG mode, and only Observe and Suggest for what Septet does not carry out', async () => {
    septet({ role: 'admin' })
    await visit(PATH, async (page) => {
      await page.getByText('Septet does not apply these itself.').waitFor()
      for (const name of ['Reclaim idle', 'Right-size', 'Share', 'Scale down']) {
        // oxlint-disable-next-line no-await-in-loop -- one choice after the other
        expect([name, await optionsOf(page, name)]).toEqual([name, ['Observe', 'Suggest', 'Approve', 'Auto']])
      }
      expect(await optionsOf(page, 'MIG mode')).toEqual(['Observe', 'Suggest', 'Approve'])
      expect(await optionsOf(page, 'Reschedule')).toEqual(['Observe', 'Suggest'])
    })
  })

  test('takes limits, windows, protection and times, says what is not saved yet, and saves exactly that', async () => {
    septet({ role: 'admin' })
    await visit(PATH, async (page) => {
      await open(page, 'Limits')
      await page.getByLabel('Per action: Pods').fill('')
      await page.getByLabel('Per day: $ per hour', { exact: true }).fill('99.5')
      await open(page, 'Minimum benefit')
      await page.getByLabel('Minimum confidence').fill('62.5')
      await open(page, 'Maintenance windows')
      await page.getByRole('button', { name: 'Add a window' }).click()
      await page.getByLabel('Weekday').selectOption('Sunday')
      await page.getByLabel('From', { exact: true }).fill('01:30')
      await page.getByLabel('To', { exact: true }).fill('05:00')
      await page.getByLabel('Time zone').selectOption('Asia/Tokyo')
      await page.getByRole('button', { name: 'Add a window' }).click()
      await page.getByRole('button', { name: 'Remove window 2' }).click()
      await open(page, 'Protected')
      await page.getByLabel('Namespaces').fill('kube-*, team-a')
      await page.getByLabel('Labels', { exact: true }).fill('tier=gold')
      await open(page, 'Times')
      await page.getByLabel('Watch', { exact: true }).fill('2')
      await page.getByLabel('Watch, unit').selectOption('hours')
      expect(await changes(page)).toEqual([
        'Per action: pods: 20 → no limit',
        'Per day: $ per hour: 150 → 99.5',
        'Minimum confidence: 50% → 62.5%',
        'Maintenance windows: at any time → Sunday 01:30 to 05:00 (Asia/Tokyo)',
        'Protected namespaces: kube-*, gpu-operator → kube-*, team-a',
        'Protected labels: none → tier=gold',
        'Watch: 5 min → 2 h',
      ])
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await expect.poll(told).toEqual([
        {
          cluster: 'demo',
          policy: {
            ...POLICY,
            limits: {
              ...POLICY.limits,
              run: { ...POLICY.limits.run, pods: null },
              day: { ...POLICY.limits.day, usdPerHour: 99.5 },
            },
            minimum: { ...POLICY.minimum, confidence: 0.625 },
            windows: [{ weekday: 6, from: 90, to: 300, zone: 'Asia/Tokyo' }],
            protectedNamespaces: ['kube-*', 'team-a'],
            protectedLabels: { tier: 'gold' },
            watch: 7200,
          },
        },
      ])
      await page.getByText('7 changes saved for Demo cluster.').waitFor()
      await page.getByRole('button', { name: 'Reset to defaults' }).click()
      expect(await changes(page)).toHaveLength(7)
    })
  })

  test('lets a class go on after a setback from the moment that somebody says so', async () => {
    septet({ role: 'admin' })
    await visit(PATH, async (page) => {
      await open(page, 'Auto')
      await page.getByRole('checkbox', { name: 'Repartition' }).check()
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      const resumedAt = { repartition: new Date(NOW).toISOString() }
      await expect.poll(told).toEqual([{ cluster: 'demo', policy: { ...POLICY, auto: { ...POLICY.auto, resumedAt } } }])
    })
  })

  test('that is refused says why, and what was typed stays', async () => {
    septet({ role: 'admin', refuses: 'That was not kept: the zone is unknown.' })
    await visit(PATH, async (page) => {
      await mode(page, 'Reclaim idle').selectOption('suggest')
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByRole('alert').getByText('the zone is unknown. Correct it and save again.').waitFor()
      expect(await mode(page, 'Reclaim idle').inputValue()).toBe('suggest')
    })
  })

  test('with a field that is out of its limits is not sent, and the folded group opens', async () => {
    septet({ role: 'admin' })
    await visit(PATH, async (page) => {
      await open(page, 'Times')
      await page.getByLabel('Watch', { exact: true }).fill('0.1')
      await open(page, 'Times')
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await expect.poll(() => group(page, 'Times').getAttribute('open')).not.toBeNull()
      expect(server.told).toEqual([])
    })
  })

  test('is read by operators and viewers, who are told that an admin changes it', async () => {
    for (const role of ['operator', 'viewer'] as const) {
      septet({ role })
      // oxlint-disable-next-line no-await-in-loop -- one visit after the other
      await visit(PATH, async (page) => {
        await page.getByText('Only admins can change this.').waitFor()
        await page
          .getByRole('row', { name: /^Repartition/u })
          .getByText('Approve', { exact: true })
          .waitFor()
        await open(page, 'Limits')
        expect(await page.getByLabel('Per action: Pods').isDisabled()).toBe(true)
        expect(await page.getByRole('button', { name: 'Save', exact: true }).count()).toBe(0)
        expect(await mode(page, 'Repartition').count()).toBe(0)
      })
    }
  })

  test('is set by keyboard alone', async () => {
    septet({ role: 'admin' })
    await visit(PATH, async (page) => {
      await mode(page, 'Reclaim idle').focus()
      await page.keyboard.press('Home')
      await page.keyboard.press('Tab')
      expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Fewer GPUs')
      await group(page, 'Limits').locator('summary').focus()
      await page.keyboard.press('Enter')
      await page.getByLabel('Per action: Pods').focus()
      await page.keyboard.press('ControlOrMeta+a')
      await page.keyboard.type('5')
      await page.keyboard.press('Enter')
      await expect
        .poll(() => told().map(({ policy }) => [policy.modes['reclaim-idle'], policy.limits.run.pods]))
        .toEqual([['observe', 5]])
    })
  })

  test('is readable in both themes and as narrow as a phone, with all that folds open', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      septet({ role: 'admin' })
      const viewport = { width: colorScheme === 'light' ? 360 : 1280, height: 900 }
      const look = async (page: Page): Promise<void> => {
        for (const title of ['Limits', 'Minimum benefit', 'Maintenance windows', 'Protected', 'Times', 'Auto']) {
          // oxlint-disable-next-line no-await-in-loop -- one group after the other
          await open(page, title)
        }
        await page.getByRole('button', { name: 'Add a window' }).click()
        await mode(page, 'Repartition').selectOption('auto')
        await page.getByRole('list', { name: 'Changes' }).waitFor()
        expect(await overflow(page)).toBe(0)
        expect(await axeFindings(page)).toEqual([])
      }
      // oxlint-disable-next-line no-await-in-loop -- one page after the other
      await visit(PATH, look, { viewport, colorScheme, reducedMotion: 'reduce' })
    }
  })
})
