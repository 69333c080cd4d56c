import { stateOf, textAt, type ActionRun, type ObjectRef, type Plan } from '@septet/domain'
import { describe, expect, test } from 'vitest'

import { acting, eachOnDemo, store } from './on-demo.ts'
import { proposed, someCut, transition } from './runs.ts'

eachOnDemo()

const LABEL = 'nvidia.com/mig.config'
const nodeRef = (name: string): ObjectRef => ({
  group: '',
  version: 'v1',
  resource: 'nodes',
  namespace: undefined,
  name,
})
const cutBy = ({ steps }: Plan): { readonly node: string; readonly config: string } => {
  const cut = steps.flatMap(({ action }) => (action.kind === 'repartition' ? [action] : []))[0]
  if (cut === undefined) throw new Error('nothing is cut')
  return cut
}
const node = async (plan: Plan) => {
  const live = await acting.writer.get(nodeRef(cutBy(plan).node))
  return {
    label: textAt(live, 'metadata', 'labels', LABEL),
    isClosed: JSON.stringify(live).includes('"unschedulable":true'),
  }
}
const evictions = (): number => acting.demo.journal().filter(({ kind }) => kind === 'evicted').length
const runNow = async (run: ActionRun): Promise<ActionRun> => (await store.actions.get(run.id)) ?? run

/** Somebody gives the layout that is in force another name, and sets that on the node. */
async function renameByHand(plan: Plan, name: string): Promise<void> {
  const { node: on, config } = cutBy(plan)
  const maps = { group: '', version: 'v1', resource: 'configmaps', namespace: 'gpu-operator' }
  for (const map of await acting.writer.list(maps, {})) {
    const text = textAt(map, 'data', 'config.yaml')
    const block = new RegExp(`^( +)${config}:\\n((?:\\1 .*\\n)+)`, 'mu').exec(`${text}\n`)
    if (block === null) continue
    const data = { 'config.yaml': text.replace(/^mig-configs:\n/mu, `mig-configs:\n${block[1]}${name}:\n${block[2]}`) }
    await acting.admin.write(
      { verb: 'patch', object: { ...maps, name: textAt(map, 'metadata', 'name') }, type: 'merge', body: { data } },
      { dryRun: false },
    )
  }
  const pods = { group: '', version: 'v1', resource: 'pods', namespace: 'gpu-operator' }
  for (const pod of await acting.writer.list(pods, { fieldSelector: `spec.nodeName=${on}` })) {
    if (textAt(pod, 'metadata', 'labels', 'app') !== 'nvidia-mig-manager') continue
    const object = { ...pods, name: textAt(pod, 'metadata', 'name') }
    await acting.admin.write({ verb: 'delete', object, uid: textAt(pod, 'metadata', 'uid') }, { dryRun: false })
  }
  await acting.pass(20, [])
  await acting.admin.write(
    { verb: 'patch', object: nodeRef(on), type: 'merge', body: { metadata: { labels: { [LABEL]: name } } } },
    { dryRun: false },
  )
}

describe('a node whose configuration somebody has set by hand since Septet cut it', () => {
  test('is kept as it is where the layout is the same, and the journal says so', async () => {
    const plan = await someCut(acting, 0)
    const run = await proposed(store.actions, plan, { now: acting.now() })
    const actor = acting.actor({ watchMs: 30_000 })
    await acting.until(run.id, ['verified'], [actor])
    await renameByHand(plan, 'by-hand')
    const over = await acting.until(run.id, ['kept', 'reverted', 'failed'], [actor])
    expect(stateOf(over).state).toBe('kept')
    expect(stateOf(over).because).toMatch(/Someone set nvidia\.com\/mig\.config of .* to "by-hand" since/u)
    expect((await node(plan)).label).toBe('by-hand')
  })

  test('is not cut back: what somebody set stays, nobody is evicted, and the node stays open', async () => {
    const plan = await someCut(acting, 0)
    const run = await proposed(store.actions, plan, { now: acting.now() })
    const actor = acting.actor({ watchMs: 5000 })
    const kept = await acting.until(run.id, ['kept'], [actor])
    await renameByHand(plan, 'by-hand')
    const before = evictions()
    await acting.read()
    const number = kept.transitions.length + 1
    const undo = transition(number, { state: 'reverting', at: acting.now(), step: plan.steps.length })
    await store.actions.advance(run.id, undo)
    const over = await acting.until(run.id, ['reverted', 'failed'], [actor])
    expect(stateOf(over)).toMatchObject({
      state: 'failed',
      because: expect.stringMatching(/Nothing was reverted\. Someone set nvidia\.com\/mig\.config of .* to "by-hand"/u),
    })
    expect(await node(plan)).toEqual({ label: 'by-hand', isClosed: false })
    expect(evictions()).toBe(before)
    expect((await runNow(run)).transitions.length).toBe(number + 1)
  })

  test('while it was being cut is left as they set it, and the node takes pods again', async () => {
    acting.demo.faults.add({ kind: 'slow-mig', seconds: 30 })
    const plan = await someCut(acting, 0)
    const run = await proposed(store.actions, plan, { now: acting.now() })
    const actor = acting.actor()
    const { node: on, config } = cutBy(plan)
    await acting.pass(60, [actor], async () => (await node(plan)).label === config)
    await acting.admin.write(
      {
        verb: 'patch',
        object: nodeRef(on),
        type: 'merge',
        body: { metadata: { labels: { [LABEL]: 'all-balanced' } } },
      },
      { dryRun: false },
    )
    const over = await acting.until(run.id, ['kept', 'reverted', 'failed'], [actor])
    expect(stateOf(over)).toMatchObject({
      state: 'reverted',
      because: expect.stringMatching(/someone set nvidia\.com\/mig\.config there meanwhile/u),
    })
    expect(await node(plan)).toEqual({ label: 'all-balanced', isClosed: false })
  })
})
