import { DEFAULT_ACT_POLICY, seconds, stateOf, stoppedByUndo, textAt, undoStops } from '@septet/domain'
import { openTestStore } from '@septet/storage/testing'
import { afterEach, describe, expect, test } from 'vitest'

import { checkJournals } from './check-journals.ts'
import { acting, eachOnDemo, store } from './on-demo.ts'
import { rulesIn } from './rules-in.ts'
import { planFor, proposed, someCut, someRemoval, someShare, someStop, transition } from './runs.ts'
import { advisedFor, nodeRefOf, removedBy, replicasOf, targetOf } from './act-cases.ts'

eachOnDemo()
// Whatever a test did: no sentence of the journal may be without what it can be checked by.
afterEach(async () => checkJournals(store))

describe('an approved cut', () => {
  test('says before it is taken back which pods started on it and would stop, and afterwards which did', async () => {
    const { nodes } = await acting.read()
    const gpu = nodes.find(({ name }) => name === 'gpu-h100-08')?.gpus[6]
    const layout = [0, 4].map((start) => ({ profile: '3g.40gb', placement: { start, size: 4 } }))
    const targets = [{ gpu: gpu?.id ?? '', migEnabled: true, layout }]
    const plan = planFor(await acting.read(), { kind: 'layout', targets, moves: [] })
    const run = await proposed(store.actions, plan, { now: acting.now() })
    const actor = acting.actor()
    const kept = await acting.until(run.id, ['kept', 'failed', 'reverted'], [actor])
    // Pods that have waited for this profile start on both instances.
    const expected = undoStops(kept, await acting.read())
    expect(expected).toEqual({ pods: [expect.any(String), expect.any(String)] })
    const number = kept.transitions.length + 1
    await store.actions.advance(
      run.id,
      transition(number, { state: 'reverting', at: acting.now(), step: plan.steps.length }),
    )
    const undone = await acting.until(run.id, ['reverted', 'failed'], [actor])
    const stopped = stoppedByUndo(await store.actions.writes(run.id))
    expect({ pods: stopped }).toEqual(expected)
    expect(stateOf(undone).because).toContain(
      ` Reverting it stopped 2 pods: ${stopped.join(', ')}. Check that the work runs again.`,
    )
  })
})

describe('a node that is removed', () => {
  test('stays, and takes pods again, where work that left it finds no place', async () => {
    const plan = await someRemoval(acting, 1)
    const evicted = plan.steps.flatMap(({ action }) => (action.kind === 'evict' ? action : []))
    const landed = [{ workload: evicted[0]?.workload ?? '', pods: 1_000 }]
    const steps = plan.steps.map((step) => ({
      ...step,
      action: step.action.kind === 'remove-node' ? { ...step.action, landed } : step.action,
    }))
    const run = await proposed(store.actions, { ...plan, steps }, { now: acting.now(), kind: 'remove-node' })
    const over = await acting.until(run.id, ['kept', 'failed', 'reverted'], [acting.actor()])
    expect(stateOf(over).state).toBe('reverted')
    expect(textAt(await acting.writer.get(nodeRefOf(removedBy(plan))), 'spec', 'unschedulable')).toBe('')
    expect((await store.actions.writes(run.id)).map(({ what }) => what)).not.toContainEqual(
      expect.stringContaining('nodeclaims'),
    )
  })
})

describe('a node whose GPUs are shared', () => {
  const NODE = 'gpu-l40s-05'
  const shown = async () => {
    const { nodes, pods } = await acting.read()
    const node = nodes.find(({ name }) => name === NODE)
    return {
      sharing: node?.sharing,
      offers: node?.allocatable['nvidia.com/gpu'],
      pods: pods.filter((pod) => pod.node === NODE).length,
    }
  }

  test('is as before where the device plugin does not come back', async () => {
    const before = await shown()
    acting.demo.faults.add({ kind: 'late-device-plugin', seconds: 3600 })
    const run = await proposed(store.actions, await someShare(acting), { now: acting.now(), kind: 'share' })
    const over = await acting.until(run.id, ['kept', 'failed', 'reverted'], [acting.actor()])
    expect(over.transitions.map(({ because }) => because).join('\n')).toMatch(/Given up after \d+ minutes?: /u)
    expect(stateOf(over)).toMatchObject({ state: 'reverted' })
    await acting.pass(10, [])
    expect(await shown()).toEqual(before)
  })
})

