import { notFound } from '@septet/contract'
import { screen, within } from '@testing-library/dom'
import type { UserEvent } from '@testing-library/user-event'
import { describe, expect, test } from 'vitest'

import { named, parameters, shows } from '../../read-page.fake.ts'
import { actingFixture, CUTS, DIGEST, type Acting } from '../acting/actions.fixture.ts'
import { HANG_UP, type Answers } from '../septet.fake.ts'
import { at } from '../figures.fixture.ts'
import { openDashboard } from '../open-dashboard.fake.tsx'
import { liveRecommendations } from '../summary/recommendations.fixture.ts'

const LIST = '/dashboard/actions?cluster=demo'
const CARD = `${LIST}&action=action-cut`
const visit = (path: string, acting: Acting, answers: Answers = {}): ReturnType<typeof openDashboard> =>
  openDashboard(path, { answers: { ...acting.answers, ...answers } })
const cardOf = (): Promise<HTMLElement> => screen.findByRole('dialog', { name: CUTS.proposed.title })
const card = async () => within(await cardOf())
const waiting = async () => within(await screen.findByRole('region', { name: 'Awaiting approval (1)' }))
const events = { kind: 'actions', cluster: 'demo', asOf: at(0) } as const

/** Presses Tab until what has the focus says so; fails where it never comes. */
async function tabTo(user: UserEvent, words: RegExp): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one press after the other
    await user.tab()
    if (words.test(document.activeElement?.textContent ?? '')) return
  }
  throw new Error(`The focus never came to ${words}.`)
}

describe('an action', () => {
  test('is approved by a second press that repeats what stops, and the approval names the digest that was shown', async () => {
    const { septet, user } = await visit(LIST, actingFixture())
    const list = await waiting()
    list.getByText(/expires in 23 h/u)
    screen.getByRole('link', named('Actions 1 awaiting approval'))
    await user.click(list.getByRole('button', { name: /Repartition 2 GPUs/u }))
    expect(parameters()['action']).toBe('action-cut')
    await shows('3fa9 12cd 7700', await cardOf())
    await shows('Rollback: Uncordon gpu-b', await cardOf())
    const shown = await card()
    await user.click(shown.getByRole('button', { name: 'Approve…' }))
    expect(septet.told).toEqual([])
    expect(document.activeElement?.textContent).toBe('Approve exactly this plan?')
    const asked = shown.getByRole('region', { name: 'Approve exactly this plan?' })
    await shows('2 pods stop: search/api-7p6l5 and search/api-kxz9j.', asked)
    await shows('1 node changes: gpu-b.', asked)
    await user.click(within(asked).getByRole('button', { name: 'Approve, 2 pods stop' }))
    await shown.findAllByText('Approved, check pending')
    expect(septet.told).toEqual([
      { operation: 'actionsApprove', input: { id: 'action-cut', cluster: 'demo', digest: DIGEST } },
    ])
  })

  test('whose plan has changed is refused in words, and what is approved next is the plan as it is now', async () => {
    const acting = actingFixture()
    const fresh = 'beef'.padEnd(64, '1')
    const { septet, user } = await visit(CARD, acting)
    const shown = await card()
    await user.click(shown.getByRole('button', { name: 'Approve…' }))
    acting.digest = fresh
    await user.click(shown.getByRole('button', { name: 'Approve, 2 pods stop' }))
    await shows('was not approved: the digest is of another plan.', shown.getByRole('alert'))
    await shows('beef 1111 1111', await cardOf())
    await user.click(shown.getByRole('button', { name: 'Approve…' }))
    await user.click(shown.getByRole('button', { name: 'Approve, 2 pods stop' }))
    await shown.findAllByText('Approved, check pending')
    expect(septet.told.map(({ input }) => input['digest'])).toEqual([DIGEST, fresh])
  })

  test('is reached, opened and approved by keyboard alone', async () => {
    const { septet, user } = await visit(LIST, actingFixture())
    await waiting()
    await tabTo(user, /^Repartition 2 GPUs/u)
    await user.keyboard('{Enter}')
    ;(await card()).getByRole('button', { name: 'Approve…' })
    await tabTo(user, /^Approve…$/u)
    await user.keyboard('{Enter}')
    expect(document.activeElement?.textContent).toBe('Approve exactly this plan?')
    await tabTo(user, /^Approve, 2 pods stop$/u)
    await user.keyboard('{Enter}')
    expect(septet.told).toHaveLength(1)
    await expect.poll(() => document.activeElement?.getAttribute('aria-label')).toBe('Status')
  })

  test('that runs is followed by events, and is taken back with a reason', async () => {
    const acting = actingFixture()
    acting.state = 'approved'
    const { septet, user } = await visit(CARD, acting)
    const shown = await card()
    await shown.findAllByText('Approved, check pending')
    acting.state = 'applying'
    septet.send(events)
    await shows('Applying, step 2 of 3', await cardOf())
    await shown.findByText('in progress')
    await user.click(shown.getByRole('button', { name: 'Undo…' }))
    await user.click(shown.getByRole('button', { name: 'Undo, stops 1 pod' }))
    await shown.findByText('Give a reason of at least 3 characters.')
    await user.type(shown.getByLabelText('Why'), 'Latency rose')
    await shows('This pod started on the new slices and will be evicted: lab/new-1.', await cardOf())
    await user.click(shown.getByRole('button', { name: 'Undo, stops 1 pod' }))
    await shows('The cluster is between its old and its new state.', await cardOf())
    await shows('Pods stopped by the undo', await cardOf())
    expect(septet.told.at(-1)).toEqual({
      operation: 'actionsUndo',
      input: { id: 'action-cut', cluster: 'demo', reason: 'Latency rose' },
    })
  })

  test('that keeps GPUs free says first of all who has got one of them', async () => {
    const acting = actingFixture()
    const shortfall =
      'The appointment is short: 7 of 8 GPUs on 1 node are free. gpu-b has 7 of 8 free: lab/x holds GPUs there.'
    Object.assign(acting, { state: 'applying', class: 'appointment', shortfall })
    await visit(CARD, acting)
    await shows(shortfall, (await card()).getByRole('region', { name: 'Status' }))
  })

  test('that a person asked for says who asked for what at which cost, and nothing of a saving', async () => {
    const acting = actingFixture()
    const cause = { kind: 'wish', wants: '8 GPUs for lab tomorrow', costs: '4.0 GPU-hours sit idle.' }
    Object.assign(acting, { class: 'appointment', cause })
    await visit(CARD, acting)
    const shown = await cardOf()
    await shows('8 GPUs for lab tomorrow', shown)
    await shows('4.0 GPU-hours sit idle.', shown)
    await shows('Asked for by', shown)
    expect(shown.textContent).not.toMatch(/saving$|Estimated|Effect/u)
    expect(document.body.textContent).toContain('Appointment · asked for by ada@example.com · stops 2 pods')
  })

  test('that runs says of when it is, once the server does not answer any more', async () => {
    const acting = actingFixture()
    acting.state = 'applying'
    const { septet } = await visit(CARD, acting)
    await shows('Applying, step 2 of 3', await cardOf())
    septet.answers = { ...septet.answers, actionsGet: () => HANG_UP }
    septet.send(events)
    await shows('Cannot reach the Septet server.', await cardOf())
    await shows('Actions in progress continue without this page.', await cardOf())
  })

  test('that failed half way says how the cluster is and what a person has to do', async () => {
    const acting = actingFixture()
    acting.state = 'failed'
    await visit(CARD, acting)
    const alert = (await card()).getByRole('alert')
    await shows('The cluster is partly changed: steps 1 and 2 are still in place.', alert)
    await shows('Uncordon gpu-b', alert)
    await shows('create pods/eviction search/api-7p6l5', await cardOf())
    ;(await card()).getByText('rejected')
  })
})

