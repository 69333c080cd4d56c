import {
  DEFAULT_ACT_POLICY,
  stateOf,
  stoppedByUndo,
  textAt,
  undoStops,
  type LiveObject,
  type Plan,
} from '@septet/domain'
import { describe, expect, test } from 'vitest'

import { acting, eachOnDemo, store } from './on-demo.ts'
import { proposed, SCARCE, someResize, transition } from './runs.ts'

eachOnDemo()

const ENDED = ['kept', 'failed', 'reverted', 'cancelled']
/** As it is advised for work that was never idle. */
const IN_USE = {
  kind: 'none',
  brings: 'frees 0.86 GPUs',
  because: 'It was never idle for long.',
  room: { gpuHoursPerMonth: 625.71, usdPerMonth: undefined },
} as const
const BEFORE = 'septet.io/requests-before'

describe('another size for the pods of a workload', () => {
  test.for([
    ['Deployment', 'fewer-gpus'],
    ['StatefulSet', 'right-size'],
    ['Notebook', 'right-size'],
  ] as const)(
    'of a %s that is in use passes as %s by default, is set in its template, watched until they run with it, and taken back as it was written',
    async ([kind, as]) => {
      const plan = await someResize(acting, kind)
      const { workload, from, to } = resizeOf(plan)
      const before = await liveOf(workload)
      const run = await proposed(store.actions, plan, { now: acting.now(), kind: as, saving: IN_USE })
      const actor = acting.actor({ policy: { minimum: DEFAULT_ACT_POLICY.minimum } })
      const kept = await acting.until(run.id, ENDED, [actor])
      expect(stateOf(kept)).toMatchObject({ state: 'kept' })
      expect(await askedBy(workload)).toEqual([to, 'Running'])
      expect(textAt(await liveOf(workload), 'metadata', 'annotations', BEFORE)).toContain(run.id)
      const expected = undoStops(kept, await acting.read())
      const number = kept.transitions.length + 1
      await store.actions.advance(run.id, transition(number, { state: 'reverting', at: acting.now(), step: 1 }))
      const undone = await acting.until(run.id, ['reverted', 'failed'], [actor])
      const stopped = stoppedByUndo(await store.actions.writes(run.id))
      expect(stopped).not.toEqual([])
      expect({ pods: stopped }).toEqual(expected)
      expect(stateOf(undone).because).toMatch(
        /^The cluster is configured as it was before\. Reverting it stopped \d+ pods?: .*\. Check that the work runs again\.$/u,
      )
      expect(await askedBy(workload)).toEqual([from, 'Running'])
      expect(specOf(await liveOf(workload))).toEqual(specOf(before))
      expect(textAt(await liveOf(workload), 'metadata', 'annotations', BEFORE)).toBe('')
    },
  )

  test('whose work then goes slower than on the days before is taken back, and the journal says by how much', async () => {
    const plan = await someResize(acting, 'Deployment')
    const { workload, from } = resizeOf(plan)
    const run = await proposed(store.actions, plan, { now: acting.now(), kind: 'right-size' })
    const says = `${workload} does 400 tokens an hour since the change, 2,000 at this time of the 7 days before (vllm).`
    const workSetbacks = async () => ({ kind: 'worse', because: says }) as const
    const over = await acting.until(run.id, ENDED, [acting.actor({ workSetbacks })])
    expect(over.transitions.map(({ because }) => because).join('\n')).toContain(`It got worse: ${says}`)
    expect(stateOf(over).state).toBe('reverted')
    expect(await askedBy(workload)).toEqual([from, 'Running'])
  })

  test('is watched longer and kept as not verified where the metrics engine does not answer', async () => {
    const plan = await someResize(acting, 'Deployment')
    const run = await proposed(store.actions, plan, { now: acting.now(), kind: 'right-size' })
    const unknown = { kind: 'unknown', because: 'The metrics engine is not responding.', since: acting.now() } as const
    const over = await acting.until(run.id, ENDED, [acting.actor({ workSetbacks: async () => unknown })])
    expect(over.transitions.filter(({ state }) => state === 'verified')).toHaveLength(2)
    expect(stateOf(over)).toMatchObject({
      state: 'kept',
      because: expect.stringMatching(
        /^Not verified: no metrics since .* UTC\. The metrics engine is not responding\./u,
      ),
    })
  })

  test.for(['Deployment', 'StatefulSet', 'Notebook'])(
    'of a %s that no pod finds a place with is taken back by itself, and the work runs as before',
    async (kind) => {
      const plan = await someResize(acting, kind, SCARCE)
      const { workload, from } = resizeOf(plan)
      const run = await proposed(store.actions, plan, { now: acting.now(), kind: 'right-size' })
      const over = await acting.until(run.id, ENDED, [acting.actor()])
      expect(over.transitions.map(({ because }) => because).join(' ')).toMatch(
        /cannot be scheduled with 1 × .*3g\.40gb/u,
      )
      expect(stateOf(over).state).toBe('reverted')
      await acting.pass(30, [])
      expect(await askedBy(workload)).toEqual([from, 'Running'])
    },
  )
})

function resizeOf(plan: Plan) {
  const action = plan.steps.find((step) => step.action.kind === 'resize')?.action
  if (action?.kind !== 'resize') throw new Error('it resizes nothing')
  return action
}

const RESOURCES = {
  Deployment: ['apps', 'deployments'],
  StatefulSet: ['apps', 'statefulsets'],
  Notebook: ['kubeflow.org', 'notebooks'],
} as const

async function liveOf(workload: string): Promise<LiveObject> {
  const [namespace, kind = '', name = ''] = workload.split('/')
  const [, [group, resource]] = Object.entries(RESOURCES).find(([key]) => key === kind) ?? ['', ['', '']]
  return (await acting.writer.get({ group, version: 'v1', resource, namespace, name })) ?? {}
}

const specOf = (live: LiveObject): unknown => live['spec']

/** What all pods of a workload ask for, and whether all of them run. */
async function askedBy(workload: string): Promise<unknown> {
  await acting.pass(4, [])
  const pods = (await acting.read()).pods.filter((pod) => pod.workload === workload)
  const texts = new Set(pods.map(({ requests, phase }) => JSON.stringify([requests, phase])))
  return texts.size === 1 ? JSON.parse([...texts][0] ?? '') : [...texts]
}
