import {
  DAY_MS,
  canBeUndone,
  instant,
  seconds,
  stateOf,
  stoppedByUndo,
  textAt,
  undoStops,
  type ClusterWriter,
  type Plan,
} from '@septet/domain'
import { afterEach, describe, expect, test } from 'vitest'

import { checkJournals } from './check-journals.ts'
import { acting, eachOnDemo, store } from './on-demo.ts'
import type { ActingDemo } from './acting-demo.ts'
import { layoutText } from './kill-case.ts'
import { rulesIn } from './rules-in.ts'
import {
  proposed,
  SCARCE,
  someAppointment,
  someCut,
  someRemoval,
  someResize,
  someShare,
  someStop,
  transition,
} from './runs.ts'
import {
  PLUGIN_LABEL,
  advisedFor,
  annotationsOf,
  nodeRefOf,
  pluginMap,
  removedBy,
  replicasOf,
  targetOf,
} from './act-cases.ts'

eachOnDemo()
// Whatever a test did: no sentence of the journal may be without what it can be checked by.
afterEach(async () => checkJournals(store))

/** Namespaces with pods on the node of a removal that it does not know to move. */
async function unseenNamespaces(plan: Plan): Promise<string[]> {
  const pods = await acting.writer.list(
    { group: '', version: 'v1', resource: 'pods', namespace: undefined },
    { fieldSelector: `spec.nodeName=${removedBy(plan)}` },
  )
  const moved = plan.steps.flatMap(({ displaced }) => displaced.map((id) => id.split('/')[0]))
  return pods.map((pod) => textAt(pod, 'metadata', 'namespace')).filter((namespace) => !moved.includes(namespace))
}

const rightsUsed = (): readonly string[] =>
  [
    ...new Set(
      acting.demo
        .requests()
        .filter(({ user }) => user.includes('actor'))
        .map(({ verb, group, resource }) => `${verb} ${resource}.${group}`),
    ),
  ].toSorted()
const rightsGranted = (rules: ReturnType<typeof rulesIn>, notRun: readonly string[]): readonly string[] =>
  [
    ...new Set(
      rules.flatMap(({ apiGroups, resources, verbs }) =>
        apiGroups.flatMap((group) =>
          resources
            .filter((resource) => !notRun.includes(resource))
            .flatMap((resource) => verbs.map((verb) => `${verb} ${resource}.${group}`)),
        ),
      ),
    ),
  ].toSorted()

/** Kinds of which no work has to leave here. */
const OWNERS_NOT_RUN = [
  'deployments',
  'statefulsets',
  'notebooks',
  'pytorchjobs',
  'jobsets',
  'leaderworkersets',
  'rayclusters',
  'inferenceservices',
]

describe('an approved cut', () => {
  test('is carried out, verified and kept, and taken back when somebody asks for it', async () => {
    const before = await acting.read()
    const plan = await someCut(acting, 1)
    const run = await proposed(store.actions, plan, { now: acting.now() })
    const actor = acting.actor()
    const kept = await acting.until(run.id, ['kept', 'failed', 'reverted'], [actor])
    expect(kept.transitions.map(({ state }) => state)).toEqual([
      'proposed',
      'approved',
      'checked',
      'rehearsed',
      ...plan.steps.map(() => 'applying'),
      'applying',
      'applied',
      'verified',
      'kept',
    ])
    expect(layoutText(await acting.read(), run)).not.toBe(layoutText(before, run))
    const number = kept.transitions.length + 1
    await store.actions.advance(
      run.id,
      transition(number, { state: 'reverting', at: acting.now(), step: plan.steps.length }),
    )
    const undone = await acting.until(run.id, ['reverted', 'failed'], [actor])
    expect(stateOf(undone).because).toMatch(
      /^The cluster is as it was before, except that nvidia\.com\/mig\.config of \S+ names the same layout septet-\S+\.$/u,
    )
    await acting.pass(4, [])
    expect(layoutText(await acting.read(), run)).toBe(layoutText(before, run))
  })

  test('is not begun when its plan was changed after the approval', async () => {
    const plan = await someCut(acting, 0)
    const run = await proposed(
      store.actions,
      { ...plan, steps: plan.steps.slice(0, 1) },
      { now: acting.now(), digestOf: plan },
    )
    const over = await acting.until(run.id, ['failed'], [acting.actor()])
    expect(stateOf(over).because).toMatch(/not the one that was approved/u)
    expect(await store.actions.writes(run.id)).toEqual([])
  })

  test('is not begun when its approval is too old', async () => {
    const run = await proposed(store.actions, await someCut(acting, 0), { now: instant(acting.now() - 2 * DAY_MS) })
    const over = await acting.until(run.id, ['expired'], [acting.actor()])
    expect(await store.actions.writes(over.id)).toEqual([])
  })
})

