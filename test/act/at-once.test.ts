import { DEFAULT_ACT_POLICY, seconds, stateOf, type Plan } from '@septet/domain'
import { expect, test } from 'vitest'

import { acting, eachOnDemo, store } from './on-demo.ts'
import { adviceOf, proposed, stopsIn } from './runs.ts'

eachOnDemo()

const NONE = { pods: undefined, nodes: undefined, gpus: undefined, usdPerHour: undefined }

/** Some that stop a StatefulSet each, and that no rule speaks against. */
async function stops(count: number): Promise<readonly Plan[]> {
  const found: Plan[] = []
  for (const plan of stopsIn(await acting.read(), ({ kind }) => kind === 'StatefulSet')) {
    if (found.length < count && (await acting.isAllowed(plan))) found.push(plan)
  }
  return found
}

test('of changes that were approved at once no more begin than the limit of an hour allows; the others wait', async () => {
  const plans = await stops(4)
  expect(plans).toHaveLength(4)
  const runs = await Promise.all(plans.map((plan) => proposed(store.actions, plan, { now: acting.now() })))
  const pods = plans[0]?.steps.flatMap(({ displaced }) => displaced).length ?? 0
  const limits = { run: NONE, hour: { ...NONE, pods }, day: NONE }
  const actor = acting.actor({ watchMs: 2000, policy: { limits, coolDown: seconds(0) } })
  await acting.pass(60, [actor])
  const states = await Promise.all(runs.map(({ id }) => acting.stateOf(id)))
  expect(states.filter((state) => state === 'kept')).toHaveLength(1)
  expect(states.filter((state) => state === 'approved')).toHaveLength(3)
})

test('on auto the next is approved once the one before is judged fit, and none that the budget leaves no room for', async () => {
  const plans = await stops(4)
  acting.advised = plans.map((plan, index) => ({ ...adviceOf(plan, 'reclaim-idle'), object: `workload/${index}` }))
  const pods = plans[0]?.steps.flatMap(({ displaced }) => displaced).length ?? 0
  const budget = { ...NONE, pods }
  const actor = acting.actor({
    watchMs: 2000,
    policy: {
      modes: { ...DEFAULT_ACT_POLICY.modes, 'reclaim-idle': 'auto' },
      auto: { ...DEFAULT_ACT_POLICY.auto, classes: ['reclaim-idle'], budget: { hour: budget, day: NONE } },
      coolDown: seconds(0),
    },
  })
  await acting.pass(60, [actor])
  const runs = await store.actions.list({ limit: 10 })
  expect(runs.map((run) => stateOf(run).state)).toEqual(['kept'])
})