describe('an action that would fail once it is approved', () => {
  test('is not approved, and its card says why', async () => {
    const acting = actingFixture()
    acting.outlook = { refused: 'It saves $12.00 a month; the minimum is $50.00.', waits: null }
    const { user, septet } = await visit(CARD, acting)
    await shows('It saves $12.00 a month; the minimum is $50.00.', await cardOf())
    const approve = (await card()).getByRole('button', { name: 'Approve…' })
    expect(approve.getAttribute('aria-disabled')).toBe('true')
    await user.click(approve)
    ;(await card()).getByRole('button', { name: 'Reject…' })
    expect(septet.told).toEqual([])
  })

  test('or only waits then says what for', async () => {
    const acting = actingFixture()
    acting.outlook = { refused: null, waits: 'No maintenance window is open.' }
    await visit(CARD, acting)
    await shows('Once approved, it waits. No maintenance window is open.', await cardOf())
    expect((await card()).getByRole('button', { name: 'Approve…' }).getAttribute('aria-disabled')).toBe('false')
  })
})

describe('a recommendation', () => {
  const byId = `${LIST}&recommendation=remove-node-1`
  const { recommendations, ...rest } = liveRecommendations()
  const [first] = recommendations
  const plan = first?.plan && { ...first.plan, byHand: null }
  const answers: Answers = {
    recommendationsList: () => ({
      ...rest,
      recommendations: first === undefined ? [] : [{ ...first, kind: 'repartition', plan: plan ?? null }],
    }),
  }

  test('is proposed, and its card opens', async () => {
    const acting = actingFixture()
    acting.state = undefined
    const { septet, user } = await visit(byId, acting, answers)
    await user.click(await screen.findByRole('button', { name: 'Propose' }))
    ;(await card()).getByRole('button', { name: 'Approve…' })
    expect(septet.told).toEqual([
      { operation: 'actionsPropose', input: { cluster: 'demo', recommendation: 'remove-node-1' } },
    ])
  })

  test('is not proposed where it would fail once it is approved, and its card says why', async () => {
    const acting = actingFixture()
    acting.state = undefined
    if (first === undefined) throw new Error('there is none')
    const outlook = { refused: 'Confidence in its evidence is 15%; the minimum is 50%.', waits: null }
    const recommendationsGet = () => ({ ...rest, recommendation: first, files: [], gpus: [], past: null, outlook })
    await visit(byId, acting, { ...answers, recommendationsGet })
    await shows(outlook.refused, await screen.findByRole('dialog'))
    expect(screen.queryByRole('button', { name: 'Propose' })).toBeNull()
  })

  test('is not proposed where Septet only observes', async () => {
    const acting = actingFixture()
    Object.assign(acting, { state: undefined, acting: 'observe' })
    await visit(byId, acting, answers)
    const sentence = 'Septet only observes Demo cluster: it has no credentials to change it.'
    await shows(sentence, await screen.findByRole('dialog'))
    expect(screen.queryByRole('button', { name: 'Propose' })).toBeNull()
  })
})

