import { instant, stateOf, textAt, type ActionRun, type ObjectRef } from '@septet/domain'
import { expect, test } from 'vitest'

import { acting, eachOnDemo, store } from './on-demo.ts'
import { proposed, someCut, transition } from './runs.ts'

eachOnDemo()

const DAY = 86_400_000
const CONFIG = 'nvidia.com/mig.config'

const policies = async () =>
  acting.writer.list({ group: 'nvidia.com', version: 'v1', resource: 'clusterpolicies', namespace: undefined }, {})
async function mapRef(): Promise<ObjectRef> {
  const [policy] = await policies()
  const name = textAt(policy, 'spec', 'migManager', 'config', 'name')
  return { group: '', version: 'v1', resource: 'configmaps', namespace: 'gpu-operator', name }
}
const text = async (): Promise<string> => textAt(await acting.writer.get(await mapRef()), 'data', 'config.yaml')
const ours = async (): Promise<readonly string[]> =>
  [...(await text()).matchAll(/^ +(septet-[^:]+):/gmu)].map(([, name = '']) => name).toSorted()
const worn = async (name: string): Promise<string> =>
  textAt(
    await acting.writer.get({ group: '', version: 'v1', resource: 'nodes', namespace: undefined, name }),
    'metadata',
    'labels',
    CONFIG,
  )
const restarts = (): number =>
  acting.demo
    .requests()
    .filter(({ verb, resource, user }) => user.includes('actor') && `${verb} ${resource}` === 'delete pods').length
const tidied = async ({ id }: ActionRun): Promise<readonly string[]> =>
  (await store.actions.writes(id)).filter(({ step }) => step === 0).map(({ says }) => says)

/** A node is cut, and cut back: both configurations were added, and it wears the second. */
async function cutAndBack(): Promise<{
  readonly run: ActionRun
  readonly node: string
  readonly names: readonly string[]
}> {
  const plan = await someCut(acting, 0)
  const run = await proposed(store.actions, plan, { now: acting.now() })
  const actor = acting.actor({ watchMs: 2000 })
  const kept = await acting.until(run.id, ['kept', 'failed', 'reverted'], [actor])
  expect(stateOf(kept).state).toBe('kept')
  const number = kept.transitions.length + 1
  await store.actions.advance(
    run.id,
    transition(number, { state: 'reverting', at: acting.now(), step: plan.steps.length }),
  )
  await acting.until(run.id, ['reverted', 'failed'], [actor])
  const [node = ''] = plan.steps.flatMap(({ action }) => (action.kind === 'repartition' ? [action.node] : []))
  return { run, node, names: await ours() }
}

test('a configuration that no node wears is taken out a week after its run, in one recorded write; what a node wears and what others wrote stays', async () => {
  const before = await text()
  const { run, node, names } = await cutAndBack()
  expect(names.length).toBe(2)
  const restarted = restarts()
  acting.skew(6 * DAY)
  await acting.pass(4, [acting.actor()])
  expect(await ours()).toEqual(names)
  acting.skew(2 * DAY)
  await acting.pass(4, [acting.actor()])
  const left = [await worn(node)]
  expect(names).toContain(left[0])
  expect(await ours()).toEqual(left)
  const gone = names.filter((name) => !left.includes(name))
  expect(await tidied(run)).toEqual([
    expect.stringMatching(new RegExp(`^Remove 1 configuration that no node uses from .*: ${gone[0]}$`, 'u')),
  ])
  // Nobody was disturbed, and all that was there before still is.
  expect(restarts()).toBe(restarted)
  expect(await worn(node)).toBe(left[0])
  const after = await text()
  expect(before.split('\n').filter((line) => !after.includes(line))).toEqual([])
  // There is nothing more to do.
  acting.skew(2 * DAY)
  await acting.pass(4, [acting.actor()])
  expect(await tidied(run)).toHaveLength(1)
})

test('nothing is taken out under a stop order, while a run that is not over names it, or once somebody has changed it', async () => {
  const { run, node, names } = await cutAndBack()
  const wears = await worn(node)
  const [unworn = ''] = names.filter((name) => name !== wears)
  const actor = acting.actor()
  acting.skew(8 * DAY)
  await store.actions.stop({ cluster: undefined, at: acting.now(), by: 'ann', because: 'Incident 12.' })
  await acting.pass(4, [actor])
  expect(await ours()).toEqual(names)

  // The same cut is to be made again, by somebody else.
  const again = await proposed(store.actions, run.plan, { now: acting.now() })
  const until = instant(acting.now() + 9 * DAY)
  await store.actions.advance(again.id, transition(3, { state: 'handed-over', at: acting.now(), until }))
  await store.actions.resume(undefined)
  await acting.pass(4, [acting.actor()])
  expect(await ours()).toEqual(names)

  await store.actions.advance(again.id, transition(4, { state: 'cancelled', at: acting.now() }))
  const changed = (await text()).replace(`${unworn}:`, `${unworn}: # kept by hand`)
  const write = {
    verb: 'patch',
    object: await mapRef(),
    type: 'merge',
    body: { data: { 'config.yaml': changed } },
  } as const
  await acting.writer.write(write, { dryRun: false })
  acting.skew(8 * DAY)
  await acting.pass(4, [acting.actor()])
  expect(await text()).toBe(changed)
  expect(await tidied(run)).toEqual([])
})
