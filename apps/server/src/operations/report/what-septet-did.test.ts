import type { ActionView } from '@septet/contract'
import { expect, test } from 'vitest'

import { whatSeptetDid } from './what-septet-did.ts'

const window = { from: '2026-11-01T00:00:00.000Z', to: '2026-11-30T00:00:00.000Z' }
const no = {
  actions: [],
  saved: [],
  shadow: { state: 'computing', problem: null, result: null } as const,
  window,
}
const action = (state: ActionView['state'], since = '2026-11-10T00:00:00.000Z'): ActionView =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- of an action only where it stands is read
  ({ id: `${state}-${since}`, state, since }) as ActionView

test('tells where the actions of the time came to, and leaves out those of other times', () => {
  const states = ['kept', 'verified', 'reverted', 'failed', 'proposed', 'expired'] as const
  const actions = [...states.map((state) => action(state)), action('kept', '2026-10-31T00:00:00.000Z')]
  const did = whatSeptetDid({ ...no, actions })
  expect(did.says).toBe(
    'Of 6 actions 2 changes were applied, 1 was reverted, 1 failed, 1 waits for a person, 1 came to nothing.',
  )
  expect(did.actions).toHaveLength(6)
  expect(whatSeptetDid({ ...no, actions, window: null }).actions).toHaveLength(7)
})

test('has what was measured in the time beside it, and says so where nothing was done', () => {
  expect(whatSeptetDid(no)).toEqual({
    says: 'Septet changed nothing in this time.',
    would: expect.stringMatching(/^The stored hours were still being replayed/u),
    actions: [],
  })
  const saved = [
    { text: 'Capacity freed: $268 measured over 1 action.', cites: [{ ref: 'ledger.capacityFreed' }] },
    { text: '2 more actions are estimated.', cites: [{ ref: 'ledger.capacityFreed.estimated' }] },
  ]
  expect(whatSeptetDid({ ...no, saved, actions: [action('kept')] }).says).toBe(
    'Of 1 action 1 change was applied. Capacity freed: $268 measured over 1 action.',
  )
})