test('a change is not begun when the one who approved it may not do so any more', async () => {
  const run = await proposed(store.actions, await someCut(acting, 0), { now: acting.now() })
  const over = await acting.until(run.id, ['failed', 'kept'], [acting.actor({ role: 'viewer' })])
  expect(stateOf(over).because).toMatch(/^Nothing was changed: .* may not approve this/u)
  expect(await store.actions.writes(run.id)).toEqual([])
})

test('a change that a stop held up for longer than its approval holds is not begun', async () => {
  const run = await proposed(store.actions, await someCut(acting, 0), { now: instant(acting.now() - DAY_MS / 12) })
  await store.actions.advance(run.id, transition(3, { state: 'checked', at: instant(acting.now() - DAY_MS / 24) }))
  const over = await acting.until(run.id, ['expired', 'applying', 'kept'], [acting.actor()])
  expect(stateOf(over).state).toBe('expired')
  expect(await store.actions.writes(run.id)).toEqual([])
})

describe('a node that is removed', () => {
  test('has its work moved, then its machine ended by Karpenter, and is not claimed to come back', async () => {
    acting.demo.grantActor(rulesIn(['actor-base.yaml', 'actor-remove-node.yaml']))
    const plan = await someRemoval(acting, 1)
    const run = await proposed(store.actions, plan, { now: acting.now(), kind: 'remove-node' })
    const kept = await acting.until(run.id, ['kept', 'failed', 'reverted'], [acting.actor()])
    expect(stateOf(kept)).toMatchObject({ state: 'kept' })
    const node = removedBy(plan)
    expect((await acting.read()).nodes.map(({ name }) => name)).not.toContain(node)
    expect(await acting.writer.get(nodeRefOf(node))).toBeUndefined()
    const writes = await store.actions.writes(run.id)
    // Pods without a GPU leave by the same way.
    expect([...new Set(writes.map(({ what }) => what.split(' ').slice(0, 2).join(' ')))]).toEqual([
      'patch nodes',
      'evict pods',
      'delete nodeclaims',
    ])
    expect(canBeUndone(kept)).toBe(false)
  })

  test('is refused before anything changes where a pod without a GPU is in a namespace that plans leave alone', async () => {
    const plan = await someRemoval(acting, 1)
    const protectedNamespaces = await unseenNamespaces(plan)
    const run = await proposed(store.actions, plan, { now: acting.now(), kind: 'remove-node' })
    const over = await acting.until(
      run.id,
      ['failed', 'kept', 'reverted'],
      [acting.actor({ plans: { protectedNamespaces } })],
    )
    expect(stateOf(over).because).toMatch(/\/\S+ is in a protected namespace/u)
    expect(await store.actions.writes(run.id)).toEqual([])
  })
})

