import {
  appointmentOf,
  DEFAULT_ALERT_RULES,
  instant,
  planAppointment,
  seconds,
  shortfallOf,
  stateOf,
  type Instant,
  type Plan,
} from '@septet/domain'
import { actionView, tellOfRuns, writeAlertRules, writeChannels } from '@septet/server/testing/act'
import { describe, expect, test } from 'vitest'

import { acting, eachOnDemo, store } from './on-demo.ts'
import { someAppointment, transition } from './runs.ts'
import { MINUTES, begun, fenced, nodesOf, runNow, sentences, setUnschedulable } from './appointment-cases.ts'

eachOnDemo()

/** Two GPUs of one node, none of which anybody has to leave. */
async function freeForAppointment(at: Instant): Promise<Plan> {
  const ask = { gpus: 2, perNode: 2, at, length: seconds(3600), namespace: 'data-science' }
  const answer = planAppointment({ snapshot: await acting.read(), ask, maxDisplaced: 0 })
  if (answer.kind === 'none' || !(await acting.isAllowed(answer.plan))) throw new Error('no node has two GPUs free')
  return answer.plan
}

/** A pod of somebody who asks for a GPU of that node and tolerates its cordon. */
async function startPod(name: string, { node, namespace = 'sandbox' }: { node: string; namespace?: string }) {
  const body = {
    metadata: { name, namespace },
    spec: {
      containers: [{ name: 'main', image: 'x', resources: { limits: { 'nvidia.com/gpu': '1' } } }],
      nodeSelector: { 'kubernetes.io/hostname': node },
      tolerations: [{ key: 'node.kubernetes.io/unschedulable', operator: 'Exists' }, { operator: 'Exists' }],
    },
  }
  expect((await toPods('POST', { namespace, body })).status).toBe(201)
}
const endPod = async (name: string): Promise<unknown> => toPods('DELETE', { namespace: 'sandbox', name })
const toPods = (method: string, { namespace, name = '', body }: { namespace: string; name?: string; body?: object }) =>
  fetch(`${acting.demo.apiUrl}/api/v1/namespaces/${namespace}/pods/${name}`.replace(/\/$/u, ''), {
    method,
    headers: { authorization: `Bearer ${acting.demo.token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })

/** What the channel of the rule about GPU faults is told now. */
async function toldByChannel(): Promise<readonly string[]> {
  await writeChannels(store.settings, [
    { id: 'chat', kind: 'slack', shown: '', sealedTarget: '', sealedSecret: null, changedAt: 0, changedBy: '' },
  ])
  await writeAlertRules(store.settings, {
    ...DEFAULT_ALERT_RULES,
    xid: { ...DEFAULT_ALERT_RULES.xid, channels: ['chat'] },
  })
  const needs = { store, now: acting.now, siteUrl: () => 'https://septet.example', seal: (text: string) => text }
  await tellOfRuns(needs, { id: 'demo', name: 'Demo' })
  const deliveries = await store.alerts.deliveries.list({ limit: 10 })
  return deliveries.map(({ content }) => JSON.parse(JSON.stringify(content)).alerts[0].message)
}

describe('an appointment that was approved', () => {
  test('that is undone meanwhile opens its nodes at once', async () => {
    const plan = await someAppointment(acting, { length: seconds(3600) })
    const run = await begun(plan)
    const actor = acting.actor()
    await acting.pass(20, [actor])
    const held = await runNow(run)
    expect(await fenced(plan)).toEqual([true])
    const { step = 1 } = stateOf(held)
    const number = held.transitions.length + 1
    await store.actions.advance(
      run.id,
      transition(number, { state: 'reverting', at: acting.now(), because: 'It is called off.', step }),
    )
    await acting.until(run.id, ['reverted'], [actor])
    expect(await fenced(plan)).toEqual([false])
  })

  test('for MIG instances takes them as they are cut, evicts who holds them, and leaves other instances of the node alone', async () => {
    const plan = await someAppointment(acting, { profile: '3g.40gb', gpus: 2, length: seconds(25) })
    expect(plan.title).toMatch(/^Keep 2 × 3g\.40gb free from/u)
    const evicted = plan.steps.flatMap(({ action }) => (action.kind === 'evict' ? [action.pod] : []))
    const run = await begun(plan)
    const actor = acting.actor({ watchMs: 2000 })
    await acting.pass(20, [actor])
    expect(sentences(await runNow(run))).toContain('2 × 3g.40gb on 1 node are free for the appointment.')
    const left = acting.demo.journal().flatMap((entry) => (entry.kind === 'evicted' ? [entry.pod] : []))
    expect(new Set(left)).toEqual(new Set(evicted))
    await acting.until(run.id, ['kept'], [actor])
    expect(await fenced(plan)).toEqual([false])
  })

  test('looks on while its fence stands: a node that somebody opens, and one that goes, are said, and that it holds again', async () => {
    const plan = await someAppointment(acting, { length: seconds(3600) })
    const [node = ''] = nodesOf(plan)
    const run = await begun(plan)
    const actor = acting.actor()
    await acting.pass(20, [actor])
    const lacks = async (): Promise<string | undefined> => shortfallOf(await runNow(run))?.because
    expect(await lacks()).toBeUndefined()
    await setUnschedulable(node, null)
    await acting.pass(40, [actor])
    expect(await lacks()).toMatch(/^The appointment is short: 8 of 8 GPUs .* accepts any pod: someone uncordoned it\./u)
    await setUnschedulable(node, true)
    await acting.pass(10, [actor])
    expect(await lacks()).toBeUndefined()
    expect(stateOf(await runNow(run))).toMatchObject({ state: 'applying', until: plan.steps.at(-1)?.notBefore })
    acting.demo.faults.add({ kind: 'withheld-device', node })
    await acting.pass(40, [actor])
    expect(await lacks()).toMatch(/^The appointment is short: 7 of 8 GPUs on 1 node are free\. .* has 7 of 8 free/u)
    acting.demo.faults.add({ kind: 'node-vanishes', node })
    await acting.pass(40, [actor])
    expect(await lacks()).toMatch(/0 of 8 GPUs on 1 node are free\. .* is no longer in the cluster\./u)
    // Said once for each change, not at every look.
    const said = sentences(await runNow(run)).filter((sentence) => sentence.startsWith('The appointment is short'))
    expect(said).toHaveLength(3)
  })

  test('of which somebody takes a GPU after all were free says who: on the card, on the command line and to the channels', async () => {
    const plan = await someAppointment(acting, { length: seconds(3600), namespace: 'data-science' })
    const [node = ''] = nodesOf(plan)
    const run = await begun(plan)
    const actor = acting.actor()
    await acting.pass(20, [actor])
    expect(sentences(await runNow(run))).toContain('8 GPUs on 1 node are free for the appointment.')
    // A cordon keeps out who does not tolerate it.
    await startPod('intruder', { node })
    await acting.pass(40, [actor])
    const lacks = new RegExp(
      `^The appointment is short: 7 of 8 GPUs on 1 node are free\\. ${node} has 7 of 8 free: sandbox/intruder holds GPUs there\\.$`,
      'u',
    )
    const short = await runNow(run)
    expect(shortfallOf(short)?.because).toMatch(lacks)
    expect(await fenced(plan)).toEqual([true])
    expect(actionView(short).shortfall).toMatch(lacks)
    expect(await toldByChannel()).toEqual([expect.stringMatching(lacks)])
    // Work of the team that the GPUs are kept for is let in, and takes nothing from itself.
    await endPod('intruder')
    await startPod('own', { node, namespace: 'data-science' })
    await acting.pass(40, [actor])
    expect(shortfallOf(await runNow(run))).toBeUndefined()
  })

  test('says in time, while it can still be evicted by hand, that somebody has come who was not there when it was planned', async () => {
    const plan = await freeForAppointment(instant(acting.now() + 2 * MINUTES))
    const [node = ''] = nodesOf(plan)
    const run = await begun(plan)
    const actor = acting.actor()
    await acting.pass(4, [actor])
    expect(await fenced(plan)).toEqual([true])
    await startPod('intruder', { node })
    await acting.pass(60, [actor])
    const lacks = async (): Promise<string | undefined> => shortfallOf(await runNow(run))?.because
    expect(await lacks()).toMatch(
      /^The appointment is short: 1 GPU is taken\. .* has 1 of 2 free for .*: sandbox\/intruder came last, and the plan does not evict it\./u,
    )
    expect(await toldByChannel()).toHaveLength(1)
    // The evictions are over, and it is still there.
    acting.skew(2 * MINUTES - 590_000)
    await acting.pass(60, [actor])
    expect(acting.now()).toBeLessThan(appointmentOf(plan)?.at ?? 0)
    expect(await lacks()).toMatch(
      /^The appointment is short: 1 of 2 GPUs on 1 node are free\. .* has 1 of 2 free: sandbox\/intruder holds GPUs there/u,
    )
    await endPod('intruder')
    await acting.pass(60, [actor])
    expect(await lacks()).toBeUndefined()
  })

  test('says before its instant, too, that a node of it is gone', async () => {
    const plan = await someAppointment(acting, { at: instant(acting.now() + 2 * MINUTES), length: seconds(3600) })
    const run = await begun(plan)
    const actor = acting.actor()
    await acting.pass(4, [actor])
    acting.demo.faults.add({ kind: 'node-vanishes', node: nodesOf(plan)[0] ?? '' })
    await acting.pass(40, [actor])
    expect(shortfallOf(await runNow(run))?.because).toMatch(
      /^The appointment is short: 8 GPUs are lost\. .* no longer in the cluster/u,
    )
  })
})
