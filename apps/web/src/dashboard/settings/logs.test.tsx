import { screen, within } from '@testing-library/dom'
import { describe, expect, test } from 'vitest'

import { shows, wordsOf } from '../../read-page.fake.ts'
import { actingFixture } from '../acting/actions.fixture.ts'
import { at } from '../figures.fixture.ts'
import { openDashboard } from '../open-dashboard.fake.tsx'
import type { Answer, Answers } from '../septet.fake.ts'

type Delivery = Answer<'deliveriesList'>['deliveries'][number]
type Entry = Answer<'auditList'>['entries'][number]

const MARKUP = '<img src=x onerror=document.title=1>'
const visit = (section: string, answers: Answers) =>
  openDashboard(`/dashboard/settings/${section}`, {
    answers: { ...actingFixture({ role: 'admin' }).answers, ...answers },
  })

const FAILED: Delivery = {
  id: 'msg-1',
  channel: 'ops',
  cluster: 'demo',
  about: 'firing',
  title: `XID 79 on gpu-b ${MARKUP}`,
  createdAt: at(600),
  state: 'failed',
  nextAt: null,
  attempts: [
    { attempt: 1, at: at(600), outcome: 'failed', status: null, detail: 'The connection was refused.', tookMs: 12.4 },
    { attempt: 2, at: at(300), outcome: 'failed', status: 503, detail: 'Unavailable', tookMs: 800 },
  ],
}
const OPS = { id: 'ops', kind: 'slack', target: 'hooks.example.com', signed: false, changedBy: 'ada' } as const
const notifications = (deliveries: readonly Delivery[], more: Answers = {}): Answers => ({
  channelsList: () => ({ channels: [{ ...OPS, changedAt: at(0) }], keepsMails: false }),
  deliveriesList: ({ state }) => ({
    deliveries: deliveries.filter((delivery) => state === undefined || delivery.state === state),
  }),
  ...more,
})
const log = (): Promise<HTMLElement> => screen.findByRole('region', { name: 'Delivery log' })

describe('what was sent', () => {
  test('names each try, with its status where there was an answer, and a name that looks like markup is text', async () => {
    await visit('notifications', notifications([FAILED]))
    const tries = within(await log())
      .getAllByRole('listitem', { hidden: true })
      .map((item) => wordsOf(item))
      .filter((words) => /^\d\d:/u.test(words))
    expect(tries).toEqual([
      '10:31:30 failed The connection was refused. 12 ms',
      '10:36:30 failed 503 Unavailable 800 ms',
    ])
    expect([(await log()).textContent?.includes(MARKUP), document.querySelector('img[src=x]')]).toEqual([true, null])
  })

  test('is nothing yet, which is another thing than that nothing failed', async () => {
    const { user } = await visit('notifications', notifications([{ ...FAILED, state: 'delivered' }]))
    await user.click(within(await log()).getByRole('radio', { name: 'Failed' }))
    await shows('No failed deliveries.', await log())
    expect((await log()).textContent).not.toContain('Nothing sent yet.')
  })

  test('says that nothing was sent where nothing was', async () => {
    await visit('notifications', notifications([]))
    await shows('Nothing sent yet.', await log())
  })

  test('is sent again, and what failed then is said beside it', async () => {
    const { septet, user } = await visit(
      'notifications',
      notifications([FAILED], { deliveriesRedeliver: () => ({ delivery: FAILED }) }),
    )
    await user.click(within(await log()).getByRole('button', { name: `Resend: ${FAILED.title}`, hidden: true }))
    expect(septet.told.map(({ input }) => input)).toEqual([{ id: 'msg-1' }])
    await shows('Delivery to ops failed: Unavailable', await log())
  })

  test('as a test that does not arrive says why', async () => {
    const { user } = await visit(
      'notifications',
      notifications([], { channelsTest: () => ({ delivery: { ...FAILED, about: 'test' } }) }),
    )
    await user.click(await screen.findByRole('button', { name: 'Send a test to ops' }))
    await shows('Test to ops failed: 503 Unavailable', screen.getByRole('region', { name: 'Channels' }))
  })
})

const entry = (seq: number, change: Partial<Entry> = {}): Entry => ({
  seq,
  at: at(60),
  actor: 'ada@example.com',
  action: 'prices.put',
  object: 'our-t4',
  outcome: 'done',
  ip: '10.0.0.9',
  details: {},
  hash: 'abcdef0123456789',
  previousHash: '',
  ...change,
})

describe('the audit log', () => {
  test('says who did what, who was refused, and with which details', async () => {
    const refused = entry(7, { outcome: 'refused', details: { role: 'viewer', count: 2, forced: false } })
    await visit('audit', { auditList: () => ({ entries: [refused], next: null }) })
    const row = await screen.findByRole('row', { name: /prices\.put/u })
    expect(wordsOf(row)).toContain('prices.put refused our-t4 role: viewer · count: 2 · forced: false')
    expect(screen.queryByRole('navigation', { name: 'Pages of the audit log' })).toBeNull()
  })

  test('is turned page by page, back to the newest', async () => {
    const { septet, user } = await visit('audit', {
      auditList: ({ before }) => ({ entries: [entry((before ?? 100) - 1)], next: before === undefined ? 51 : null }),
    })
    const pages = within(await screen.findByRole('navigation', { name: 'Pages of the audit log' }))
    expect(pages.getByRole('button', { name: 'Newer' }).hasAttribute('disabled')).toBe(true)
    await user.click(pages.getByRole('button', { name: 'Older' }))
    await screen.findByRole('cell', { name: '50' })
    expect(septet.asked.findLast(({ operation }) => operation === 'auditList')?.input['before']).toBe('51')
    expect(pages.getByRole('button', { name: 'Older' }).hasAttribute('disabled')).toBe(true)
    await user.click(pages.getByRole('button', { name: 'Newer' }))
    await screen.findByRole('cell', { name: '99' })
  })
})

describe('the outbox', () => {
  test('says that it is empty', async () => {
    await visit('outbox', { mailsList: () => ({ mails: [] }) })
    await shows('The outbox is empty.')
  })

  test('shows each email as it was written', async () => {
    const text = `Follow the link.\n${MARKUP}`
    const mail = { id: 'm', at: at(60), to: 'bo@example.com', kind: 'invite', subject: 'You are invited', text }
    const { user } = await visit('outbox', { mailsList: () => ({ mails: [{ ...mail, outcome: 'kept' }] }) })
    await user.click(await screen.findByText('You are invited'))
    expect(screen.getByText(/^Follow the link/u).textContent).toBe(text)
    expect(document.querySelector('img[src=x]')).toBeNull()
  })
})
