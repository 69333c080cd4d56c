import { notFound } from '@septet/contract'
import { SECONDS_PER_DAY } from '@septet/domain/units'
import { screen, within } from '@testing-library/dom'
import { describe, expect, test } from 'vitest'

import { shows, wordsOf } from '../../read-page.fake.ts'
import { actingFixture } from '../acting/actions.fixture.ts'
import { at, windowOf } from '../figures.fixture.ts'
import { openDashboard } from '../open-dashboard.fake.tsx'
import type { Answer, Answers } from '../septet.fake.ts'

type Used = Answer<'pricesUsed'>
type Price = Answer<'pricesList'>['prices'][number]

const H100: Used['uses'][number] = {
  model: 'H100-80GB-HBM3',
  pool: 'a',
  instanceType: 'p5.48xlarge',
  region: 'us-east-1',
  capacity: 'on-demand',
  gpuHours: 192,
  usdPerGpuHour: 12.29,
  source: 'AWS list',
  asOf: '2026-10-02T00:00:00.000Z',
  estimate: false,
}
const T4: Used['uses'][number] = {
  ...H100,
  model: 'Tesla-T4',
  pool: '',
  instanceType: '',
  region: '',
  capacity: null,
  gpuHours: 24,
  usdPerGpuHour: null,
  source: 'No price is known for Tesla-T4.',
  asOf: null,
}
const SHIPPED: Price = {
  id: 'aws-p5',
  cluster: null,
  pool: null,
  model: 'H100-80GB-HBM3',
  instanceType: null,
  region: null,
  capacity: null,
  effectiveFrom: null,
  usdPerGpuHour: 12.29,
  source: 'AWS list',
  asOf: '2026-10-02T00:00:00.000Z',
  origin: 'shipped',
  estimate: false,
  owned: null,
}
const OWN: Price = { ...SHIPPED, id: 'our-t4', model: 'Tesla-L4', usdPerGpuHour: 0.352145, origin: 'operator' }

const used = (change: Partial<Used> = {}): Used => ({
  source: { id: 'demo', name: 'Demo cluster', kind: 'demo' },
  asOf: at(4),
  window: windowOf('24h'),
  observedSeconds: SECONDS_PER_DAY,
  uses: [H100, T4],
  ...change,
})
const visit = (answers: Answers = {}, role: 'viewer' | 'admin' = 'admin') =>
  openDashboard('/dashboard/cost?cluster=demo&view=prices&zone=UTC', {
    answers: {
      ...actingFixture({ role }).answers,
      pricesUsed: () => used(),
      pricesList: () => ({ prices: [SHIPPED, OWN] }),
      ...answers,
    },
  })
const panel = (name: string): Promise<HTMLElement> => screen.findByRole('region', { name })
const rowsOf = (table: HTMLElement): string[] => within(table).getAllByRole('row').slice(1).map(wordsOf)

describe('prices in use', () => {
  test('name the source of each, and what has none: it is in no amount, and not $0', async () => {
    await visit()
    const part = await panel('Prices in use')
    await shows('No price Tesla-T4. Their GPU-hours are in no amount.', part)
    const [priced, unpriced] = rowsOf(within(part).getByRole('table'))
    expect(priced).toMatch(/p5\.48xlarge, us-east-1, on demand .*AWS list , 2026-10-02 GPU-h 192 .*12\.29$/u)
    expect(unpriced).toMatch(/no pool machine not labeled .* unknown$/u)
  })

  test('say so where no GPU was seen', async () => {
    await visit({ pricesUsed: () => used({ uses: [] }) })
    await shows('No GPU was seen in this window. Prices set below apply once there is one.')
  })
})

describe('the price book', () => {
  test('shows one’s own prices, all their digits, and the shipped ones when asked', async () => {
    const { user } = await visit()
    const part = await panel('Price book')
    await shows('1 of your own, 1 shipped list prices.', part)
    expect(rowsOf(within(part).getByRole('table'))).toEqual([expect.stringContaining('0.352145')])
    await user.click(within(part).getByRole('button', { name: 'Show shipped prices' }))
    expect(rowsOf(within(part).getByRole('table'))).toHaveLength(2)
    // What Septet ships is overridden and not changed.
    expect(within(part).queryByRole('button', { name: 'Change the price aws-p5' })).toBeNull()
  })

  test('gives up a price once somebody said yes, and keeps it where the server refuses', async () => {
    const { septet, user } = await visit({
      pricesRemove: () => notFound('No price our-t4.', 'Reload the list.'),
    })
    await user.click(await screen.findByRole('button', { name: 'Remove the price our-t4' }))
    const asked = await screen.findByRole('alertdialog', { name: 'Remove the price our-t4?' })
    await user.click(within(asked).getByRole('button', { name: 'Remove' }))
    expect(septet.told).toMatchObject([{ operation: 'pricesRemove', input: { id: 'our-t4' } }])
    await shows('No price our-t4. Reload the list.', await panel('Price book'))
    screen.getByRole('button', { name: 'Remove the price our-t4' })
  })

  test('is only read by a viewer', async () => {
    await visit({}, 'viewer')
    await shows('Only admins can set prices.')
    expect(screen.queryByRole('button', { name: /^(?:Change|Remove) the price/u })).toBeNull()
    expect(screen.queryByRole('region', { name: 'Prices from a bill' })).toBeNull()
  })
})

