import { stateOf, type ActionRun } from '@septet/domain'

import { acting, store } from './on-demo.ts'
import { ENDED, flawsOf, type KillCase } from './kill-case.ts'
import { mortal, type Moment } from './mortal.ts'
import { planFor, proposed, transition } from './runs.ts'

/**
 * Takes a cut back on whose instances others have started since, with pods that use their whole grace period and a reading
 * each half minute, by an actor that dies at a moment; another takes over. Undefined where all was over before.
 */
export async function undoCase(killAt: Moment): Promise<KillCase | undefined> {
  const before = await acting.read()
  const kept = await cutWithHolders()
  acting.demo.faults.add({ kind: 'ignores-sigterm' })
  acting.readEveryMs = 30_000
  await takeBack(kept)
  const doomed = mortal({ store: store.actions, writer: acting.writer }, killAt)
  await acting.pass(300, [acting.actor(doomed)], async () => {
    return doomed.diedAt() !== undefined || (await acting.stateOf(kept.id)) !== 'reverting'
  })
  const diedAt = doomed.diedAt()
  const over = await acting.until(kept.id, ENDED, [acting.actor()])
  const { state, because } = stateOf(over)
  const flaws = [
    ...(await flawsOf(acting, { run: over, before })),
    ...(/[Ss]omeone/u.test(because) ? [`somebody else is blamed: ${because}`] : []),
  ]
  return diedAt === undefined ? undefined : { diedAt, outcome: state, flaws }
}

export async function takeBack({ id, plan, transitions }: ActionRun): Promise<void> {
  const undo = { state: 'reverting', at: acting.now(), step: plan.steps.length } as const
  await store.actions.advance(id, transition(transitions.length + 1, undo))
}

/** Pods that have waited for this profile start on both instances. */
async function cutWithHolders(): Promise<ActionRun> {
  const snapshot = await acting.read()
  const gpu = snapshot.nodes.find(({ name }) => name === 'gpu-h100-08')?.gpus[6]
  const layout = [0, 4].map((start) => ({ profile: '3g.40gb', placement: { start, size: 4 } }))
  const targets = [{ gpu: gpu?.id ?? '', migEnabled: true, layout }]
  const plan = planFor(snapshot, { kind: 'layout', targets, moves: [] })
  const run = await proposed(store.actions, plan, { now: acting.now() })
  return acting.until(run.id, ['kept'], [acting.actor()])
}
