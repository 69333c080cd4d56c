import { Refusal, notFound } from '@septet/contract'
import { screen, within } from '@testing-library/dom'
import { describe, expect, test } from 'vitest'

import { parameters, shows, wordsOf } from '../../read-page.fake.ts'
import { actingFixture } from '../acting/actions.fixture.ts'
import { at } from '../figures.fixture.ts'
import { openDashboard } from '../open-dashboard.fake.tsx'
import type { Answer, Answers } from '../septet.fake.ts'

type List = Answer<'alertsList'>
type Alert = List['firing'][number]

const MARKUP = '<img src=x onerror=document.title=1>'
const IDLE: Alert = {
  id: 'idle-1',
  kind: 'idle-held',
  severity: 'warning',
  status: 'firing',
  object: 'workload/lab/Job/train',
  namespace: 'lab',
  title: 'lab/Job/train holds 2 idle GPUs',
  message: 'It has held 2 idle GPUs for 9.3 h.',
  advice: 'Ask its owner.',
  value: 9.3,
  threshold: 8,
  unit: 'hours',
  coverage: 0.91,
  since: at(9.3 * 3600),
  firedAt: at(3600),
  resolvedAt: null,
  ending: null,
  acknowledgement: null,
  silence: null,
}
const FAULT: Alert = {
  ...IDLE,
  id: 'xid-1',
  kind: 'xid',
  severity: 'critical',
  object: 'gpu/GPU-5c0b',
  namespace: null,
  title: `GPU 2 of ${MARKUP} reports XID 79`,
  message: 'It has fallen off the bus.',
  advice: 'Drain the node and restart it.',
  value: 79,
  threshold: 1,
  unit: 'code',
  coverage: null,
}
const ENDED: Alert = { ...IDLE, id: 'idle-0', status: 'resolved', resolvedAt: at(1800), object: 'workload/lab/Job/old' }

const list = (change: Partial<List>): List => ({
  source: { id: 'demo', name: 'Demo cluster', kind: 'demo' },
  asOf: at(4),
  window: null,
  note: null,
  total: change.firing?.length ?? 0,
  firing: [],
  pending: 0,
  history: [],
  ...change,
})
const visit = (change: Partial<List>, query = '', answers: Answers = {}) =>
  openDashboard(`/dashboard/alerts?cluster=demo${query}`, {
    answers: { ...actingFixture({ role: 'operator' }).answers, alertsList: () => list(change), ...answers },
  })

describe('alerts', () => {
  test('that are not there are not good news by themselves: the page says why, and what may come', async () => {
    await visit({ note: 'No rule is on.', pending: 1 })
    await shows('No alerts firing.')
    await shows('No rule is on.')
    await shows('1 more is true, but not yet for as long as the rule asks.')
    await shows('No alerts in this period.')
  })

  test('that begin while the first answer is under way are there all the same', async () => {
    const { septet } = await visit({})
    await screen.findByText('Connected')
    const thirty = await screen.findByRole('radio', { name: '30 days' })
    const { promise: under, resolve: give } = Promise.withResolvers<List>()
    septet.answers = { ...septet.answers, alertsList: async () => under }
    thirty.click()
    await expect.poll(() => septet.asked.at(-1)?.input).toMatchObject({ days: '30' })
    septet.answers = { ...septet.answers, alertsList: () => list({ firing: [IDLE] }) }
    septet.send({ kind: 'alerts', cluster: 'demo', asOf: at(0) })
    give(list({}))
    await screen.findByRole('heading', { name: IDLE.title })
  })

  test('come with the worst kind first, each with its figure, its object and since when', async () => {
    await visit({ firing: [IDLE, FAULT] })
    await screen.findByRole('heading', { name: 'XID fault' })
    const headings = screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)
    expect(headings).toEqual(['XID fault', 'Idle-held GPUs', 'History'])
    await shows('9.3 h, limit 8 h, 91% measured')
    await shows('XID 79')
    await shows('started 9 h 18 min ago')
    // What restates the figure is not said again.
    expect(screen.queryByText(IDLE.message)).toBeNull()
    const [link] = screen.getAllByRole('link', { name: 'lab/Job/train' })
    expect(link?.getAttribute('href')).toBe('/dashboard/workloads?cluster=demo&workload=lab%2FJob%2Ftrain')
    expect([document.querySelector('img[src=x]'), document.title]).toEqual([null, 'Alerts · Septet'])
  })

  test('of one kind say once what is to be done about all of them, and six at first', async () => {
    const firing = Array.from({ length: 8 }, (_, number) => ({ ...IDLE, id: `idle-${number}`, title: `Job ${number}` }))
    const { user } = await visit({ firing })
    await screen.findByRole('heading', { name: 'Job 0' })
    expect(screen.getAllByText('Ask its owner.')).toHaveLength(1)
    expect(screen.queryByRole('heading', { name: 'Job 7' })).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Show all 8' }))
    screen.getByRole('heading', { name: 'Job 7' })
  })

  test('that a message links to are shown, wherever they stand in the list', async () => {
    const firing = Array.from({ length: 8 }, (_, number) => ({ ...IDLE, id: `idle-${number}`, title: `Job ${number}` }))
    await visit({ firing }, '&alert=idle-7')
    await screen.findByRole('heading', { name: 'Job 7' })
  })

  test('are narrowed to a kind by the address, which is also told of one that fires no longer', async () => {
    const { user } = await visit({ firing: [IDLE, FAULT] }, '&kind=budget')
    await shows('No alerts firing.')
    await user.click(screen.getByRole('radio', { name: /^XID fault/u }))
    expect(parameters()['kind']).toBe('xid')
    await screen.findByRole('heading', { name: FAULT.title })
    expect(screen.queryByRole('heading', { name: IDLE.title })).toBeNull()
    await user.click(screen.getByRole('radio', { name: /^All/u }))
    expect(parameters()['kind']).toBeUndefined()
  })

  test('of the past say how long they lasted and how they ended', async () => {
    const history = [ENDED, { ...ENDED, id: 'idle-00', object: 'workload/lab/Job/gone', ending: 'object-gone' }]
    const { septet, user } = await visit({ firing: [IDLE], history })
    const table = await screen.findByRole('table', { name: 'Alerts in this period' })
    const rowOf = (name: string): string => wordsOf(within(table).getByRole('row', { name: new RegExp(name, 'u') }))
    expect(rowOf('Job/old')).toMatch(/Lasted 30 min How it ended well again$/u)
    expect(rowOf('Job/gone')).toMatch(/30 min How it ended gone$/u)
    expect(rowOf('Job/train')).toMatch(/Lasted still firing/u)
    await user.click(screen.getByRole('radio', { name: '30 days' }))
    expect(septet.asked.findLast(({ operation }) => operation === 'alertsList')?.input['days']).toBe('30')
  })
})

