import { invalidInput, notFound } from '@septet/contract'
import { screen, within } from '@testing-library/dom'
import { describe, expect, test } from 'vitest'

import { parameters, shows, wordsOf } from '../../read-page.fake.ts'
import { actingFixture } from '../acting/actions.fixture.ts'
import { at, windowOf } from '../figures.fixture.ts'
import { openDashboard } from '../open-dashboard.fake.tsx'
import type { Answer, Answers } from '../septet.fake.ts'

type Cost = Answer<'costBreakdown'>
type Group = Cost['groups'][number]
type Amounts = Group['gpuHours']

const answered = {
  source: { id: 'demo', name: 'Demo cluster', kind: 'demo' as const },
  asOf: at(4),
  window: windowOf('24h'),
}
const HOURS: Amounts = {
  capacity: 100,
  used: 50,
  unmeasured: 10,
  idleHeld: 20,
  oversized: 5,
  unallocated: 15,
  stranded: 6,
  broken: 4,
  unrequested: 0,
  unobserved: 0,
}
const timesTwo = (hours: Amounts): Amounts => ({
  ...hours,
  capacity: hours.capacity * 2,
  used: hours.used * 2,
  unmeasured: hours.unmeasured * 2,
  idleHeld: hours.idleHeld * 2,
  oversized: hours.oversized * 2,
  unallocated: hours.unallocated && hours.unallocated * 2,
  stranded: hours.stranded && hours.stranded * 2,
  broken: hours.broken && hours.broken * 2,
})
const held = (used: number, idleHeld: number, unmeasured = 0): Amounts => ({
  ...HOURS,
  capacity: used + idleHeld,
  used,
  unmeasured,
  idleHeld,
  oversized: 0,
  unallocated: 0,
  stranded: 0,
  broken: 0,
  unrequested: 0,
  unobserved: 0,
})
/** Amounts as a breakdown has them, half of what was measured busy. */
const amounts = (gpuHours: Amounts, usd: Amounts | null = timesTwo(gpuHours)) => {
  const share = gpuHours.used + gpuHours.idleHeld + gpuHours.oversized
  const coverage = share === 0 ? null : 1 - gpuHours.unmeasured / share
  const unmeasuredShare = coverage === null ? null : 1 - coverage
  return { gpuHours, usd, busy: coverage === null || coverage === 0 ? null : 0.5, coverage, unmeasuredShare }
}
const group = (key: string, gpuHours: Amounts, change: Partial<Group> = {}): Group => ({
  id: `namespace/${key}`,
  key,
  kind: 'named',
  ...amounts(gpuHours),
  ...change,
})
const DARK = held(10, 0, 10)
const GROUPS = [
  group('vision', held(40, 20)),
  group('dark', DARK),
  group('unpriced', held(5, 0), { usd: null }),
  group('', HOURS, { id: 'free', kind: 'free' }),
]
const cost = (change: Partial<Cost> = {}): Cost => ({
  ...answered,
  by: 'namespace',
  groups: GROUPS,
  total: amounts(HOURS),
  unpricedGpuHours: 0,
  within: null,
  labels: [],
  observedSeconds: 86_400,
  notes: [],
  before: null,
  ...change,
})
type Days = Answer<'costDays'>
const day = (date: string, usd: Amounts | null, seen = 1): Days['days'][number] => ({
  date,
  window: { from: `${date}T00:00:00Z`, to: new Date(Date.parse(`${date}T00:00:00Z`) + 86_400_000).toISOString() },
  seen,
  gpuHours: usd,
  usd,
})
const days = (list: Days['days']): Days => ({ ...answered, zone: 'UTC', days: list, coarse: false })
const NOVEMBER = [day('2026-11-17', timesTwo(HOURS)), day('2026-11-18', null, 0), day('2026-11-19', DARK, 0.5)]

const visit = (query = '', answers: Answers = {}, role: 'viewer' | 'admin' = 'admin') =>
  openDashboard(`/dashboard/cost?cluster=demo&zone=UTC${query}`, {
    answers: {
      ...actingFixture({ role }).answers,
      costBreakdown: () => cost(),
      costDays: () => days(NOVEMBER),
      ...answers,
    },
  })
const panel = (name: string): Promise<HTMLElement> => screen.findByRole('region', { name })
const groupsTable = (): Promise<HTMLElement> => screen.findByRole('table', { name: 'Cost by namespace' })
const rowsOf = (table: HTMLElement): string[] => within(table).getAllByRole('row').slice(1).map(wordsOf)