describe('a node whose GPUs are shared', () => {
  const NODE = 'gpu-l40s-05'
  const label = async () => textAt(await acting.writer.get(nodeRefOf(NODE)), 'metadata', 'labels', PLUGIN_LABEL)
  const shown = async () => {
    const { nodes, pods } = await acting.read()
    const node = nodes.find(({ name }) => name === NODE)
    return {
      sharing: node?.sharing,
      offers: node?.allocatable['nvidia.com/gpu'],
      pods: pods.filter((pod) => pod.node === NODE).length,
    }
  }

  test('gives its team more places, and is as before when somebody takes that back', async () => {
    const before = await shown()
    const plan = await someShare(acting)
    const run = await proposed(store.actions, plan, { now: acting.now(), kind: 'share' })
    const actor = acting.actor()
    const kept = await acting.until(run.id, ['kept', 'failed', 'reverted'], [actor])
    expect(stateOf(kept)).toMatchObject({ state: 'kept' })
    // Who ran there comes back.
    expect(await shown()).toEqual({ ...before, sharing: { kind: 'time-slicing', replicas: 4 }, offers: 16 })
    expect(await label()).toMatch(/^septet-[0-9a-f]{16}$/u)
    const expected = undoStops(kept, await acting.read())
    const number = kept.transitions.length + 1
    await store.actions.advance(
      run.id,
      transition(number, { state: 'reverting', at: acting.now(), step: plan.steps.length }),
    )
    const undone = await acting.until(run.id, ['reverted', 'failed'], [actor])
    const stopped = stoppedByUndo(await store.actions.writes(run.id))
    expect({ pods: stopped }).toEqual(expected)
    expect(stateOf(undone).because).toMatch(
      /^The cluster is configured as it was before\. Reverting it stopped \d+ pods: .* Check that the work runs again\.$/u,
    )
    await acting.pass(10, [])
    expect(await shown()).toEqual(before)
    expect(await label()).toBe('')
    expect(JSON.stringify(await acting.writer.get(nodeRefOf(NODE)))).not.toContain('septet.io/')
    expect(textAt(await acting.writer.get(pluginMap), 'data', 'shared-4')).toContain('replicas: 4')
  })
})

describe('the stop switch', () => {
  test('halts a run between two writes, and lets it go on when it is lifted', async () => {
    const run = await proposed(store.actions, await someCut(acting, 0), { now: acting.now() })
    const actor = acting.actor()
    await acting.pass(60, [actor], async () => (await store.actions.writes(run.id)).length > 0)
    await store.actions.stop({
      cluster: undefined,
      at: acting.now(),
      by: 'ann@septet.local',
      because: 'I want to look.',
    })
    const written = await store.actions.writes(run.id)
    await acting.pass(20, [actor])
    expect(await store.actions.writes(run.id)).toEqual(written)
    await store.actions.resume(undefined)
    await acting.until(run.id, ['kept'], [actor])
  })

  test('is also a ConfigMap in the cluster, which needs nothing of Septet', async () => {
    const run = await proposed(store.actions, await someCut(acting, 0), { now: acting.now() })
    await acting.admin.write(
      {
        verb: 'create',
        object: { group: '', version: 'v1', resource: 'configmaps', namespace: 'septet', name: 'septet-stop' },
        body: {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name: 'septet-stop' },
          data: { because: 'incident 42' },
        },
      },
      { dryRun: false },
    )
    await acting.pass(60, [acting.actor()])
    expect(await store.actions.writes(run.id)).toEqual([])
    expect(await store.actions.stops()).toMatchObject([{ by: 'ConfigMap septet/septet-stop', because: 'incident 42' }])
  })
})