describe('an operator', () => {
  test('acknowledges with a reason; what the server refuses stays on the form with what was typed', async () => {
    let refuses = true
    const { septet, user } = await visit({ firing: [IDLE] }, '', {
      alertsAcknowledge: ({ reason }) =>
        refuses
          ? notFound('It has just ended.', 'Reload the list.')
          : { alert: { ...IDLE, acknowledgement: { by: 'ada', at: at(0), reason } } },
    })
    await user.click(await screen.findByRole('button', { name: `Acknowledge ${IDLE.title}` }))
    const form = within(screen.getByRole('form', { name: `Acknowledge ${IDLE.title}` }))
    await user.click(form.getByRole('button', { name: 'Acknowledge' }))
    expect(septet.told).toEqual([])
    await user.type(form.getByLabelText('Reason'), 'Its team knows')
    await user.click(form.getByRole('button', { name: 'Acknowledge' }))
    await shows('It has just ended. Reload the list.')
    refuses = false
    await user.click(form.getByRole('button', { name: 'Acknowledge' }))
    expect(septet.told.at(-1)).toEqual({
      operation: 'alertsAcknowledge',
      input: { id: 'idle-1', cluster: 'demo', reason: 'Its team knows' },
    })
    expect(screen.queryByRole('form', { name: `Acknowledge ${IDLE.title}` })).toBeNull()
  })

  test('silences for as long as was chosen, eight hours unless something else is', async () => {
    const silence = { by: 'ada', at: at(0), reason: 'Maintenance', until: at(-28_800) }
    const { septet, user } = await visit({ firing: [IDLE] }, '', {
      alertsSilence: () => ({ alert: { ...IDLE, silence } }),
    })
    await user.click(await screen.findByRole('button', { name: `Silence ${IDLE.title}` }))
    await user.keyboard('Maintenance')
    septet.answers = { ...septet.answers, alertsList: () => list({ firing: [{ ...IDLE, silence }] }) }
    await user.click(screen.getByRole('button', { name: 'Silence' }))
    expect(septet.told.at(-1)?.input).toMatchObject({ reason: 'Maintenance', minutes: 480 })
    await shows('silenced until Nov 20, 2026, 18:41')
    await user.click(screen.getByRole('button', { name: `End silence of ${IDLE.title}` }))
    expect(septet.told.at(-1)?.input).toMatchObject({ minutes: 0 })
  })

  test('reads no more of a silence that is over', async () => {
    const silence = { by: 'ada', at: at(7200), reason: 'Maintenance', until: at(60) }
    await visit({ firing: [{ ...IDLE, silence }] })
    await screen.findByRole('button', { name: `Silence ${IDLE.title}` })
    expect(screen.queryByText(/^silenced until/u)).toBeNull()
  })
})

test('a viewer sees every alert, nothing to press, and why', async () => {
  await visit({ firing: [IDLE] }, '', actingFixture({ role: 'viewer' }).answers)
  await shows('Only operators and admins can acknowledge or silence alerts.')
  await screen.findByRole('heading', { name: IDLE.title })
  expect(screen.queryByRole('button', { name: /^(?:Acknowledge|Silence)/u })).toBeNull()
})

test('why there is no answer is said in the server’s words, and one press asks again', async () => {
  const { septet, user } = await visit({}, '', {
    alertsList: () => new Refusal('unknown-cluster', 'No cluster demo.', 'Choose another.'),
  })
  await shows('No cluster demo. Choose another.')
  septet.answers = { ...septet.answers, alertsList: () => list({ firing: [IDLE] }) }
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  await screen.findByRole('heading', { name: IDLE.title })
})
