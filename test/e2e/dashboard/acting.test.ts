import { OPERATIONS } from '@septet/contract'
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'

import { at, NOW } from '@septet/web/testing'
import { axeFindings, overflow } from '../../page-flaws.ts'
import { visitDashboard } from './dashboard-page.ts'
import { type FixtureServer, healthy, signedIn } from './fixture-server.ts'
import { withFixtures } from './with-fixtures.ts'
import { actingFixture, CUTS, DIGEST, type Acting } from './live-actions.ts'

let browser: Browser
let server: FixtureServer
withFixtures((opened) => ({ browser, server } = opened))

const septet = (me: Parameters<typeof actingFixture>[0] = {}): Acting => {
  const acting = actingFixture(me)
  server.answers = { ...healthy(), ...acting.answers }
  server.asked.length = 0
  server.told.length = 0
  return acting
}
const visit = (path: string, look: (page: Page) => Promise<void>, how: BrowserContextOptions = {}): Promise<void> =>
  visitDashboard({ browser, url: `${server.url}${path}`, session: signedIn(NOW), now: NOW, ...how }, look)

const LIST = '/dashboard/actions?cluster=demo'
const CARD = `${LIST}&action=action-cut`
const card = (page: Page): Locator => page.getByRole('dialog', { name: CUTS.proposed.title })
const waiting = (page: Page): Locator => page.getByRole('region', { name: 'Awaiting approval (1)' })
const focusedName = (page: Page): Promise<string> => page.evaluate(() => document.activeElement?.textContent ?? '')

/** Presses Tab until what has the focus says so; fails where it never comes. */
async function tabTo(page: Page, words: RegExp): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one press after the other
    await page.keyboard.press('Tab')
    // oxlint-disable-next-line no-await-in-loop -- as above
    if (words.test(await focusedName(page))) return
  }
  throw new Error(`The focus never came to ${words}.`)
}