describe('the kill switch', () => {
  test('takes two presses and a reason, from any screen, and every screen says that it is stopped until an admin resumes', async () => {
    const { septet, user } = await visit('/dashboard?cluster=demo', actingFixture({ role: 'admin' }))
    await user.click(screen.getByRole('button', { name: /Find/u }))
    await user.type(await screen.findByPlaceholderText(/Go to a screen/u), 'stop act')
    await user.click(await screen.findByRole('option', { name: /Stop acting/u }))
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Stop acting' }))
    await user.click(dialog.getByRole('button', { name: 'Stop acting now' }))
    await dialog.findByText('Give a reason of at least 3 characters.')
    await user.type(dialog.getByLabelText('Why'), 'Incident 12')
    await user.click(dialog.getByRole('button', { name: 'Stop acting now' }))
    expect(screen.queryByRole('alertdialog')).toBeNull()
    await screen.findByText('Acting is stopped on Demo cluster')
    for (const section of ['Fleet', 'Settings']) {
      const [link] = within(screen.getByRole('navigation', { name: 'Septet' })).getAllByRole('link', { name: section })
      // oxlint-disable-next-line no-await-in-loop -- one screen after the other
      await user.click(link as HTMLElement)
      // oxlint-disable-next-line no-await-in-loop -- as above
      await shows('By ada@example.com, 5 s ago: “Incident 12”')
    }
    await user.click(screen.getByRole('button', { name: 'Resume…' }))
    const asked = within(await screen.findByRole('alertdialog', { name: 'Resume acting on Demo cluster?' }))
    await user.click(asked.getByRole('button', { name: 'Resume acting' }))
    await expect.poll(() => screen.queryByText('Acting is stopped on Demo cluster')).toBeNull()
    expect(septet.told).toEqual([
      { operation: 'actingStop', input: { cluster: 'demo', everywhere: false, reason: 'Incident 12' } },
      { operation: 'actingResume', input: { cluster: 'demo', everywhere: 'false' } },
    ])
  })

  test('is lifted by admins only, and operators read that', async () => {
    const acting = actingFixture()
    acting.state = 'applying'
    acting.stops = [{ everywhere: true, at: at(600), by: 'ada@example.com', because: 'Incident 12' }]
    const { user } = await visit('/dashboard?cluster=demo', acting)
    await screen.findByText('Acting is stopped on every cluster')
    await shows('An admin can resume.')
    await user.click(screen.getAllByRole('link', { name: /^Actions/u })[0] as HTMLElement)
    await shows('acting stopped: actions are frozen')
    expect(screen.queryByRole('button', { name: 'Resume…' })).toBeNull()
  })
})

describe('who may not decide', () => {
  test.each([
    [{ role: 'viewer' as const }, 'Approving needs the operator role; you are a viewer.'],
    [{ kind: 'visitor' as const, role: 'viewer' as const }, 'Read-only. Sign in as an operator to approve actions.'],
  ])('%j sees everything, no button, and why', async (me, words) => {
    await visit(CARD, actingFixture(me))
    await shows(words, await cardOf())
    await shows(words, screen.getByRole('main', { hidden: true }))
    for (const name of ['Approve…', 'Reject…', 'Stop acting…'])
      expect(screen.queryByRole('button', { name, hidden: true })).toBeNull()
  })

  test('a viewer of some namespaces is told so, and asks for no action', async () => {
    const { septet } = await visit(LIST, actingFixture({ role: 'viewer', namespaces: ['lab'] }))
    await shows('only people with access to the whole cluster see them')
    await screen.findAllByText('Remove gpu-b and its 4 GPUs')
    expect(septet.asked.filter(({ operation }) => operation.startsWith('actions'))).toEqual([])
  })
})

test('an answer that does not come is said, and the recommendations stay', async () => {
  await visit(LIST, actingFixture(), { actionsList: () => notFound('No store.', 'Wait.') })
  await shows('No store. Wait.')
  await screen.findAllByText('Remove gpu-b and its 4 GPUs')
})
