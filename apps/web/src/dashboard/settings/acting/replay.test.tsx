import { screen, within } from '@testing-library/dom'
import { expect, test } from 'vitest'

import { parameters, shows } from '../../../read-page.fake.ts'
import { at } from '../../figures.fixture.ts'
import { openDashboard } from '../../open-dashboard.fake.tsx'
import { actPolicyFixture } from './act-policy.fixture.ts'
import { REMOVALS, STOPS } from './replay.fixture.ts'

const panelOf = async (action: string) => within(await panel(action))
const panel = (action: string): Promise<HTMLElement> =>
  screen.findByRole('region', { name: `What ${action} would have done on Auto` })

async function visit(): ReturnType<typeof openDashboard> {
  const opened = await openDashboard('/dashboard/settings/acting?cluster=demo', {
    answers: {
      ...actPolicyFixture({ role: 'viewer' }),
      shadowGet: (asked) => (asked.class === 'remove-node' ? REMOVALS : STOPS),
    },
  })
  await shows('Septet would have stopped 2 workloads.')
  return opened
}

test('a replay unfolds into every stop, each with a link to what was seen of it', async () => {
  const { user } = await visit()
  const replay = await panelOf('Reclaim idle')
  await user.click(replay.getByText('All 2 stops'))
  const href = replay.getByRole('link', { name: 'lab/chat' }).getAttribute('href') ?? ''
  expect(Object.fromEntries(new URL(href, location.origin).searchParams)).toEqual({
    cluster: 'demo',
    workload: 'lab/Deployment/chat',
    range: `${at(180_000)}/${at(80_000)}`,
  })
  const doubts = replay.getByText('What this does not show')
  await user.click(doubts)
  expect(doubts.closest('details')?.open).toBe(true)
  await shows('Right-size is not replayed.', doubts.closest('details') ?? document.body)
})

test('another class is replayed by itself: what it would have got wrong stands open, and amounts are off the bill', async () => {
  const { user } = await visit()
  await user.selectOptions(screen.getByLabelText('Action'), 'Scale down')
  await shows('Septet would have removed 1 node.', await panel('Scale down'))
  const replay = await panelOf('Scale down')
  const wrong = within(replay.getByRole('region', { name: 'Where it would have been wrong' }))
  expect(wrong.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
    'Removed',
    'Node',
    'Observed',
    'Off the bill',
    'What happened next',
  ])
  wrong.getByRole('link', { name: 'gpu-a' })
  replay.getByText(/5 nodes that left GPUs unused/u)
  expect(parameters()['replay']).toBe('remove-node')
})
