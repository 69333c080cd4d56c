import { DAY_MS, DEFAULT_ALERT_RULES, instant, stateOf, type ActionRun, type RunState } from '@septet/domain'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import { writeAlertRules, writeChannels } from '../alert-settings.ts'
import { AlertMessageSchema } from '../alerts/alert-message.ts'
import { runOf } from '../savings/scripted-usage.fixture.ts'
import { openTestSeptet, type TestSeptet } from './open-test-septet.fixture.ts'

let septet: TestSeptet
beforeEach(async () => {
  septet = await openTestSeptet()
  await septet.store.clusters.upsert({ id: 'production', name: 'Production', kind: 'cluster', createdAt: instant(0) })
})
afterEach(() => septet.close())

/** A run whose owner is warned for a day. */
async function warned(): Promise<ActionRun> {
  const now = Date.now()
  const run = runOf('action-1', { cluster: 'production', object: 'workload/team/Deployment/<chat>', states: [] })
  const states: readonly RunState[] = ['approved', 'checked', 'rehearsed', 'warned']
  await septet.store.actions.propose({ ...run, transitions: [step(1, 'proposed', now)] })
  for (const [index, state] of states.entries()) {
    await septet.store.actions.advance(run.id, step(index + 2, state, now))
  }
  return runNow()
}
const step = (number: number, state: RunState, now: number) => ({
  number,
  state,
  at: instant(now),
  by: 'septet',
  because: `It is ${state}.`,
  until: instant(now + DAY_MS),
})
async function runNow(): Promise<ActionRun> {
  const run = await septet.store.actions.get('action-1')
  if (run === undefined) throw new Error('it is gone')
  return run
}

/** The link that a channel is told. */
async function linkTold(): Promise<string> {
  const mark = { shown: 'x', sealedTarget: '', sealedSecret: null, changedAt: 0, changedBy: 'admin' }
  await writeChannels(septet.store.settings, [{ id: 'chat', kind: 'slack', ...mark }])
  const rules = DEFAULT_ALERT_RULES
  await writeAlertRules(septet.store.settings, { ...rules, 'idle-held': { ...rules['idle-held'], channels: ['chat'] } })
  const told = () => septet.store.alerts.deliveries.list({ limit: 10 })
  const heard = () => septet.events.publish({ kind: 'actions', cluster: 'production', asOf: '' })
  heard()
  const [delivery] = await vi.waitFor(async () => {
    const found = await told()
    expect(found).toHaveLength(1)
    return found
  }, 60_000)
  heard()
  const message = AlertMessageSchema.parse(delivery?.content)
  expect(message.title).toMatch(/^team\/<chat> will be stopped on \d{4}-\d\d-\d\d \d\d:\d\d UTC$/u)
  expect(await told()).toHaveLength(1)
  return /https?:\/\/\S+\/keep\/\S+/u.exec(message.alerts[0]?.advice ?? '')?.[0] ?? ''
}

const keep = (link: string, name: string): Promise<Response> =>
  fetch(link, { method: 'POST', body: new URLSearchParams({ name }) })

describe('whoever is warned in a channel', () => {
  test('keeps the work by a link that asks first, once', async () => {
    await warned()
    const link = await linkTold()
    const page = await fetch(link)
    expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(await page.text()).toContain('Keep team/&lt;chat&gt;?')
    // A preview, a scanner or a prefetch of the link keeps nothing.
    await fetch(link, { method: 'HEAD' })
    expect(stateOf(await runNow()).state).toBe('warned')
    expect((await keep(link, '  ')).status).toBe(400)
    const kept = await keep(link, 'Ann of search')
    expect([kept.status, await kept.text()]).toEqual([200, expect.stringContaining('is kept')])
    const { state, by, because, until } = stateOf(await runNow())
    expect([state, by]).toEqual(['cancelled', 'link: Ann of search'])
    expect(because).toMatch(/^Ann of search keeps it until \d{4}-\d\d-\d\d, by the link of the warning\.$/u)
    expect(until).toBeGreaterThan(Date.now() + 29 * DAY_MS)
    const again = await keep(link, 'Ann of search')
    expect([again.status, await again.text()]).toEqual([410, expect.stringContaining('This link has expired')])
  })

  test('cannot use one that was changed, or that is of an action which is no longer warned of', async () => {
    const run = await warned()
    const link = await linkTold()
    const other = link.replace('action-1', 'action-2')
    expect((await fetch(other)).status).toBe(410)
    expect((await keep(`${link.slice(0, -1)}${link.endsWith('0') ? '1' : '0'}`, 'Ann')).status).toBe(410)
    await septet.store.actions.advance(run.id, step(run.transitions.length + 1, 'applying', Date.now()))
    expect((await keep(link, 'Ann')).status).toBe(410)
    expect(stateOf(await runNow()).state).toBe('applying')
  })
})