describe('an action', () => {
  test('is approved by a second press that repeats what stops, and the approval names the digest that was shown', async () => {
    septet()
    await visit(LIST, async (page) => {
      await waiting(page).getByText('expires in 23 h').waitFor()
      await page.getByRole('link', { name: 'Actions 1 awaiting approval' }).waitFor()
      await waiting(page)
        .getByRole('button', { name: /Repartition 2 GPUs/u })
        .click()
      await expect.poll(() => new URL(page.url()).searchParams.get('action')).toBe('action-cut')
      await card(page).getByText('3fa9 12cd 7700').waitFor()
      await card(page).getByText('Rollback: Uncordon gpu-b').waitFor()
      await card(page).getByRole('button', { name: 'Approve…' }).click()
      expect(server.told).toEqual([])
      await expect.poll(() => focusedName(page)).toBe('Approve exactly this plan?')
      const asked = card(page).getByRole('region', { name: 'Approve exactly this plan?' })
      await asked.getByText('2 pods stop: search/api-7p6l5 and search/api-kxz9j.').waitFor()
      await asked.getByText('1 node changes: gpu-b.').waitFor()
      await asked.getByRole('button', { name: 'Approve, 2 pods stop' }).click()
      await card(page).getByText('Approved, check pending').first().waitFor()
      expect(server.told).toEqual([
        { method: 'PUT', path: '/api/v1/actions/action-cut/approval', body: { cluster: 'demo', digest: DIGEST } },
      ])
    })
  })

  test('whose plan has changed is refused in words, and what is approved next is the plan as it is now', async () => {
    const acting = septet()
    const fresh = 'beef'.padEnd(64, '1')
    await visit(CARD, async (page) => {
      await card(page).getByRole('button', { name: 'Approve…' }).click()
      acting.digest = fresh
      await card(page).getByRole('button', { name: 'Approve, 2 pods stop' }).click()
      await card(page).getByRole('alert').getByText('was not approved: the digest is of another plan.').waitFor()
      await card(page).getByText('beef 1111 1111').waitFor()
      await card(page).getByRole('button', { name: 'Approve…' }).click()
      await card(page).getByRole('button', { name: 'Approve, 2 pods stop' }).click()
      await card(page).getByText('Approved, check pending').first().waitFor()
      expect(server.told.map(({ body }) => body)).toEqual([
        { cluster: 'demo', digest: DIGEST },
        { cluster: 'demo', digest: fresh },
      ])
    })
  })

  test('is reached, opened and approved by keyboard alone', async () => {
    septet()
    await visit(LIST, async (page) => {
      await waiting(page).waitFor()
      await tabTo(page, /^Repartition 2 GPUs/u)
      await page.keyboard.press('Enter')
      await card(page).getByRole('button', { name: 'Approve…' }).waitFor()
      await tabTo(page, /^Approve…$/u)
      await page.keyboard.press('Enter')
      await expect.poll(() => focusedName(page)).toBe('Approve exactly this plan?')
      await tabTo(page, /^Approve, 2 pods stop$/u)
      await page.keyboard.press('Enter')
      await expect.poll(() => server.told.length).toBe(1)
      const focused = page.locator(':focus')
      await expect.poll(() => focused.getAttribute('aria-label')).toBe('Status')
    })
  })

  test('that runs is followed by events, and is taken back with a reason', async () => {
    const acting = septet()
    acting.state = 'approved'
    await visit(CARD, async (page) => {
      await card(page).getByText('Approved, check pending').first().waitFor()
      acting.state = 'applying'
      server.send({ kind: 'actions', cluster: 'demo', asOf: at(0) })
      await card(page).getByText('Applying, step 2 of 3').waitFor()
      await card(page).getByText('in progress', { exact: true }).waitFor()
      await card(page).getByRole('button', { name: 'Undo…' }).click()
      await card(page).getByRole('button', { name: 'Undo, stops 1 pod' }).click()
      await card(page).getByText('Give a reason of at least 3 characters.').waitFor()
      await card(page).getByLabel('Why', { exact: true }).fill('Latency rose')
      await card(page).getByText('This pod started on the new slices and will be evicted: lab/new-1.').waitFor()
      await card(page).getByRole('button', { name: 'Undo, stops 1 pod' }).click()
      await card(page).getByText('The cluster is between its old and its new state.').waitFor()
      await card(page).getByText('Pods stopped by the undo').waitFor()
      expect(server.told.at(-1)).toEqual({
        method: 'PUT',
        path: '/api/v1/actions/action-cut/undo',
        body: { cluster: 'demo', reason: 'Latency rose' },
      })
    })
  })

  test('that keeps GPUs free says first of all who has got one of them', async () => {
    const acting = septet()
    acting.state = 'applying'
    const answer = acting.answers['/api/v1/actions/action-cut']?.(new URLSearchParams())
    const body = OPERATIONS.actionsGet.output.parse(typeof answer === 'object' ? answer.body : undefined)
    const shortfall =
      'The appointment is short: 7 of 8 GPUs on 1 node are free. gpu-b has 7 of 8 free: lab/x holds GPUs there.'
    server.answers['/api/v1/actions/action-cut'] = () => ({
      body: { ...body, action: { ...body.action, class: 'appointment', shortfall } },
    })
    await visit(CARD, async (page) => {
      const standing = card(page).getByRole('region', { name: 'Status' })
      await expect.poll(() => standing.getByText(shortfall).isVisible()).toBe(true)
    })
  })

  test('that runs says of when it is, once the server does not answer any more', async () => {
    septet().state = 'applying'
    await visit(CARD, async (page) => {
      await card(page).getByText('Applying, step 2 of 3').waitFor()
      server.answers['/api/v1/actions/action-cut'] = () => 'hang-up'
      server.send({ kind: 'actions', cluster: 'demo', asOf: at(0) })
      await card(page).getByText('Cannot reach the Septet server.').waitFor()
      await expect
        .poll(() => card(page).getByText('actions in progress continue without this page').isVisible())
        .toBe(true)
    })
  })

  test('that failed half way says how the cluster is and what a person has to do', async () => {
    septet().state = 'failed'
    await visit(CARD, async (page) => {
      const alert = card(page).getByRole('alert')
      await alert.getByText('The cluster is partly changed: steps 1 and 2 are still in place.').waitFor()
      await alert.getByText('Uncordon gpu-b').waitFor()
      await card(page).getByText('create pods/eviction search/api-7p6l5').waitFor()
      await expect.poll(() => card(page).getByText('rejected', { exact: true }).isVisible()).toBe(true)
    })
  })

  test('is proposed from its recommendation, and its card opens', async () => {
    const acting = septet()
    acting.state = undefined
    const recommendations = healthy()['/api/v1/recommendations']?.(new URLSearchParams())
    const body =
      typeof recommendations === 'object'
        ? (recommendations.body as { recommendations: { plan: object }[] })
        : undefined
    const [first] = body?.recommendations ?? []
    const listed = {
      ...body,
      recommendations: [{ ...first, kind: 'repartition', plan: { ...first?.plan, byHand: null } }],
    }
    server.answers['/api/v1/recommendations'] = () => ({ body: listed })
    await visit(`${LIST}&recommendation=remove-node-1`, async (page) => {
      await page.getByRole('button', { name: 'Propose', exact: true }).click()
      await card(page).getByRole('button', { name: 'Approve…' }).waitFor()
      expect(server.told).toEqual([
        { method: 'POST', path: '/api/v1/actions', body: { cluster: 'demo', recommendation: 'remove-node-1' } },
      ])
    })
    acting.acting = 'observe'
    acting.state = undefined
    await visit(`${LIST}&recommendation=remove-node-1`, async (page) => {
      const sentence = 'Septet only observes Demo cluster: it has no credentials to change it.'
      await page.getByRole('dialog').getByText(sentence).waitFor()
      expect(await page.getByRole('button', { name: 'Propose', exact: true }).count()).toBe(0)
    })
  })
})