describe('a rehearsal', () => {
  test.for<readonly [string, () => Promise<unknown>]>([
    ['a stop order', () => store.actions.stop({ cluster: 'demo', at: acting.now(), by: 'ann', because: 'Not now.' })],
    [
      'another server that leads now',
      () => store.leads.revoke('demo').then(() => store.leads.take('demo', 'other', DAY_MS)),
    ],
  ])('sends nothing more under %s, and is in the journal as far as it came', async ([, happens]) => {
    const run = await proposed(store.actions, await someCut(acting, 1), { now: acting.now() })
    const sent: string[] = []
    const writer: ClusterWriter = {
      get: (object) => acting.writer.get(object),
      list: (objects, query) => acting.writer.list(objects, query),
      close: () => acting.writer.close(),
      write: async (write, options) => {
        const outcome = await acting.writer.write(write, options)
        if (write.object.resource === 'leases') return outcome
        sent.push(`${options.dryRun ? 'dry run: ' : ''}${write.verb} ${write.object.resource}`)
        if (sent.length === 1) await happens()
        return outcome
      },
    }
    await acting.pass(5, [acting.actor({ writer })])
    expect(sent).toEqual(['dry run: patch nodes'])
    expect(await acting.stateOf(run.id)).toBe('checked')
    expect(await store.actions.writes(run.id)).toEqual([])
    expect(await store.actions.rehearsals(run.id)).toMatchObject([
      { step: 1, what: expect.stringMatching(/^patch nodes /u), outcome: { kind: 'done' } },
    ])
  })
})

describe('the actor’s rights', () => {
  test.for([
    ['actor-repartition.yaml', (demo: ActingDemo) => someCut(demo, 1), OWNERS_NOT_RUN, 'reverted'],
    [
      'actor-share.yaml',
      (demo: ActingDemo) => someShare(demo),
      ['jobs', ...OWNERS_NOT_RUN.filter((kind) => kind !== 'deployments')],
      'reverted',
    ],
    [
      'actor-remove-node.yaml',
      (demo: ActingDemo) => someRemoval(demo, 1),
      OWNERS_NOT_RUN,
      // Its machine is gone.
      'failed',
    ],
    ['actor-appointment.yaml', (demo: ActingDemo) => someAppointment(demo), OWNERS_NOT_RUN, 'reverted'],
    [
      'actor-reclaim-idle.yaml',
      (demo: ActingDemo) => someStop(demo, 'StatefulSet'),
      // Kinds that the demo cluster does not run.
      ['deployments', 'notebooks', 'inferenceservices'],
      'reverted',
    ],
  ] as const)('%s grants what a change and its undoing take, and nothing else', async ([file, planOf, notRun, end]) => {
    const rules = rulesIn(['actor-base.yaml', file])
    acting.demo.grantActor(rules)
    const plan = await planOf(acting)
    const run = await proposed(store.actions, plan, { now: acting.now() })
    const actor = acting.actor()
    const kept = await acting.until(run.id, ['kept', 'failed', 'reverted'], [actor])
    expect(stateOf(kept)).toMatchObject({ state: 'kept' })
    await store.actions.advance(
      run.id,
      transition(kept.transitions.length + 1, { state: 'reverting', at: acting.now(), step: plan.steps.length }),
    )
    expect(stateOf(await acting.until(run.id, ['reverted', 'failed'], [actor])).state).toBe(end)
    // What it has left behind is taken away a week later.
    acting.skew(8 * DAY_MS)
    await acting.pass(4, [actor])
    expect(rightsUsed()).toEqual(rightsGranted(rules, notRun))
  })

  test('actor-right-size.yaml grants what a change takes that has to be taken back, and nothing else', async () => {
    const rules = rulesIn(['actor-base.yaml', 'actor-right-size.yaml'])
    acting.demo.grantActor(rules)
    const run = await proposed(store.actions, await someResize(acting, 'StatefulSet', SCARCE), { now: acting.now() })
    await acting.until(run.id, ['reverted'], [acting.actor()])
    const notRun = ['deployments', 'notebooks', 'inferenceservices', 'leaderworkersets']
    expect(rightsUsed()).toEqual(rightsGranted(rules, notRun))
  })
})