describe('where the money went', () => {
  test('leads from the capacity to what was used, in dollars', async () => {
    await visit()
    const steps = within(await panel('From capacity to use')).getAllByRole('listitem')
    expect(steps.map((step) => wordsOf(step))).toEqual([
      'Capacity $200.00 100.0% of the capacity',
      'Broken −$8.00 4.0% of the capacity',
      'Stranded −$12.00 6.0% of the capacity',
      'Unallocated −$30.00 15.0% of the capacity',
      'Idle-held −$40.00 20.0% of the capacity',
      'Oversized −$10.00 5.0% of the capacity',
      'Used $100.00 50.0% of the capacity',
    ])
  })

  test('is in GPU-hours where no GPU has a price', async () => {
    await visit('', { costBreakdown: () => cost({ total: amounts(HOURS, null), unpricedGpuHours: 100 }) })
    const part = await panel('From capacity to use')
    await shows('−20 GPU-h', part)
    await shows('100 GPU-h have no price and are in no amount; the price book names them.', part)
    expect(part.textContent).not.toContain('$')
  })

  test('is not known of idle and oversized time where nothing that was held was measured, in bars and in figures', async () => {
    const { user } = await visit('', { costBreakdown: () => cost({ total: amounts(DARK) }) })
    const part = await panel('From capacity to use')
    const idle = within(part)
      .getAllByRole('listitem')
      .find((step) => wordsOf(step).startsWith('Idle-held'))
    expect(idle && wordsOf(idle)).toBe('Idle-held Not measured')
    await user.click(within(part).getByRole('button', { name: 'View as table' }))
    const rows = rowsOf(within(part).getByRole('table'))
    expect(rows).toContain('Idle-held Not measured Not measured')
    expect(rows).toContain('Oversized Not measured Not measured')
    expect(rows).toContain('Used 20.00 1.0000')
  })

  test('says where the time is not whole, and that nothing ran where nothing did', async () => {
    await visit('', {
      costBreakdown: () =>
        cost({
          notes: ['Today is not over.', 'An hour is missing.'],
          groups: [],
          total: amounts(held(0, 0)),
        }),
    })
    await shows('Today is not over. An hour is missing.')
    await shows('No GPU was in use or ready in this window.')
    await shows('No GPU was in use in this window.')
  })

  test('is nothing for sample data, which has no GPU-hours', async () => {
    await visit('', {
      costBreakdown: () => cost({ source: { ...answered.source, kind: 'sample' }, total: null, groups: [] }),
    })
    await shows('Sample data has no GPU-hours to break down.')
    expect(screen.queryByRole('region', { name: 'Cost by group' })).toBeNull()
  })

  test('is said in the server’s words where there is no answer', async () => {
    await visit('', { costBreakdown: () => notFound('No usage is kept.', 'Choose another range.') })
    await shows('No usage is kept. Choose another range.')
  })
})

describe('each day', () => {
  test('says its amount, or that it is unknown, and which part of it was seen', async () => {
    const { user } = await visit()
    const part = await panel('Each day')
    const buttons = within(part)
      .getAllByRole('button')
      .map((button) => button.getAttribute('aria-label') ?? '')
      .filter((words) => words.startsWith('2026'))
    expect(buttons[0]).toBe('2026-11-17: $200')
    expect(buttons[1]).toMatch(/^2026-11-18: unknown/u)
    expect(buttons[2]).toMatch(/^2026-11-19: \$10\.00, /u)
    await user.click(within(part).getByRole('button', { name: 'View as table' }))
    const [whole, unseen, dark] = rowsOf(within(part).getByRole('table'))
    expect(whole).toBe('2026-11-17 100.00 20.00 10.00 40.00 30.00 12.00 8.00 0.00 0.00 200.00 1.000')
    expect(unseen).toBe(`2026-11-18${' Unknown'.repeat(10)} 0.000`)
    // Nothing that was held was measured, so that none of it is known to be idle or not.
    expect(dark).toBe('2026-11-19 10.00 10.00 Unknown Unknown 0.00 0.00 0.00 0.00 0.00 10.00 0.500')
  })

  test('is not drawn where no day has a known cost', async () => {
    await visit('', { costDays: () => days([day('2026-11-18', null, 0)]) })
    await shows('No day in this window has a known cost.', await panel('Each day'))
  })
})

