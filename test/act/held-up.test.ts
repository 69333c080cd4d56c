import {
  stateOf,
  type Action,
  type ActionRun,
  type ClusterWrite,
  type ClusterWriter,
  type ObjectRef,
  type WriteOutcome,
} from '@septet/domain'
import { describe, expect, test } from 'vitest'

import { acting, eachOnDemo, store } from './on-demo.ts'
import { ENDED, flawsOf } from './kill-case.ts'
import { proposed, someCut, someStop } from './runs.ts'
import { takeBack } from './undo-case.ts'

eachOnDemo()

/** A line to the cluster on which writes come to something else while a test wants it. */
function answering(outcome: (write: ClusterWrite) => WriteOutcome | undefined): ClusterWriter {
  const { writer } = acting
  return {
    get: (object) => writer.get(object),
    list: (objects, query) => writer.list(objects, query),
    close: () => writer.close(),
    write: async (write, options) => (options.dryRun ? undefined : outcome(write)) ?? writer.write(write, options),
  }
}

/** As an API server says it once a role is gone. */
const NO_RIGHT: WriteOutcome = {
  kind: 'refused',
  status: 403,
  because:
    'nodes "gpu-1" is forbidden: User "system:serviceaccount:septet:actor" cannot patch resource "nodes" in API group "" at the cluster scope',
}
const BY_A_BUDGET: WriteOutcome = {
  kind: 'later',
  because: "Cannot evict pod as it would violate the pod's disruption budget.",
  afterMs: undefined,
}

const said = ({ transitions }: ActionRun): string =>
  transitions.map(({ state, because }) => `${state}: ${because}`).join('\n')

test('a right that is missing does not end a way back, however long it takes', async () => {
  const before = await acting.read()
  const plan = await someCut(acting, 0)
  const run = await proposed(store.actions, plan, { now: acting.now() })
  let isGone = false
  const actor = acting.actor({ writer: answering(() => (isGone ? NO_RIGHT : undefined)), watchMs: 600_000 })
  await acting.until(run.id, ['verified'], [actor])
  isGone = true
  await takeBack((await store.actions.get(run.id)) ?? run)
  acting.stepMs = 10_000
  await acting.pass(1500, [actor])
  acting.stepMs = 1000
  expect(await acting.stateOf(run.id)).toBe('reverting')
  isGone = false
  const over = await acting.until(run.id, ENDED, [actor])
  expect(stateOf(over).state).toBe('reverted')
  expect(await flawsOf(acting, { run: over, before })).toEqual([])
})

test('a disruption budget that holds a change up is told, with the pod, once', async () => {
  const run = await proposed(store.actions, await someCut(acting, 1), { now: acting.now() })
  let isTight = true
  const writer = answering(({ verb }) => (isTight && verb === 'evict' ? BY_A_BUDGET : undefined))
  const actor = acting.actor({ writer, watchMs: 2000 })
  await acting.pass(120, [actor])
  isTight = false
  const over = await acting.until(run.id, ENDED, [actor])
  expect(stateOf(over).state).toBe('kept')
  expect(said(over).match(/Waiting: Evict \S+: Cannot evict pod/gu)).toHaveLength(1)
})

describe('an owner who sets work back while it is watched', () => {
  test('is found within a quarter of a minute, and left alone', async () => {
    const plan = await someStop(acting, 'Deployment')
    const run = await proposed(store.actions, plan, { now: acting.now() })
    const actor = acting.actor({ watchMs: 600_000 })
    await acting.until(run.id, ['verified'], [actor])
    const scaled = plan.steps.flatMap(({ action }) => (action.kind === 'scale' ? [action] : []))[0]
    await startAgain(scaled)
    const at = acting.now()
    const over = await acting.until(run.id, ENDED, [actor])
    const found = over.transitions.find(({ because }) => because.startsWith('Someone started'))
    expect(found?.state).toBe('reverting')
    expect((found?.at ?? Infinity) - at).toBeLessThanOrEqual(15_000)
    expect(stateOf(over)).toMatchObject({
      state: 'reverted',
      because: expect.stringMatching(/^Someone changed .* since, and Septet leaves that as they set it\.$/u),
    })
    expect((await store.actions.writes(run.id)).filter(({ isUndo }) => isUndo)).toEqual([])
  })
})

/** As `kubectl scale` does it. */
async function startAgain(scaled: Extract<Action, { readonly kind: 'scale' }> | undefined): Promise<void> {
  const [namespace = '', , name = ''] = (scaled?.workload ?? '').split('/')
  const object: ObjectRef = { group: 'apps', version: 'v1', resource: 'deployments', namespace, name }
  const body = { spec: { replicas: scaled?.from } }
  await acting.admin.write({ verb: 'patch', object, type: 'merge', body }, { dryRun: false })
}
