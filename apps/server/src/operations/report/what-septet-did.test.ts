import type { ActionView, OutputOf, savingsList } from '@septet/contract'
import { expect, test } from 'vitest'

import { whatSeptetDid } from './what-septet-did.ts'

const NOTHING: OutputOf<typeof savingsList>['ledger'] = {
  billReduced: { realized: null, estimated: null },
  capacityFreed: { realized: null, estimated: null },
}
const window = { from: '2026-11-01T00:00:00.000Z', to: '2026-11-30T00:00:00.000Z' }
const no = {
  actions: [],
  ledger: NOTHING,
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
  const realized = {
    runs: 1,
    gpuHours: { value: 134, low: 120, high: 148 },
    usd: { value: 268, low: 240, high: 296 },
    unpriced: 0,
    unknownHours: 0,
    promised: null,
  }
  const ledger = { ...NOTHING, capacityFreed: { realized, estimated: null } }
  expect(whatSeptetDid({ ...no, ledger, actions: [action('kept')] }).says).toBe(
    'Of 1 action 1 change was applied. $268 ($240 to $296) of capacity freed in this time, measured.',
  )
})