describe('cost by group', () => {
  test('has the largest first; no price and no measurement are no $0', async () => {
    await visit()
    const rows = rowsOf(await groupsTable())
    expect(rows.map((row) => row.split(' ')[0])).toEqual(['Unallocated', 'vision', 'dark', 'unpriced'])
    expect(rows[1]).toMatch(/GPU-h 60 Busy of held 50\.0% Idle-held \$40\.00 Change Unknown Cost \$120\.00$/u)
    expect(rows[2]).toMatch(/GPU-h 10 Busy of held Not measured Idle-held Not measured Change Unknown Cost \$20\.00$/u)
    expect(rows[0]).toContain('Busy of held 50.0%')
    expect(rows[3]).toMatch(/Cost No price$/u)
    await shows('Change appears once the previous window has as much data.')
  })

  test('has cents that add up to those of the whole', async () => {
    const thirds = ['a', 'b', 'c'].map((name) => group(name, { ...HOURS, capacity: 100 / 6, used: 100 / 6 }))
    await visit('', {
      costBreakdown: () => cost({ groups: thirds, total: amounts({ ...HOURS, capacity: 50, used: 50 }) }),
    })
    const shown = rowsOf(await groupsTable()).map((row) => Number(/Cost \$([\d.]+)$/u.exec(row)?.[1]) * 100)
    expect(shown.reduce((sum, cents) => sum + Math.round(cents), 0)).toBe(100_00)
  })

  test.each([
    [86_400, /vision.*\+100\.0%/u, 'Change compares cost per observed hour with the previous window:'],
    [43_200, /vision.*ChangeUnknown/u, 'Change appears once the previous window has as much data.'],
  ])('is set against a window before of which %d s were seen', async (observedSeconds, row, note) => {
    await visit('', {
      costBreakdown: ({ range }) =>
        range.kind === 'custom'
          ? cost({ groups: [group('vision', held(20, 10))], observedSeconds })
          : cost({ before: '2026-11-18T10:00:00.000Z/2026-11-19T10:00:00.000Z' }),
    })
    await shows(row, await groupsTable())
    await shows(note)
  })

  test('opens a group with its workloads, by keyboard, and closes it', async () => {
    const within24 = [group('lab/Job/train', held(30, 10)), group('lab/Deployment/serve', held(10, 10))]
    const { user } = await visit('', {
      costBreakdown: ({ within: id }) => (id === undefined ? cost() : cost({ within: id, groups: within24 })),
    })
    ;(await screen.findByRole('button', { name: /^vision/u })).focus()
    await user.keyboard('{Enter}')
    const card = await screen.findByRole('dialog', { name: 'vision' })
    expect(parameters()['group']).toBe('namespace/vision')
    const list = await within(card).findByRole('table', { name: 'Workloads of this group' })
    expect(rowsOf(list)).toEqual([
      'train Job in lab GPU-h 40 Busy of held 50.0% Cost $80.00 Idle-held $20.00',
      'serve Deployment in lab GPU-h 20 Busy of held 50.0% Cost $40.00 Idle-held $20.00',
    ])
    await user.keyboard('{Escape}')
    expect([screen.queryByRole('dialog'), parameters()['group']]).toEqual([null, undefined])
  })

  test('of what nobody held lists no workloads, and says so', async () => {
    const { septet } = await visit('&group=free')
    const card = await screen.findByRole('dialog', { name: 'Unallocated or unknown' })
    await shows('No workload held this capacity.', card)
    expect(septet.asked.filter(({ input }) => input['within'] !== undefined)).toEqual([])
  })

  test('by label asks which one, and keeps one in the address that nothing carries any more', async () => {
    const { septet, user } = await visit('', {
      costBreakdown: ({ by }) => cost({ by, labels: ['team'], groups: [] }),
    })
    await user.click(await screen.findByRole('radio', { name: 'Label' }))
    await user.selectOptions(await screen.findByLabelText('Label', { selector: 'select' }), 'team')
    expect(parameters()).toMatchObject({ by: 'label', label: 'team' })
    expect(septet.asked.findLast(({ operation }) => operation === 'costBreakdown')?.input).toMatchObject({
      by: 'label',
      label: 'team',
    })
  })
})