test('a ClusterPolicy that names another ConfigMap is told, with what to do: the actor may not touch that one', async () => {
  const body = { spec: { migManager: { config: { name: 'our-mig' } } } }
  const policy = {
    group: 'nvidia.com',
    version: 'v1',
    resource: 'clusterpolicies',
    namespace: undefined,
    name: 'cluster-policy',
  }
  await acting.admin.write({ verb: 'patch', object: policy, type: 'merge', body }, { dryRun: false })
  acting.demo.grantActor(rulesIn(['actor-base.yaml', 'actor-repartition.yaml']))
  const run = await proposed(store.actions, await someCut(acting, 0), { now: acting.now() })
  const over = await acting.until(run.id, ['failed', 'kept'], [acting.actor()])
  expect(stateOf(over).because).toMatch(
    /The ClusterPolicy names the ConfigMap our-mig\. Add it to resourceNames in deploy\/actor-repartition\.yaml and to the lists in deploy\/actor-policy\.yaml/u,
  )
  expect(await store.actions.writes(run.id)).toEqual([])
})

describe('idle work that is to be stopped', () => {
  const warning = { policy: { warning: seconds(60) } }

  test('has its owner warned on the object, is stopped when nobody answers, and starts again as it was', async () => {
    const plan = await someStop(acting, 'StatefulSet')
    acting.advised = advisedFor(plan)
    const run = await proposed(store.actions, plan, { now: acting.now(), kind: 'reclaim-idle' })
    const actor = acting.actor(warning)
    await acting.until(run.id, ['warned'], [actor])
    const object = targetOf(plan)
    expect(textAt(await acting.writer.get(object), 'metadata', 'annotations', 'septet.io/idle-warning')).toContain(
      run.id,
    )
    expect(await replicasOf(object)).toBe(1)
    const kept = await acting.until(run.id, ['kept', 'failed', 'cancelled', 'reverted'], [actor])
    expect(stateOf(kept).state).toBe('kept')
    expect(await replicasOf(object)).toBe(0)
    await store.actions.advance(
      run.id,
      transition(kept.transitions.length + 1, { state: 'reverting', at: acting.now(), step: 1 }),
    )
    await acting.until(run.id, ['reverted'], [actor])
    expect(await replicasOf(object)).toBe(1)
    expect(await annotationsOf(object)).toEqual(['', ''])
  })

  test('stays when its owner says so, by an annotation', async () => {
    const plan = await someStop(acting, 'StatefulSet')
    acting.advised = advisedFor(plan)
    const run = await proposed(store.actions, plan, { now: acting.now(), kind: 'reclaim-idle' })
    const actor = acting.actor(warning)
    await acting.until(run.id, ['warned'], [actor])
    const body = { metadata: { annotations: { 'septet.io/keep': 'true' } } }
    await acting.admin.write({ verb: 'patch', object: targetOf(plan), type: 'merge', body }, { dryRun: false })
    const over = await acting.until(run.id, ['cancelled'], [actor])
    expect(stateOf(over).because).toMatch(/is kept for good by its septet\.io\/keep/u)
    await acting.pass(10, [actor])
    expect(await annotationsOf(targetOf(plan))).toEqual(['true', ''])
    expect(await replicasOf(targetOf(plan))).toBe(1)
  })

  test('stays when its owner keeps it by the link: the object says so, and is warned no longer', async () => {
    const plan = await someStop(acting, 'StatefulSet')
    acting.advised = advisedFor(plan)
    const run = await proposed(store.actions, plan, { now: acting.now(), kind: 'reclaim-idle' })
    const actor = acting.actor(warning)
    const warned = await acting.until(run.id, ['warned'], [actor])
    expect((await annotationsOf(targetOf(plan)))[1]).toContain(run.id)
    const until = instant(acting.now() + 30 * DAY_MS)
    const number = warned.transitions.length + 1
    await store.actions.advance(run.id, transition(number, { state: 'cancelled', at: acting.now(), until }))
    await acting.pass(10, [actor])
    expect(await annotationsOf(targetOf(plan))).toEqual([new Date(until).toISOString().slice(0, 10), ''])
    expect(await replicasOf(targetOf(plan))).toBe(1)
    expect((await store.actions.writes(run.id)).map(({ key }) => key)).toEqual(['warn', 'tidy-up'])
  })
})
