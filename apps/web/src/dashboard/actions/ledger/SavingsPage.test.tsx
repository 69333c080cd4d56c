import { notAllowed } from '@septet/contract'
import { screen, within } from '@testing-library/dom'
import { describe, expect, test } from 'vitest'

import { parameters, shows, wordsOf } from '../../../read-page.fake.ts'
import { actingFixture } from '../../acting/actions.fixture.ts'
import { at, windowOf } from '../../figures.fixture.ts'
import { openDashboard } from '../../open-dashboard.fake.tsx'
import type { Answer, Answers } from '../../septet.fake.ts'

type Ledger = Answer<'savingsList'>
type Saving = Ledger['savings'][number]
type Column = Ledger['ledger']['billReduced']

const amount = (value: number, low: number | null = null, high: number | null = null) => ({ value, low, high })
const NONE: Column = { realized: null, estimated: null }
const MEASURED: Column = {
  realized: {
    runs: 3,
    gpuHours: amount(134, 120, 150),
    usd: amount(268, 240, 300),
    unpriced: 1,
    unknownHours: 12,
    promised: { gpuHours: 160, usd: 320 },
  },
  estimated: { runs: 2, gpuHoursPerMonth: 730, usdPerMonth: 584, unpriced: 1 },
}
const VERIFIED: Saving = {
  action: 'action-cut',
  title: 'Remove gpu-b and its 4 GPUs',
  class: 'remove-node',
  object: 'node/gpu-b',
  appliedAt: at(9 * 86_400),
  effect: 'bill-reduced',
  state: 'verified',
  because: 'The node held no GPU-hours since.',
  estimate: { gpuHoursPerMonth: 2920, usdPerMonth: 4200 },
  realized: {
    window: windowOf('7d'),
    basis: 'gone',
    work: null,
    gpuHours: amount(680, 650, 690),
    usd: amount(979, 936, 994),
    knownHours: 168,
    unknownHours: 4,
    promised: { gpuHours: 672, usd: 967 },
  },
  price: { usdPerGpuHour: 1.44, source: 'a price list' },
}
const PROPOSED: Saving = {
  ...VERIFIED,
  action: 'action-size',
  title: 'Move lab/Deployment/chat to 1g.20gb',
  class: 'right-size',
  effect: 'capacity-freed',
  state: 'estimated',
  because: 'Nobody has approved it.',
  appliedAt: null,
  estimate: { gpuHoursPerMonth: 500, usdPerMonth: null },
  realized: null,
  price: null,
}

const ledger = (change: Partial<Ledger> = {}): Answers => ({
  savingsList: () => ({
    source: { id: 'demo', name: 'Demo cluster', kind: 'demo' },
    asOf: at(4),
    window: null,
    savings: [],
    ledger: { billReduced: NONE, capacityFreed: NONE },
    ...change,
  }),
})
const visit = (answers: Answers, query = '') =>
  openDashboard(`/dashboard/actions/savings?cluster=demo&zone=UTC${query}`, {
    answers: { ...actingFixture().answers, ...answers },
  })
const region = async (name: string): Promise<string> => wordsOf(await screen.findByRole('region', { name }))

describe('what was saved', () => {
  test('says that nothing is verified where nothing is, and no amount', async () => {
    await visit(ledger())
    for (const name of ['Bill reduced', 'Capacity freed']) {
      // oxlint-disable-next-line no-await-in-loop -- one part after the other
      expect(await region(name)).toMatch(/Nothing verified Not verified yet, estimated no actions$/u)
    }
    await shows('No savings yet. Propose a recommendation on the Actions screen to start.')
    expect(screen.getByRole('main').textContent).not.toContain('$0')
  })

  test('keeps the bill and the capacity apart, and says how sure an amount is and what it leaves out', async () => {
    await visit(ledger({ ledger: { billReduced: MEASURED, capacityFreed: NONE } }))
    expect(await region('Bill reduced')).toBe(
      'Bill reduced From removed machines. $268 verified, 90% sure of $240 to $300 ' +
        'Estimated for the same hours $320 Measured 3 actions , 134 GPU-h Hours without comparison 12 , not included ' +
        'Without a price 1 action , not included ' +
        'Not verified yet, estimated 2 actions, $584/mo, 1 of them without a price',
    )
    expect(await region('Capacity freed')).toContain('Nothing verified')
  })

  test('of something without a price is in GPU-hours, and too few days before have no range', async () => {
    const realized = MEASURED.realized && { ...MEASURED.realized, usd: null, gpuHours: amount(134), promised: null }
    await visit(ledger({ ledger: { billReduced: NONE, capacityFreed: { realized, estimated: null } } }))
    const words = await region('Capacity freed')
    expect(words).toContain('134 GPU-h verified Estimated for the same hours no estimate')
    expect(words).not.toContain('90% sure')
  })

  test('is listed by action; what is not measured yet has no amount, and each leads to its card', async () => {
    await visit(ledger({ savings: [VERIFIED, PROPOSED] }))
    const table = await screen.findByRole('table', { name: 'What each action saved' })
    const [gone, sized] = within(table).getAllByRole('row').slice(1).map(wordsOf)
    expect(gone).toContain('Verified Estimated $4,200/mo $967 so far')
    expect(gone).toMatch(/Bill reduced \$979/u)
    expect(sized).toContain('Proposed Estimated 500 GPU-h/mo')
    expect(sized).toContain('none yet')
    expect(sized).not.toMatch(/\$0|\b0 GPU-h/u)
    const link = within(table).getByRole('link', { name: VERIFIED.title })
    expect(link.getAttribute('href')).toMatch(/^\/dashboard\/actions\?.*action=action-cut/u)
  })

  test('is asked for a period of the calendar, in the zone of the page', async () => {
    const { septet, user } = await visit(ledger())
    await user.click(await screen.findByRole('radio', { name: 'Last month' }))
    expect(parameters()['period']).toBe('last-month')
    expect(septet.asked.findLast(({ operation }) => operation === 'savingsList')?.input['range']).toBe('last-month@UTC')
    await shows('Nothing was measured in this period.')
  })

  test('has no totals for sample data', async () => {
    await visit(ledger({ source: { id: 'sample', name: 'Sample data', kind: 'sample' } }))
    await shows('Sample data has no actions.')
    expect(screen.queryByRole('region', { name: 'Bill reduced' })).toBeNull()
  })

  test('is not for those who see some namespaces, and the page says so', async () => {
    const refusal = notAllowed('Savings are of whole nodes.', 'Ask an admin.')
    await visit({ savingsList: () => refusal })
    await shows('Not for your role')
    await shows('Savings are of whole nodes. Ask an admin.')
  })
})