describe('two installations on one cluster', () => {
  test('the second stands back, says who acts, and takes over when nothing is heard of the first', async () => {
    const others = await openTestStore()
    const stop = await someStop(acting, 'StatefulSet')
    const first = await proposed(store.actions, await someCut(acting, 0), { now: acting.now() })
    const one = acting.actor()
    await acting.pass(5, [one])
    const second = await proposed(others.actions, stop, { now: acting.now() })
    const two = acting.actor({ store: others.actions, leads: others.leads, installation: 'septet-other' })
    await acting.until(first.id, ['kept'], [one, two])
    expect(two.otherHolder()).toBe('septet-test')
    expect(await others.actions.writes(second.id)).toEqual([])
    await acting.pass(120, [two])
    expect(two.otherHolder()).toBeUndefined()
    expect((await others.actions.writes(second.id)).length).toBeGreaterThan(0)
  })
})

describe('the actor’s rights', () => {
  test('when they are taken away half-way, it says so, waits, and goes on once they are back', async () => {
    const rules = rulesIn(['actor-base.yaml', 'actor-repartition.yaml'])
    acting.demo.grantActor(rules)
    const run = await proposed(store.actions, await someCut(acting, 0), { now: acting.now() })
    const actor = acting.actor()
    await acting.pass(60, [actor], async () => (await store.actions.writes(run.id)).length >= 2)
    acting.demo.grantActor(rulesIn(['actor-base.yaml']))
    await acting.pass(60, [actor])
    const meanwhile = await store.actions.get(run.id)
    expect(meanwhile && stateOf(meanwhile)).toMatchObject({
      state: 'applying',
      because: expect.stringMatching(/^Waiting: .*forbidden.* Apply deploy\/actor-repartition\.yaml, or/u),
    })
    acting.demo.grantActor(rules)
    const over = await acting.until(run.id, ['kept', 'failed', 'reverted'], [actor])
    expect(stateOf(over).state).toBe('kept')
  })
})

describe('idle work that is to be stopped', () => {
  const warning = { policy: { warning: seconds(60) } }

  test('stays when it is used again before its time is over', async () => {
    const plan = await someStop(acting, 'StatefulSet')
    const run = await proposed(store.actions, plan, { now: acting.now(), kind: 'reclaim-idle' })
    const over = await acting.until(run.id, ['cancelled'], [acting.actor(warning)])
    expect(stateOf(over).because).toMatch(/in use again/u)
  })

  test('is stopped by itself where the class is on auto, one node after the other', async () => {
    const plan = await someStop(acting, 'StatefulSet', (workload) => acting.isAtRest(workload))
    // More than are judged at one look, and none of them may be done.
    const elsewhere = advisedFor({ ...plan, cluster: 'other' }).flatMap((advice) =>
      Array.from({ length: 70 }, (_, index) => ({ ...advice, id: `${advice.id}-${index}`, object: `node/${index}` })),
    )
    acting.advised = [...elsewhere, ...advisedFor(plan)]
    const auto = { ...DEFAULT_ACT_POLICY.auto, classes: ['reclaim-idle' as const] }
    const modes = { ...DEFAULT_ACT_POLICY.modes, 'reclaim-idle': 'auto' as const }
    const budget = { pods: 5, nodes: 5, gpus: 8, usdPerHour: undefined }
    const actor = acting.actor({
      policy: { modes, auto: { ...auto, budget: { hour: budget, day: budget } }, warning: seconds(60) },
    })
    await acting.pass(400, [actor], async () => (await store.actions.list({ limit: 1, states: ['kept'] })).length > 0)
    const [run] = await store.actions.list({ limit: 5 })
    expect(run).toMatchObject({ proposedBy: 'septet', object: 'node/x' })
    expect(run?.transitions.map(({ state, by }) => `${state} ${by}`)).toContain('approved septet')
    expect(await replicasOf(targetOf(plan))).toBe(0)
  })
})
