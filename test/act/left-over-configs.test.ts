import { DAY_MS, instant, stateOf, textAt, type ActionRun, type ObjectRef, type Plan } from '@septet/domain'
import { expect, test } from 'vitest'

import { acting, eachOnDemo, store } from './on-demo.ts'
import { mortal } from './mortal.ts'
import { proposed, someCut, someShare, transition } from './runs.ts'

eachOnDemo()

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

/** A plan is carried out and taken back by hand. */
async function thereAndBack(plan: Plan): Promise<ActionRun> {
  const run = await proposed(store.actions, plan, { now: acting.now() })
  const actor = acting.actor({ watchMs: 2000 })
  const kept = await acting.until(run.id, ['kept', 'failed', 'reverted'], [actor])
  expect(stateOf(kept).state).toBe('kept')
  const number = kept.transitions.length + 1
  await store.actions.advance(
    run.id,
    transition(number, { state: 'reverting', at: acting.now(), step: plan.steps.length }),
  )
  return acting.until(run.id, ['reverted', 'failed'], [actor])
}

/** A node is cut, and cut back: both configurations were added, and it wears the second. */
async function cutAndBack(): Promise<{
  readonly run: ActionRun
  readonly node: string
  readonly names: readonly string[]
}> {
  const plan = await someCut(acting, 0)
  const run = await thereAndBack(plan)
  const [node = ''] = plan.steps.flatMap(({ action }) => (action.kind === 'repartition' ? [action.node] : []))
  return { run, node, names: await ours() }
}

test('a configuration that no node wears is taken out a week after its run, in one recorded write; what a node wears and what others wrote stays', async () => {
  const before = await text()
  const { run, node, names } = await cutAndBack()
  expect(names.length).toBe(2)
  const restarted = restarts()
  acting.skew(6 * DAY_MS)
  await acting.pass(4, [acting.actor()])
  expect(await ours()).toEqual(names)
  acting.skew(2 * DAY_MS)
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
  acting.skew(2 * DAY_MS)
  await acting.pass(4, [acting.actor()])
  expect(await tidied(run)).toHaveLength(1)
})

test('nothing is taken out under a stop order, while a run that is not over names it, or once somebody has changed it', async () => {
  const { run, node, names } = await cutAndBack()
  const wears = await worn(node)
  const [unworn = ''] = names.filter((name) => name !== wears)
  const actor = acting.actor()
  acting.skew(8 * DAY_MS)
  await store.actions.stop({ cluster: undefined, at: acting.now(), by: 'ann', because: 'Incident 12.' })
  await acting.pass(4, [actor])
  expect(await ours()).toEqual(names)

  // The same cut is to be made again, by somebody else.
  const again = await proposed(store.actions, run.plan, { now: acting.now() })
  const until = instant(acting.now() + 9 * DAY_MS)
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
  await acting.admin.write(write, { dryRun: false })
  acting.skew(8 * DAY_MS)
  await acting.pass(4, [acting.actor()])
  expect(await text()).toBe(changed)
  expect(await tidied(run)).toEqual([])
})

const pluginMap = async (): Promise<ObjectRef> => {
  const [policy] = await policies()
  return { ...(await mapRef()), name: textAt(policy, 'spec', 'devicePlugin', 'config', 'name') }
}
const entries = async (): Promise<object> => ({
  ...Object((await acting.writer.get(await pluginMap()))?.['data']),
})

test('a configuration of the device plugin is taken out a week after it was in force, and those of others stay', async () => {
  const before = await entries()
  const run = await thereAndBack(await someShare(acting))
  const [added = ''] = Object.keys(await entries()).filter((key) => !(key in before))
  expect(added).toMatch(/^septet-/u)
  const restarted = restarts()
  acting.skew(6 * DAY_MS)
  await acting.pass(4, [acting.actor()])
  expect(Object.keys(await entries())).toContain(added)
  acting.skew(2 * DAY_MS)
  await acting.pass(4, [acting.actor()])
  expect(await entries()).toEqual(before)
  expect(restarts()).toBe(restarted)
  expect(await tidied(run)).toEqual([expect.stringMatching(new RegExp(`^Remove 1 configuration .*: ${added}$`, 'u'))])
  acting.skew(2 * DAY_MS)
  await acting.pass(4, [acting.actor()])
  expect(await tidied(run)).toHaveLength(1)
})

test('a configuration of the device plugin stays while a node goes by it', async () => {
  const run = await proposed(store.actions, await someShare(acting), { now: acting.now(), kind: 'share' })
  await acting.until(run.id, ['kept'], [acting.actor({ watchMs: 2000 })])
  const shared = await entries()
  acting.skew(9 * DAY_MS)
  await acting.pass(4, [acting.actor()])
  expect(await entries()).toEqual(shared)
})

test('whoever takes configurations out may be killed at any moment: another finishes it, and nothing else changes', async () => {
  const before = await entries()
  const run = await thereAndBack(await someShare(acting))
  const added = await entries()
  acting.skew(8 * DAY_MS)
  const deaths: string[] = []
  for (let killAt = 1; ; killAt += 1) {
    const doomed = mortal({ store: store.actions, writer: acting.writer }, killAt)
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await acting.pass(4, [acting.actor(doomed)])
    const diedAt = doomed.diedAt()
    if (diedAt === undefined) break
    deaths.push(diedAt)
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    expect([before, added]).toContainEqual(await entries())
    // Nobody hears of it any more, until its time is over.
    acting.skew(20_000)
  }
  expect(deaths).toContain('before write patch')
  expect(deaths).toContain('after write patch')
  expect(await entries()).toEqual(before)
  expect(new Set(await tidied(run)).size).toBe(1)
})
