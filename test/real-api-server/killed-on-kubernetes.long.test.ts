import { instant, planAppointment, seconds, stateOf, type ClusterSnapshot, type Plan, type Store } from '@septet/domain'
import { openTestStore } from '@septet/storage/testing'
import { afterAll, describe, expect, test } from 'vitest'

import { ActingDemo, type ActedOn } from '../act/acting-demo.ts'
import { ENDED, flawsOf, killCase, type KillCase } from '../act/kill-case.ts'
import { mortal } from '../act/mortal.ts'
import { planFor, proposed, transition } from '../act/runs.ts'
import { startActedOn, WORKLOAD } from './acted-on.ts'
import { openRealApiServer } from './real-api-server.ts'

const server = await openRealApiServer()
afterAll(() => server?.stop())

const stopped = (snapshot: ClusterSnapshot): Plan => planFor(snapshot, { kind: 'scale', workload: WORKLOAD, to: 0 })

/** What evicts nobody: this server takes evictions of an older version alone. */
const PLANS: Readonly<Record<string, (snapshot: ClusterSnapshot) => Plan>> = {
  'a Deployment that is stopped': stopped,
  'GPUs for an appointment': (snapshot) => {
    const ask = { gpus: 2, perNode: 2, at: instant(snapshot.takenAt + 15_000), length: seconds(15) }
    const answer = planAppointment({ snapshot, ask, maxDisplaced: 0 })
    if (answer.kind !== 'found') throw new Error('no node is free for the appointment')
    return answer.plan
  },
}

describe.skipIf(server === undefined)('whoever acts on a kube-apiserver may be killed at every moment', () => {
  test.for(Object.entries(PLANS))('%s', async ([, planOf]) => {
    const found = await everyMoment(async (on, killAt) => {
      const plan = planOf(await on.acting.read())
      return killCase({ ...on, plan }, killAt)
    })
    expect(found.length).toBeGreaterThan(20)
    expect(found.filter(({ flaws, outcome }) => flaws.length > 0 || outcome !== 'kept')).toEqual([])
  })

  test('a Deployment that is started again', async () => {
    const found = await everyMoment(killedOnTheWayBack)
    expect(found.length).toBeGreaterThan(10)
    expect(found.filter(({ flaws, outcome }) => flaws.length > 0 || outcome !== 'reverted')).toEqual([])
  })
})

type On = { readonly acting: ActingDemo<ActedOn>; readonly store: Store }

/** Each on objects of their own, until all is over before the moment comes. */
async function everyMoment(caseOf: (on: On, killAt: number) => Promise<KillCase | undefined>): Promise<KillCase[]> {
  const found: KillCase[] = []
  if (server === undefined) return found
  for (let killAt = 1; ; killAt += 1) {
    const store = await openTestStore()
    const acting = await ActingDemo.on(store, await startActedOn(server), { now: Date.now(), skew: 0 })
    try {
      const one = await caseOf({ acting, store }, killAt)
      if (one === undefined) return found
      found.push(one)
    } finally {
      await acting.close()
      await store.close()
    }
  }
}

async function killedOnTheWayBack({ acting, store }: On, killAt: number): Promise<KillCase | undefined> {
  const before = await acting.read()
  const { id } = await proposed(store.actions, stopped(before), { now: acting.now() })
  const { plan, transitions } = await acting.until(id, ['kept'], [acting.actor()])
  const undo = { state: 'reverting', at: acting.now(), step: plan.steps.length } as const
  await store.actions.advance(id, transition(transitions.length + 1, undo))
  const doomed = mortal({ store: store.actions, writer: acting.writer }, killAt)
  await acting.pass(300, [acting.actor(doomed)], async () => {
    return doomed.diedAt() !== undefined || (await acting.stateOf(id)) !== 'reverting'
  })
  const diedAt = doomed.diedAt()
  const run = await acting.until(id, ENDED, [acting.actor()])
  const flaws = await flawsOf(acting, { run, before })
  const runs = (await acting.read()).pods.filter(({ workload, node }) => workload === WORKLOAD && node !== undefined)
  const { state } = stateOf(run)
  return diedAt === undefined
    ? undefined
    : { diedAt, outcome: state, flaws: [...flaws, ...(runs.length === 1 ? [] : [`${runs.length} pods run`])] }
}
