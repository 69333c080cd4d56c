import { DEFAULT_ALERT_RULES, gapWords, instant, type ActionRun, type Store } from '@septet/domain'
import { actionRun, openTestStore, transition } from '@septet/storage/testing'
import { beforeEach, expect, test } from 'vitest'

import { writeAlertRules, writeChannels } from '../alert-settings.ts'
import { tellOfRuns } from './tell-of-runs.ts'

const AT = Date.UTC(2026, 10, 30, 9)
const KEPT = {
  kind: 'keep-free',
  nodes: [{ node: 'node-a', gpus: 8 }],
  at: instant(AT),
  until: instant(AT + 3_600_000),
} as const
const STEP: ActionRun['plan']['steps'][number] = {
  number: 1,
  action: KEPT,
  title: 'See that 8 GPUs on 1 node are free',
  preconditions: [],
  effect: '',
  displaced: [],
  duration: { low: 0, high: 0, source: 'assumed' } as ActionRun['plan']['steps'][number]['duration'],
  inverse: [],
}

let store: Store
beforeEach(async () => {
  store = await openTestStore()
  await writeChannels(store.settings, [
    { id: 'chat', kind: 'slack', shown: '', sealedTarget: '', sealedSecret: null, changedAt: 0, changedBy: '' },
  ])
  await writeAlertRules(store.settings, {
    ...DEFAULT_ALERT_RULES,
    xid: { ...DEFAULT_ALERT_RULES.xid, channels: ['chat', 'gone'] },
  })
})

const told = async () => {
  const needs = { store, now: () => AT, siteUrl: () => 'https://septet.example', seal: (text: string) => text }
  await tellOfRuns(needs, { id: 'c', name: 'prod' })
  return store.alerts.deliveries.list({ limit: 10 })
}

test('what an appointment lacks is told to the channels of the rule about GPU faults, once for each change', async () => {
  const because = gapWords(KEPT, { missing: 8, because: 'node-a is no longer in the cluster.' })
  const run = actionRun('a', { class: 'appointment', plan: { ...actionRun('a').plan, steps: [STEP] } })
  await store.actions.propose(run)
  for (const [index, state] of (['approved', 'checked', 'rehearsed', 'applying'] as const).entries())
    await store.actions.advance('a', transition(index + 2, state))
  expect(await told()).toEqual([])
  await store.actions.advance('a', transition(6, 'applying', { because }))
  const [first, ...others] = await told()
  expect(others).toEqual([])
  expect(first).toMatchObject({
    channel: 'chat',
    content: {
      alerts: [{ kind: 'appointment-short', message: because }],
      url: 'https://septet.example/dashboard/actions?cluster=c&action=a',
    },
  })
  expect(await told()).toHaveLength(1)
  const worse = gapWords(KEPT, { missing: 0, because: 'node-a accepts any pod: someone uncordoned it.' })
  await store.actions.advance('a', transition(7, 'applying', { because: worse }))
  expect(await told()).toHaveLength(2)
})
