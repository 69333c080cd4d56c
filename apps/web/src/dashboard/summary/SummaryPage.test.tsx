import { notFound } from '@septet/contract'
import { savingTotals } from '@septet/server/testing/sample'
import { screen, within } from '@testing-library/dom'
import { describe, expect, test } from 'vitest'

import { at } from '../figures.fixture.ts'
import { parameters, wordsOf } from '../../read-page.fake.ts'
import { openDashboard } from '../open-dashboard.fake.tsx'
import { liveMonths } from './months.fixture.ts'
import { liveRecommendations } from './recommendations.fixture.ts'
import { liveWaits } from './waits.fixture.ts'

const region = (name: string): Promise<HTMLElement> => screen.findByRole('region', { name })

describe('the Summary page', () => {
  test('keeps verified and estimated savings apart, and says so where nothing was measured', async () => {
    await openDashboard('/dashboard')
    const card = await region('Total Cost Savings')
    await within(card).findByText('$84.2K')
    expect(wordsOf(card)).toMatch(/estimated.*Verified None yet.*Capacity freed \$23.4K/u)
    expect(wordsOf(screen.getByRole('main'))).not.toMatch(/NaN|undefined|null|Infinity/u)
    await screen.findByRole('button', { name: 'Utilization of a30-04: Not measured' })
  })

  test('explains every figure on focus: formula, window, source and coverage', async () => {
    const { user } = await openDashboard('/dashboard')
    const figure = await screen.findByRole('button', { name: /^GPU utilization: 41.8%/u })
    figure.focus()
    const words = wordsOf(await screen.findByRole('tooltip'))
    expect(words).toContain('Σ share × busy time')
    expect(words).toContain('Nov 19, 10:41 to Nov 20, 10:41')
    expect(words).toContain('usage rows of this cluster')
    expect(words).toContain('94% of the window')
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('tooltip')).toBeNull()
  })

  test('opens a node by keyboard and says what its bars show', async () => {
    const { user } = await openDashboard('/dashboard')
    const node = await screen.findByRole('button', { name: /^mig-a100-01/u })
    node.focus()
    await user.keyboard('{Enter}')
    await screen.findAllByText(/4g\.40gb held by ml\/vllm-7, 81% busy/u)
    await screen.findAllByText(/placement inferred from the geometry/u)
    expect(node.getAttribute('aria-expanded')).toBe('true')
  })

  test('shows what a recommendation saves and risks, its steps and the way back', async () => {
    const { user } = await openDashboard('/dashboard')
    const panel = within(await region('AI Optimization Recommendations'))
    await panel.findByText(/^3 of 11/u)
    const titles = panel.getAllByRole('heading', { level: 3 })
    expect(titles).toHaveLength(3)
    const tips = panel.getAllByRole('listitem').filter((item) => titles.some((title) => item.contains(title)))
    const [first, second] = tips
    await user.click(panel.getAllByText('Review')[0] as HTMLElement)
    expect(first?.querySelector('details')?.open).toBe(true)
    for (const words of ['$4,200/mo', 'Cordon gpu-b', 'Uncordon gpu-b', 'Low risk', 'No pod moves'])
      expect(first?.textContent).toContain(words)
    panel.getByRole('button', { name: /\$4,200\/mo/u }).focus()
    await screen.findAllByText(/Estimated: 2,920 GPU-h a month/u)
    // A gain that no amount can be defended for is told in other units.
    expect(second?.textContent).toContain('frees 3 GPUs')
  })

  test.each([
    [{ dismissed: 2, saves: savingTotals([], {}) }, /^Nothing to do: .* 2 recommendations are dismissed\.$/u],
    [{ saves: savingTotals([], { unseen: 'Half is read.' }) }, /^No recommendations yet\. Half is read\.$/u],
  ])('says why there is nothing to recommend: %#', async (how, words) => {
    const nothing = { ...liveRecommendations(), total: 0, recommendations: [], ...how }
    await openDashboard('/dashboard', { answers: { recommendationsList: () => nothing } })
    const panel = within(await region('AI Optimization Recommendations'))
    await panel.findByText(words)
    expect(panel.getAllByRole('paragraph')).toHaveLength(1)
  })

  test('has a table behind the chart, in which gaps are gaps', async () => {
    const { user } = await openDashboard('/dashboard')
    const trend = within(await region('GPU Utilization Trend'))
    await user.click(trend.getByRole('button', { name: 'By model' }))
    await trend.findByRole('img', { name: /^H100-80GB-HBM3: busy .* to .*, newest \d+%; held \d+%$/u })
    expect(trend.getAllByRole('img')).toHaveLength(3)
    await user.click(trend.getByRole('button', { name: 'View as table' }))
    const table = within(await region('GPU Utilization Trend as a table'))
    expect(table.getAllByRole('row')).toHaveLength(97)
    expect(table.getAllByText('Not measured')).toHaveLength(14)
  })

  test('says how a month was corrected after it was sealed', async () => {
    const answer = liveMonths()
    const [first, ...others] = answer.months
    const says = 'Corrected by 1.0 GPU-h and $2.00 on 2026-11-03: Usage that was missing was read later.'
    const sealed = { at: at(0), usd: 1488, digest: 'd', corrections: [], says }
    const months = first === undefined ? [] : [{ ...first, sealed }, ...others]
    await openDashboard('/dashboard', { answers: { costMonths: () => ({ ...answer, months }) } })
    const panel = await region('Monthly Cost Optimization Impact')
    await within(panel).findByText(says, { exact: false })
    expect(wordsOf(panel)).toContain(`Sep 2026 ${says}`)
  })

  test('opens the four numbers of MIG efficiency and the list of problems', async () => {
    const { user } = await openDashboard('/dashboard')
    const opener = await screen.findByRole('button', { name: '4 numbers' })
    await user.click(opener)
    const numbers = await screen.findByRole('dialog', { name: 'The four numbers of MIG efficiency' })
    expect(numbers.textContent).toMatch(/93\.4%.*78\.1%.*51\.2%.*36\.4%/u)
    await user.keyboard('{Escape}')
    expect(document.activeElement).toBe(opener)
    await user.click(screen.getByRole('button', { name: 'GPU fault, and more' }))
    await within(await screen.findByRole('dialog', { name: 'What is wrong' })).findByText(/XID 79/u)
  })
})

describe('what waiting cost', () => {
  test('is said by cause, with the change that ends it, and no 0 for what is not known', async () => {
    const { user } = await openDashboard('/dashboard?cluster=demo')
    const panel = await region('Cost of waiting')
    const words = wordsOf(panel)
    for (const told of [
      '50 GPU-h',
      '$100',
      '40 GPU-h',
      '$80',
      'Move work off 1 more GPU of gpu-h100-01.',
      '1 waits now',
    ])
      expect(words).toContain(told)
    expect(words).toMatch(/Quota.*unknown unknown/u)
    expect(words).toContain('not money lost on a bill')
    await user.click(within(panel).getByRole('link', { name: 'By workload' }))
    expect([location.pathname, parameters()['view']]).toEqual(['/dashboard/workloads', 'waiting'])
  })

  test.each([
    [
      { ...liveWaits(), seconds: 0, causes: [], workloads: [], total: 0 },
      'Over the past 24 hours, no GPU work had to wait.',
    ],
    [notFound('No waits.', 'Wait.'), 'No waits. Wait. Try again'],
  ])('is said where nothing waited, or no answer comes', async (reply, words) => {
    await openDashboard('/dashboard?cluster=demo', { answers: { queueWaits: () => reply } })
    expect(wordsOf(await region('Cost of waiting'))).toContain(words)
  })
})