describe('the kill switch', () => {
  test('takes two presses and a reason, from any screen, and every screen says that it is stopped until an admin resumes', async () => {
    septet({ role: 'admin' })
    await visit('/dashboard?cluster=demo', async (page) => {
      await page.getByRole('button', { name: /Find/u }).click()
      await page.getByPlaceholder(/Go to a screen/u).fill('stop act')
      await page.getByRole('option', { name: /Stop acting/u }).click()
      const dialog = page.getByRole('alertdialog', { name: 'Stop acting' })
      await dialog.getByRole('button', { name: 'Stop acting now' }).click()
      await dialog.getByText('Give a reason of at least 3 characters.').waitFor()
      await dialog.getByLabel('Why', { exact: true }).fill('Incident 12')
      await dialog.getByRole('button', { name: 'Stop acting now' }).click()
      await dialog.waitFor({ state: 'detached' })
      await page.getByText('Acting is stopped on Demo cluster', { exact: true }).waitFor()
      for (const section of ['Fleet', 'Settings']) {
        // oxlint-disable-next-line no-await-in-loop -- one screen after the other
        await page.getByRole('navigation', { name: 'Septet' }).getByRole('link', { name: section }).click()
        // oxlint-disable-next-line no-await-in-loop -- as above
        await page.getByText('By ada@example.com, 5 s ago: “Incident 12”').waitFor()
      }
      await page.getByRole('button', { name: 'Resume…' }).click()
      const asked = page.getByRole('alertdialog', { name: 'Resume acting on Demo cluster?' })
      await asked.getByRole('button', { name: 'Resume acting' }).click()
      await page.getByText('Acting is stopped on Demo cluster').waitFor({ state: 'detached' })
      expect(server.told).toEqual([
        {
          method: 'PUT',
          path: '/api/v1/acting/stop',
          body: { cluster: 'demo', everywhere: false, reason: 'Incident 12' },
        },
        { method: 'DELETE', path: '/api/v1/acting/stop?cluster=demo&everywhere=false', body: undefined },
      ])
    })
  })

  test('is lifted by admins only, and operators read that', async () => {
    const acting = septet()
    acting.state = 'applying'
    acting.stops = [{ everywhere: true, at: at(600), by: 'ada@example.com', because: 'Incident 12' }]
    await visit('/dashboard?cluster=demo', async (page) => {
      await page.getByText('Acting is stopped on every cluster', { exact: true }).waitFor()
      await page.getByText('An admin can resume.').waitFor()
      await page.getByRole('link', { name: /^Actions/u }).click()
      await page.getByText('acting stopped: actions are frozen').waitFor()
      expect(await page.getByRole('button', { name: 'Resume…' }).count()).toBe(0)
    })
  })
})

