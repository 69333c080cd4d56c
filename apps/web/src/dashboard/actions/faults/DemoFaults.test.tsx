import { screen, within } from '@testing-library/dom'
import { describe, expect, test } from 'vitest'

import { shows } from '../../../read-page.fake.ts'
import { actingFixture } from '../../acting/actions.fixture.ts'
import { openDashboard } from '../../open-dashboard.fake.tsx'
import { faultsFixture } from './faults.fixture.ts'

const visit = (me: Parameters<typeof actingFixture>[0] = {}, cluster = 'demo'): ReturnType<typeof openDashboard> =>
  openDashboard(`/dashboard/actions?cluster=${cluster}`, {
    answers: { ...actingFixture(me).answers, ...faultsFixture() },
  })
const folded = (): HTMLElement | null => screen.queryByText('Inject a fault')?.closest('details') ?? null
/** Unfolds what is there for faults. */
async function unfold(user: { click: (at: Element) => Promise<void> }) {
  const summary = await screen.findByText('Inject a fault')
  await user.click(summary)
  return within(folded() ?? document.body)
}

describe('faults of the demo cluster', () => {
  test('are added with a node and removed, and the panel says what to watch', async () => {
    const { septet, user } = await visit()
    const panel = await unfold(user)
    panel.getByText('demo cluster only')
    await shows('Septet reverts what failed', folded() ?? document.body)
    await shows('The next MIG change fails.', folded() ?? document.body)
    const [, node = ''] = [...panel.getByLabelText<HTMLSelectElement>('Node').options].map(({ value }) => value)
    await user.selectOptions(panel.getByLabelText('Node'), node)
    await user.click(panel.getByRole('button', { name: 'Inject fault' }))
    const active = panel.getByRole('region', { name: 'Active faults' })
    await shows(`A MIG change fails · ${node}`, active)
    await shows('1 fault is active', folded() ?? document.body)
    await user.click(within(active).getByRole('button', { name: 'Remove A MIG change fails' }))
    expect(panel.queryByRole('region', { name: 'Active faults' })).toBeNull()
    expect(septet.told).toEqual([
      { operation: 'demoFaultsAdd', input: { kind: 'mig-failed', node } },
      { operation: 'demoFaultsRemove', input: { id: 'fault-1' } },
    ])
  })

  test('that lack something are refused in words, and those of no node ask for none', async () => {
    const { user } = await visit()
    const panel = await unfold(user)
    const kind = panel.getByLabelText('Fault')
    await user.selectOptions(kind, 'A node disappears')
    await user.click(panel.getByRole('button', { name: 'Inject fault' }))
    await shows('node-vanishes needs a node.', panel.getByRole('alert'))
    await user.selectOptions(kind, 'A conflicting configuration write')
    expect(panel.queryByLabelText('Node')).toBeNull()
  })

  test('are chosen and added by keyboard alone', async () => {
    const { septet, user } = await visit()
    const panel = await unfold(user)
    await user.selectOptions(panel.getByLabelText('Fault'), 'A MIG change hangs')
    panel.getByLabelText('Fault').focus()
    await user.tab()
    await user.tab()
    await user.keyboard('{Enter}')
    await shows('A MIG change hangs', panel.getByRole('region', { name: 'Active faults' }))
    expect(septet.told.map(({ input }) => input)).toEqual([{ kind: 'mig-stuck-pending' }])
  })

  test.each([
    { to: 'somebody who may only look', me: { role: 'viewer' as const }, words: /Approving needs the operator role/u },
    { to: 'somebody who looks at sample data', cluster: 'sample', words: /Recommendations/u },
  ])('are not offered to $to', async ({ me, cluster, words }) => {
    const { septet } = await visit(me, cluster)
    await shows(words)
    expect(folded()).toBeNull()
    expect(septet.asked.filter(({ operation }) => operation === 'demoFaultsList')).toEqual([])
  })
})
