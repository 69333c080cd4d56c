import { instant, seconds, shortfallOf, stateOf } from '@septet/domain'
import { describe, expect, test } from 'vitest'

import { acting, eachOnDemo, store } from './on-demo.ts'
import { someAppointment } from './runs.ts'
import { MINUTES, begun, evictedOf, fenced, runNow, sentences } from './appointment-cases.ts'

eachOnDemo()

describe('an appointment that was approved', () => {
  test('closes the nodes, evicts who is in the way, says that the GPUs are free, and opens the nodes when it is over', async () => {
    const plan = await someAppointment(acting, { length: seconds(25) })
    const run = await begun(plan)
    const actor = acting.actor({ watchMs: 2000 })
    await acting.pass(20, [actor])
    const held = await runNow(run)
    expect(sentences(held)).toContain('8 GPUs on 1 node are free for the appointment.')
    expect(stateOf(held)).toMatchObject({ state: 'applying', until: plan.steps.at(-1)?.notBefore })
    expect(await fenced(plan)).toEqual([true])
    expect(acting.demo.journal().filter(({ kind }) => kind === 'evicted')).toMatchObject([{ pod: evictedOf(plan) }])
    const over = await acting.until(run.id, ['kept', 'failed', 'reverted'], [actor])
    expect(over.transitions.slice(-3).map(({ state }) => state)).toEqual(['applied', 'verified', 'kept'])
    expect(await fenced(plan)).toEqual([false])
  })

  test('waits for its time: nothing is written before, and somebody hears at once what speaks against it', async () => {
    const at = instant(acting.now() + 3 * 3_600_000)
    const plan = await someAppointment(acting, { at, longest: seconds(3600) })
    const run = await begun(plan)
    const actor = acting.actor()
    await acting.pass(10, [actor])
    const waits = {
      state: 'approved',
      because: expect.stringMatching(/The plan passes every guardrail now. It starts on .* and is checked again then/u),
    }
    expect(stateOf(await runNow(run))).toMatchObject(waits)
    const onTheSameNode = await begun({ ...plan, id: 'another' })
    await acting.pass(10, [actor])
    expect(stateOf(await runNow(onTheSameNode))).toMatchObject({
      state: 'failed',
      because: expect.stringMatching(/^Nothing was changed: .* is kept for “/u),
    })
    expect(stateOf(await runNow(run))).toMatchObject(waits)
    expect(await store.actions.writes(run.id)).toEqual([])
    expect(await fenced(plan)).toEqual([false])
  })

  test('names who could not be evicted, and keeps the fence around the other GPUs', async () => {
    const plan = await someAppointment(acting, { at: instant(acting.now() + MINUTES), length: seconds(3600) })
    const run = await begun(plan)
    const actor = acting.actor()
    await acting.pass(4, [actor])
    expect(await fenced(plan)).not.toContain(false)
    acting.demo.faults.add({ kind: 'budget-never-allows', pod: evictedOf(plan) ?? '' })
    acting.skew(MINUTES - 600_000)
    await acting.pass(4, [actor])
    acting.skew(601_000)
    await acting.pass(12, [actor])
    const said = sentences(await runNow(run)).join('\n')
    expect(said).toMatch(/was not done: .* The reserved nodes stay cordoned\./u)
    expect(said).toMatch(/of 8 GPUs on 1 node are free\. .* holds? GPUs there\. The nodes stay closed to others/u)
    expect(await fenced(plan)).not.toContain(false)
    expect(shortfallOf(await runNow(run))?.because).toMatch(/^The appointment is short: \d of 8 GPUs/u)
  })

  test('is refused at its time where somebody has come between who would stay', async () => {
    const plan = await someAppointment(acting)
    const more = plan.steps.map((step) =>
      step.action.kind === 'keep-free'
        ? { ...step, action: { ...step.action, nodes: step.action.nodes.map((each) => ({ ...each, gpus: 99 })) } }
        : step,
    )
    const over = await acting.until((await begun({ ...plan, steps: more })).id, ['failed'], [acting.actor()])
    expect(stateOf(over).because).toMatch(/Nothing was changed: .* would have \d+ GPUs free, and 99 are wanted/u)
    expect(await fenced(plan)).toEqual([false])
  })
})