describe('who may not decide', () => {
  test.each([
    [{ role: 'viewer' as const }, 'Approving needs the operator role; you are a viewer.'],
    [{ kind: 'visitor' as const, role: 'viewer' as const }, 'Read-only. Sign in as an operator to approve actions.'],
  ])('%j sees everything, no button, and why', async (me, words) => {
    septet(me)
    await visit(CARD, async (page) => {
      await card(page).getByText(words).waitFor()
      await page.getByText(words).first().waitFor()
      for (const name of ['Approve…', 'Reject…', 'Stop acting…']) {
        // oxlint-disable-next-line no-await-in-loop -- one name after the other
        expect([name, await page.getByRole('button', { name }).count()]).toEqual([name, 0])
      }
    })
  })

  test('an operator reads that a change of MIG mode is for an admin to approve', async () => {
    septet().class = 'mig-mode'
    await visit(CARD, async (page) => {
      await card(page).getByText('Only admins can approve this: it may restart a node.').waitFor()
      const approve = card(page).getByRole('button', { name: 'Approve…' })
      expect(await approve.getAttribute('aria-disabled')).toBe('true')
      await approve.click({ force: true })
      await card(page).getByRole('button', { name: 'Reject…' }).waitFor()
    })
  })

  test('a viewer of some namespaces is told so, and asks for no action', async () => {
    septet({ role: 'viewer', namespaces: ['lab'] })
    await visit(LIST, async (page) => {
      await page.getByText('only people with access to the whole cluster see them').waitFor()
      await page.getByText('Remove gpu-b and its 4 GPUs').first().waitFor()
      expect(server.asked.filter((path) => path.startsWith('/api/v1/actions'))).toEqual([])
    })
  })
})

describe('the screens of actions', () => {
  test.each([
    ['proposed', LIST],
    ['applying', LIST],
    ['kept', LIST],
    ['proposed', CARD],
    ['failed', CARD],
    ['proposed', `${LIST}&stop=ask`],
  ] as const)('%s at %s are readable in both themes and as narrow as a phone', async (state, path) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      septet().state = state
      const viewport = { width: colorScheme === 'light' ? 360 : 1280, height: 900 }
      // oxlint-disable-next-line no-await-in-loop -- one page after the other
      await visit(
        path,
        async (page) => {
          await page.getByText(CUTS[state].title).first().waitFor()
          expect(await overflow(page)).toBe(0)
          expect(await axeFindings(page)).toEqual([])
        },
        { viewport, colorScheme, reducedMotion: 'reduce' },
      )
    }
  })

  test('an answer that does not come is said, and the recommendations stay', async () => {
    septet()
    const problem = {
      type: 'about:blank',
      title: 'x',
      status: 500,
      code: 'internal',
      detail: 'No store.',
      todo: 'Wait.',
    }
    server.answers['/api/v1/actions'] = () => ({ status: 404, body: problem })
    await visit(LIST, async (page) => {
      await page.getByText('No store. Wait.').waitFor()
      await expect.poll(() => page.getByText('Remove gpu-b and its 4 GPUs').first().isVisible()).toBe(true)
    })
  })
})
