import { DEFAULT_ACT_POLICY, stateOf, type ClusterWriter, type ObjectRef, type Plan } from '@septet/domain'
import { describe, expect, test } from 'vitest'

import { acting, eachOnDemo, store } from './on-demo.ts'
import { ActingDemo } from './acting-demo.ts'
import { adviceOf, proposed, someCut, someResize, someStop } from './runs.ts'

eachOnDemo()

describe('septet.io/keep is looked at before anything is changed:', () => {
  test.for<readonly [string, (demo: ActingDemo) => Promise<Plan>, (plan: Plan) => Promise<ObjectRef>]>([
    ['of a node that would be cut', (demo) => someCut(demo, 0), async (plan) => nodeOf(plan)],
    ['of a pod that would be evicted', (demo) => someCut(demo, 1), async (plan) => podOf(plan)],
    ['of the owner of such a pod', (demo) => someCut(demo, 1), (plan) => ownerOf(podOf(plan))],
    ['of work that would be made smaller', (demo) => someResize(demo, 'Notebook'), async (plan) => notebookOf(plan)],
  ])('%s', async ([, planOf, objectOf]) => {
    const plan = await planOf(acting)
    const object = await objectOf(plan)
    const body = { metadata: { annotations: { 'septet.io/keep': 'true' } } }
    const said = await acting.admin.write({ verb: 'patch', object, type: 'merge', body }, { dryRun: false })
    expect(said).toEqual({ kind: 'done' })
    const run = await proposed(store.actions, plan, { now: acting.now() })
    const over = await acting.until(run.id, ['failed', 'kept'], [acting.actor()])
    expect(stateOf(over).because).toMatch(new RegExp(`${object.name} is kept for good by its septet\\.io/keep`, 'u'))
    expect(await store.actions.writes(run.id)).toEqual([])
  })
})

const ends = async () => (await store.actions.list({ limit: 10 })).map((run) => stateOf(run).because)

describe('on auto', () => {
  const budget = { pods: 5, nodes: 5, gpus: 8, usdPerHour: undefined }
  const policy = {
    modes: { ...DEFAULT_ACT_POLICY.modes, 'reclaim-idle': 'auto' as const },
    auto: { ...DEFAULT_ACT_POLICY.auto, classes: ['reclaim-idle' as const], budget: { hour: budget, day: budget } },
  }

  test('what its owner keeps is not approved, only to fail each time', async () => {
    const plan = await someStop(acting, 'StatefulSet', (workload) => acting.isAtRest(workload))
    const object = { ...notebookOf(plan), group: 'apps', resource: 'statefulsets' }
    const body = { metadata: { annotations: { 'septet.io/keep': 'true' } } }
    await acting.admin.write({ verb: 'patch', object, type: 'merge', body }, { dryRun: false })
    acting.advised = [adviceOf(plan, 'reclaim-idle')]
    await acting.pass(60, [acting.actor({ policy })])
    expect(await ends()).toEqual([])
  })

  test('what the API server refuses is not tried again every few seconds', async () => {
    const plan = await someStop(acting, 'StatefulSet', (workload) => acting.isAtRest(workload))
    acting.advised = [adviceOf(plan, 'reclaim-idle')]
    const denied = { kind: 'refused', because: 'A webhook denies it.', status: 403 } as const
    const write: ClusterWriter['write'] = async (wanted, how) =>
      how.dryRun ? denied : acting.writer.write(wanted, how)
    const writer: ClusterWriter = { ...acting.writer, write }
    await acting.pass(60, [acting.actor({ policy, writer })])
    expect(await ends()).toEqual([expect.stringContaining('A webhook denies it.')])
  })
})

const core = (resource: string, namespace: string | undefined, name: string): ObjectRef => ({
  group: '',
  version: 'v1',
  resource,
  namespace,
  name,
})

function nodeOf({ steps }: Plan): ObjectRef {
  const action = steps.find((step) => 'node' in step.action)?.action
  if (action === undefined || !('node' in action)) throw new Error('no node is changed')
  return core('nodes', undefined, action.node)
}

function podOf({ steps }: Plan): ObjectRef {
  const [namespace = '', name = ''] = steps.flatMap(({ displaced }) => displaced)[0]?.split('/') ?? []
  return core('pods', namespace, name)
}

function notebookOf({ steps }: Plan): ObjectRef {
  const action = steps[0]?.action
  const [namespace = '', , name = ''] = action !== undefined && 'workload' in action ? action.workload.split('/') : []
  return { group: 'kubeflow.org', version: 'v1', resource: 'notebooks', namespace, name }
}

/** The work of the demo that has to leave is a Job. */
async function ownerOf(pod: ObjectRef): Promise<ObjectRef> {
  const found = (await acting.read()).pods.find(({ id }) => id === `${pod.namespace}/${pod.name}`)
  const [namespace = '', kind = '', name = ''] = found?.workload.split('/') ?? []
  expect(kind).toBe('Job')
  return { group: 'batch', version: 'v1', resource: 'jobs', namespace, name }
}
