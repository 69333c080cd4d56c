import { stateOf } from '@septet/domain'
import { afterEach, describe, expect, test } from 'vitest'

import { acting, eachOnDemo, store } from './on-demo.ts'
import type { ActingDemo } from './acting-demo.ts'
import { checkJournals } from './check-journals.ts'
import { flawsOf } from './kill-case.ts'
import { proposed, someCut } from './runs.ts'

eachOnDemo()
// Whatever a test did: no sentence of the journal may be without what it can be checked by.
afterEach(async () => checkJournals(store))

type Wish = Parameters<ActingDemo['demo']['faults']['add']>[0]

describe('when something goes wrong, the cluster ends as the plan says or as it was before', () => {
  test.for<readonly [Wish['kind'], Partial<Wish>, 'kept' | 'reverted', RegExp]>([
    ['mig-stuck-pending', {}, 'reverted', /Given up after 2 minutes/u],
    ['mig-failed', {}, 'reverted', /failed to partition/u],
    ['mig-reboot', {}, 'kept', /Nothing got worse/u],
    ['slow-mig', { seconds: 60 }, 'kept', /Nothing got worse/u],
    ['late-device-plugin', { seconds: 30 }, 'kept', /Nothing got worse/u],
    ['ignores-sigterm', {}, 'kept', /Nothing got worse/u],
    ['budget-never-allows', { seconds: 30 }, 'kept', /Nothing got worse/u],
    ['api-409', { times: 3 }, 'kept', /Nothing got worse/u],
    ['api-429', { times: 3, seconds: 2 }, 'kept', /Nothing got worse/u],
    ['api-500', { times: 3 }, 'kept', /Nothing got worse/u],
    ['answer-lost', { times: 3 }, 'kept', /Nothing got worse/u],
    ['config-race', {}, 'kept', /Nothing got worse/u],
    ['watch-cut', {}, 'kept', /Nothing got worse/u],
  ])('%s', async ([kind, detail, ends, words]) => {
    const plan = await someCut(acting, 1)
    const before = await acting.read()
    acting.demo.faults.add({ kind, ...detail })
    const run = await proposed(store.actions, plan, { now: acting.now() })
    const over = await acting.until(run.id, ['kept', 'reverted', 'failed'], [acting.actor({ watchMs: 10_000 })])
    expect(over.transitions.map(({ state, because }) => `${state}: ${because}`).join('\n')).toMatch(words)
    expect(stateOf(over)).toMatchObject({ state: ends })
    expect(await flawsOf(acting, { run: over, before })).toEqual([])
  })
})