describe('budgets', () => {
  const known = { kind: 'known' as const, usd: 1240, low: 1100, high: 1400, method: 'mean' as const, days: 19 }
  const unknown = { kind: 'unknown' as const, because: 'Fewer than 7 whole days were observed.' }
  const budget: Answer<'budgetsList'>['budgets'][number] = {
    id: 'q4',
    cluster: 'demo',
    scope: 'tenant',
    name: 'vision',
    usdPerMonth: 1000,
    thresholds: [80, 100],
    zone: 'UTC',
    month: '2026-11',
    spent: 850,
    unknownDays: 0,
    forecast: known,
    share: 0.85,
    reached: [80],
    expectedToReach: [100],
    usedUp: { date: '2026-11-23', isOver: false },
  }
  const budgets = (change: Partial<Answer<'budgetsList'>> = {}): Answers => ({
    budgetsList: () => ({
      ...answered,
      outlook: { month: '2026-11', spent: 850, unknownDays: 0, forecast: known },
      budgets: [budget],
      ...change,
    }),
  })

  test('say what was reached, what is expected and when it will be used up', async () => {
    await visit('&view=budgets', budgets())
    const part = await panel('Budgets')
    await shows('80% reached', part)
    await shows('100% expected this month', part)
    await shows('$850 of $1,000 (85%)', part)
    await shows(
      /Budget q4 will at this pace be used up on 2026-11-23\. Budget q4 is expected to come to \$1,240/u,
      part,
    )
    within(part).getByRole('img', {
      name: '$850 spent, $1,240 expected, between $1,100 and $1,400, of a budget of $1,000',
    })
  })

  test('of a month that nobody saw are unknown, not $0', async () => {
    const dark = { spent: null, forecast: unknown }
    await visit(
      '&view=budgets',
      budgets({
        outlook: { month: '2026-11', unknownDays: 12, ...dark },
        budgets: [{ ...budget, ...dark, share: null, reached: [], expectedToReach: [], usedUp: null }],
      }),
    )
    await shows('Unknown what was spent so far this month (UTC).', await panel('This month'))
    await shows('Unknown of $1,000', await panel('Budgets'))
    for (const name of ['This month', 'Budgets']) expect((await panel(name)).textContent).not.toMatch(/\$0|0%/u)
  })

  test('are removed by an admin only after they were asked', async () => {
    const { septet, user } = await visit('&view=budgets', {
      ...budgets(),
      budgetsRemove: () => notFound('No budget q4.', 'Reload the list.'),
    })
    await user.click(await screen.findByRole('button', { name: 'Remove budget q4' }))
    const asked = await screen.findByRole('alertdialog', { name: 'Remove budget q4?' })
    await user.click(within(asked).getByRole('button', { name: 'Cancel' }))
    expect(septet.told).toEqual([])
    await user.click(screen.getByRole('button', { name: 'Remove budget q4' }))
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Remove' }))
    expect(septet.told).toMatchObject([{ operation: 'budgetsRemove', input: { id: 'q4' } }])
    await shows('No budget q4. Reload the list.', await panel('Budgets'))
  })

  test('are created for the zone of the page, with a name where they are not for the whole cluster', async () => {
    const { septet, user } = await visit('&view=budgets', {
      ...budgets({ budgets: [] }),
      budgetsPut: () => invalidInput('No tenant of that name.', 'Choose one.'),
    })
    await shows('No budgets for this cluster yet.')
    const form = within(await panel('Create a budget'))
    await user.type(form.getByLabelText('Name'), 'vision')
    await user.selectOptions(form.getByLabelText('Scope'), 'tenant')
    await user.type(form.getByLabelText('Tenant'), 'vision')
    await user.type(form.getByLabelText('USD per month'), '2500')
    await user.click(form.getByRole('button', { name: 'Save budget' }))
    expect(septet.told.map(({ input }) => input)).toEqual([
      {
        id: 'vision',
        cluster: 'demo',
        scope: 'tenant',
        name: 'vision',
        usdPerMonth: 2500,
        thresholds: [80, 100],
        zone: 'UTC',
      },
    ])
    await shows('No tenant of that name. Choose one.')
  })

  test('are only read by a viewer', async () => {
    await visit('&view=budgets', budgets(), 'viewer')
    await shows('Only admins can create budgets.')
    expect(screen.queryByRole('button', { name: 'Remove budget q4' })).toBeNull()
  })
})
