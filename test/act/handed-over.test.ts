import { instant, stateOf, type ActionRun, type ObjectRef } from '@septet/domain'
import { describe, expect, test } from 'vitest'

import { acting, eachOnDemo, store } from './on-demo.ts'
import { planFor, proposed, transition } from './runs.ts'

eachOnDemo()

const KEPT_BY_ARGO = 'media-encoding/Deployment/frame-upscale'
const KEPT_BY_HELM = 'document-understanding/Deployment/table-extract'

const objectOf = (workload: string): ObjectRef => {
  const [namespace, , name = ''] = workload.split('/')
  return { group: 'apps', version: 'v1', resource: 'deployments', namespace, name }
}
/** What somebody does in git, and a tool applies. */
const applied = async (workload: string, replicas: number): Promise<unknown> =>
  acting.admin.write(
    { verb: 'patch', object: objectOf(workload), type: 'merge', body: { spec: { replicas } } },
    { dryRun: false },
  )
const stopped = async (workload: string): Promise<ActionRun> => {
  const plan = planFor(await acting.read(), { kind: 'scale', workload, to: 0 })
  return proposed(store.actions, plan, { now: acting.now(), kind: 'reclaim-idle' })
}

describe('a change of what git keeps', () => {
  test.for([
    [KEPT_BY_ARGO, /managed by Argo CD .* does not write to it/u],
    [KEPT_BY_HELM, /managed by Helm .* does not write to it/u],
  ] as const)('%s is handed over, and verified once somebody has applied it', async ([workload, words]) => {
    const run = await stopped(workload)
    const actor = acting.actor({ watchMs: 5000 })
    const waits = await acting.until(run.id, ['handed-over', 'failed'], [actor])
    expect(stateOf(waits)).toMatchObject({ state: 'handed-over', because: expect.stringMatching(words) })
    expect(stateOf(waits).because).toContain('Download its directory')
    await acting.pass(20, [actor])
    expect(stateOf((await store.actions.get(run.id)) ?? waits).state).toBe('handed-over')
    await applied(workload, 0)
    const over = await acting.until(run.id, ['kept', 'failed', 'reverted'], [actor])
    expect(over.transitions.map(({ state }) => state).slice(2)).toEqual(['handed-over', 'applied', 'verified', 'kept'])
    expect(await store.actions.writes(run.id)).toEqual([])
  })

  test('that does not stay as it was applied has failed, and is not taken back by Septet', async () => {
    const run = await stopped(KEPT_BY_ARGO)
    const actor = acting.actor()
    await acting.until(run.id, ['handed-over'], [actor])
    await applied(KEPT_BY_ARGO, 0)
    await acting.until(run.id, ['verified'], [actor])
    await applied(KEPT_BY_ARGO, 1)
    const over = await acting.until(run.id, ['kept', 'failed', 'reverted'], [actor])
    expect(stateOf(over)).toMatchObject({
      state: 'failed',
      because: expect.stringMatching(/did not make this change/u),
    })
    expect(await store.actions.writes(run.id)).toEqual([])
  })

  test('that nobody applies expires in words', async () => {
    const run = await stopped(KEPT_BY_ARGO)
    const until = instant(acting.now() + 1000)
    await store.actions.advance(run.id, transition(3, { state: 'handed-over', at: acting.now(), until }))
    const over = await acting.until(run.id, ['expired', 'failed'], [acting.actor()])
    expect(stateOf(over).because).toMatch(/It was not applied in time/u)
  })
})
