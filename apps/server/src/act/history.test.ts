import { instant, type ActionRun } from '@septet/domain'
import { actionRun, transition } from '@septet/storage/testing'
import { expect, test } from 'vitest'

import { History } from './history.ts'

test('what moved here is seen at once, and is kept no longer than the store lists it among the newest', async () => {
  let now = 0
  let listed: readonly ActionRun[] = []
  const history = new History({ store: { list: async () => listed }, cluster: 'c', clock: () => instant(now) })
  const ids = async () => (await history.runs()).map(({ id, transitions }) => `${id} ${transitions.length}`)
  const old = actionRun('old')
  listed = [old]
  expect(await ids()).toEqual(['old 1'])
  history.moved({ ...old, transitions: [...old.transitions, transition(2, 'approved')] })
  history.moved(actionRun('new'))
  // What was read before it moved does not know of it.
  expect(await ids()).toEqual(['new 1', 'old 2'])
  now = 2000
  listed = [actionRun('new')]
  expect(await ids()).toEqual(['new 1'])
})