describe('a price', () => {
  test('shows before it is sent which GPUs take it and what a month costs then', async () => {
    const { septet, user } = await visit({ pricesPut: () => OWN })
    const part = await panel('Set a price')
    const form = within(part)
    await shows('Enter a price to see which GPUs it applies to.', part)
    await user.type(form.getByLabelText('Name of the entry'), 'our-h100')
    await user.selectOptions(form.getByLabelText('Model'), 'H100-80GB-HBM3')
    await user.type(form.getByLabelText('USD per GPU-hour'), '6')
    await shows('Applies to H100-80GB-HBM3 in pool a.', part)
    // Eight GPUs at $12.29 and at $6 for 730 hours; what has no price is in neither.
    await shows('A month like this one costs $71,774 now, and $35,040 with it.', part)
    await user.selectOptions(form.getByLabelText('Model'), '')
    await user.selectOptions(form.getByLabelText('Node pool'), 'a')
    await user.type(form.getByLabelText('Source'), 'our contract')
    await user.click(form.getByRole('button', { name: 'Save price' }))
    expect(septet.told.map(({ input }) => input)).toEqual([
      { id: 'our-h100', pool: 'a', usdPerGpuHour: 6, source: 'our contract' },
    ])
    await shows('Price our-h100 saved.')
  })

  test('that nothing would take says so', async () => {
    const { user } = await visit({
      pricesUsed: () => used({ uses: [H100] }),
      pricesList: () => ({ prices: [{ ...OWN, pool: 'a', model: 'H100-80GB-HBM3', instanceType: 'p5.48xlarge' }] }),
    })
    const part = await panel('Set a price')
    await user.selectOptions(within(part).getByLabelText('Model'), 'H100-80GB-HBM3')
    await user.type(within(part).getByLabelText('USD per GPU-hour'), '6')
    await shows('No GPU in this cluster would use this price', part)
  })

  test('of one’s own server is reckoned from what it cost, and says what it is made of', async () => {
    const { septet, user } = await visit({ pricesPut: () => OWN })
    const part = await panel('Set a price')
    const form = within(part)
    await user.click(form.getByRole('radio', { name: 'From my own server' }))
    await shows('Enter the server’s cost to see the price of a GPU-hour.', part)
    // Whoever has a server owns what the price is for.
    expect(form.getByLabelText<HTMLSelectElement>('Paid as').value).toBe('owned')
    await user.type(form.getByLabelText('Server, USD'), '280000')
    await shows('A GPU-hour costs $1.16: $1.00 server, $0.16 power and $0 hosting', part)
    await user.type(form.getByLabelText('Name of the entry'), 'our-server')
    await user.type(form.getByLabelText('Source'), 'invoice 12')
    await user.click(form.getByRole('button', { name: 'Save price' }))
    expect(septet.told.at(-1)?.input).toMatchObject({ capacity: 'owned', owned: { purchaseUsd: 280_000, gpus: 8 } })
    expect(septet.told.at(-1)?.input).not.toHaveProperty('usdPerGpuHour')
  })

  test('of the book is changed under its own name, with what it said', async () => {
    const { septet, user } = await visit({ pricesPut: () => OWN })
    await user.click(await screen.findByRole('button', { name: 'Change the price our-t4' }))
    const form = within(await panel('Change our-t4'))
    expect(form.getByLabelText<HTMLInputElement>('Name of the entry').readOnly).toBe(true)
    const field = form.getByLabelText('USD per GPU-hour')
    await user.clear(field)
    await user.type(field, '0.4')
    await user.click(form.getByRole('button', { name: 'Save price' }))
    expect(septet.told.at(-1)?.input).toMatchObject({ id: 'our-t4', model: 'Tesla-L4', usdPerGpuHour: 0.4 })
    await panel('Set a price')
  })
})
