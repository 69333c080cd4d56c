import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { HOUR_MS, MINUTE_MS, instant, ratio } from '../units.ts'
import type { Alert } from './alert.ts'
import { type AlertRules, DEFAULT_ALERT_RULES } from './alert-rule.ts'
import { CLEAR_MS, evaluateAlerts } from './evaluate-alerts.ts'
import { markTold, noticesOf } from './notices.ts'
import { judgeCeiling, judgeFloor, type Observation } from './observation.ts'

const START = 1_795_000_000_000
const rulesWith = (change: Partial<AlertRules['idle-held']>): AlertRules => ({
  ...DEFAULT_ALERT_RULES,
  'idle-held': { ...DEFAULT_ALERT_RULES['idle-held'], channels: ['chat'], ...change },
})
const RULES = rulesWith({ forMinutes: 10 })

const seen = (verdict: Observation['verdict'], object = 'workload/a/Job/x'): Observation => ({
  kind: 'idle-held',
  object,
  namespace: 'a',
  tenant: undefined,
  verdict,
  figure: { value: 9, threshold: 8, unit: 'hours', coverage: ratio(1) },
  title: 'x holds 1 GPU idle',
  message: 'It does.',
  advice: 'Stop it.',
})

type Step = { readonly minute: number; readonly see: Observation['verdict'] | 'gone' | 'nothing' }

/** Runs steps as Septet does, with what is kept going through JSON between them, as over a restart. */
function run(steps: readonly Step[], rules: AlertRules = RULES) {
  let kept = new Map<string, Alert>()
  const sent: { readonly about: string; readonly minute: number }[] = []
  for (const { minute, see } of steps) {
    const now = instant(START + minute * MINUTE_MS)
    const current = [...kept.values()].filter(
      ({ status, silence }) => status !== 'resolved' || (silence?.until ?? 0) > now,
    )
    const observed =
      see === 'nothing'
        ? {}
        : { 'idle-held': { observations: see === 'gone' ? [] : [seen(see)], complete: true } as const }
    const changed = evaluateAlerts({ cluster: 'c', now, rules, observed, current })
    for (const alert of changed) kept.set(alert.id, alert)
    const notices = noticesOf([...kept.values()], { rules, channels: new Set(['chat']), now })
    for (const { about, alerts } of notices) {
      sent.push({ about, minute })
      for (const alert of alerts) kept.set(alert.id, markTold(alert, now))
    }
    kept = new Map([...kept].map(([id, alert]) => [id, JSON.parse(JSON.stringify(alert)) as Alert]))
  }
  return { alerts: [...kept.values()], sent }
}
const every = (see: Step['see'], from: number, to: number): Step[] =>
  Array.from({ length: to - from + 1 }, (_, order) => ({ minute: from + order, see }))

describe('an alert', () => {
  test('fires after the time of its rule, once, and tells its end once', () => {
    const { sent } = run([...every('breach', 0, 30), ...every('clear', 31, 60)])
    expect(sent).toEqual([
      { about: 'firing', minute: 10 },
      { about: 'resolved', minute: 31 + CLEAR_MS / MINUTE_MS },
    ])
  })

  test('does not fire on what lasted for less', () => {
    expect(run([...every('breach', 0, 9), ...every('clear', 10, 20)]).sent).toEqual([])
    expect(run([...every('breach', 0, 9), ...every('between', 10, 11), ...every('breach', 12, 21)]).sent).toEqual([])
  })

  test('that comes and goes within minutes is one alert', () => {
    const flapping = every('breach', 0, 120).map((step) =>
      step.minute > 10 && step.minute % 3 === 0 ? { ...step, see: 'clear' as const } : step,
    )
    expect(run(flapping).sent).toEqual([{ about: 'firing', minute: 10 }])
  })

  test('ends when its object is gone, and not when nobody looked', () => {
    expect(run([...every('breach', 0, 11), ...every('gone', 12, 30)]).sent).toHaveLength(2)
    expect(run([...every('breach', 0, 11), ...every('nothing', 12, 30)]).sent).toHaveLength(1)
  })

  test('stays while nothing is known, and goes on from there', () => {
    const { sent, alerts } = run([
      ...every('breach', 0, 11),
      ...every('unknown', 12, 500),
      ...every('breach', 501, 505),
    ])
    expect(sent).toHaveLength(1)
    expect(alerts).toHaveLength(1)
  })

  test('what was unknown for long does not count as having lasted', () => {
    const steps = [{ minute: 0, see: 'breach' as const }, ...every('unknown', 1, 60), ...every('breach', 61, 75)]
    expect(run(steps).sent).toEqual([{ about: 'firing', minute: 71 }])
  })

  test('a rule that is turned off or narrowed ends it at once', () => {
    const now = instant(START + 20 * MINUTE_MS)
    const [firing] = run(every('breach', 0, 10)).alerts
    const current = firing === undefined ? [] : [firing]
    const observed = { 'idle-held': { observations: [seen('breach')], complete: true } }
    for (const change of [
      { enabled: false },
      { scope: { clusters: [], namespaces: ['b'], tenants: [] } },
      { scope: { clusters: ['other'], namespaces: [], tenants: [] } },
    ]) {
      const turn = { cluster: 'c', now, rules: rulesWith(change), observed, current }
      expect(evaluateAlerts(turn)).toMatchObject([{ status: 'resolved', ending: 'rule-changed' }])
    }
  })

  test('a clock that goes back makes it wait again, and it fires all the same', () => {
    const back = [...every('breach', 0, 5), ...every('breach', -600, -580)]
    expect(run(back).sent).toEqual([{ about: 'firing', minute: -590 }])
  })

  test('a silence is taken over when it comes back, and what it hid is told when it ends', () => {
    const now = instant(START)
    const rules = rulesWith({ forMinutes: 0 })
    const observed = { 'idle-held': { observations: [seen('breach')], complete: true } }
    const silence = { by: 'a', at: now, reason: 'known', until: instant(START + HOUR_MS) }
    const [first] = evaluateAlerts({ cluster: 'c', now, rules, observed, current: [] })
    if (first === undefined) throw new Error('it did not begin')
    const over = { ...first, status: 'resolved' as const, silence }
    const [again] = evaluateAlerts({ cluster: 'c', now: instant(now + 1), rules, observed, current: [over] })
    expect(again).toMatchObject({ status: 'firing', silence })
    const tell = (minute: number) =>
      noticesOf([again ?? over], { rules, channels: new Set(['chat']), now: instant(START + minute * MINUTE_MS) })
    expect(tell(59)).toEqual([])
    expect(tell(61)).toHaveLength(1)
  })
})

const VERDICTS = ['breach', 'between', 'clear', 'unknown', 'gone', 'nothing'] as const
const steps = (verdicts: readonly Step['see'][]) =>
  fc
    .array(fc.record({ gap: fc.integer({ min: -30, max: 40 }), see: fc.constantFrom(...verdicts) }), { maxLength: 60 })
    .map((list) => {
      let minute = 0
      return list.map(({ gap, see }): Step => ({ minute: (minute += gap), see }))
    })

describe('whatever is seen, with any clock', () => {
  test('nobody is told twice of one thing, and of no end without a beginning', () => {
    fc.assert(
      fc.property(steps(VERDICTS), (list) => {
        const abouts = run(list).sent.map(({ about }) => about)
        expect(abouts).toEqual(abouts.map((_, order) => (order % 2 === 0 ? 'firing' : 'resolved')))
      }),
    )
  })

  test('nothing fires unless it was seen to be broken', () => {
    fc.assert(
      fc.property(steps(['between', 'clear', 'unknown', 'gone', 'nothing']), (list) => {
        expect(run(list).alerts).toEqual([])
      }),
    )
  })

  test('there is at most one open alert of an object', () => {
    fc.assert(
      fc.property(steps(VERDICTS), (list) => {
        expect(run(list).alerts.filter(({ status }) => status !== 'resolved').length).toBeLessThanOrEqual(1)
      }),
    )
  })
})

test('many alerts are one message to a channel, the most severe first', () => {
  const now = instant(START)
  const rules = {
    ...rulesWith({ forMinutes: 0 }),
    xid: { ...DEFAULT_ALERT_RULES.xid, channels: ['chat', 'mail', 'gone'] },
  }
  const observed = {
    'idle-held': { observations: ['a', 'b', 'c'].map((name) => seen('breach', name)), complete: true },
    xid: { observations: [{ ...seen('breach', 'gpu/1'), kind: 'xid' as const }], complete: true },
  }
  const alerts = evaluateAlerts({ cluster: 'c', now, rules, observed, current: [] })
  const notices = noticesOf(alerts, { rules, channels: new Set(['chat', 'mail']), now })
  expect(notices.map(({ channel, alerts: told }) => [channel, told.map(({ object }) => object)])).toEqual([
    ['chat', ['gpu/1', 'a', 'b', 'c']],
    ['mail', ['gpu/1']],
  ])
})

test('a value must go back by a tenth before it is well again', () => {
  expect([8, 7.9, 7.3, 7.2, 7.1].map((value) => judgeCeiling(value, 8))).toEqual([
    'breach',
    'between',
    'between',
    'clear',
    'clear',
  ])
  expect([29.9, 30, 32.9, 33].map((value) => judgeFloor(value, 30))).toEqual(['breach', 'between', 'between', 'clear'])
})

/** One alert that fires now, about an object. */
function firingAbout(object: string): Alert {
  const turn = {
    cluster: 'c',
    now: instant(START),
    rules: rulesWith({ forMinutes: 0 }),
    observed: { 'idle-held': { observations: [seen('breach', object)], complete: true } },
    current: [],
  }
  const [alert] = evaluateAlerts(turn)
  if (alert === undefined) throw new Error('it did not fire')
  return alert
}

/** What becomes of an alert that fires, an hour later. */
const anHourLater = (alert: Alert, verdict: Observation['verdict'], rules: AlertRules) =>
  evaluateAlerts({
    cluster: 'c',
    now: instant(START + HOUR_MS),
    rules,
    observed: { 'idle-held': { observations: [seen(verdict, alert.object)], complete: true } },
    current: [alert],
  })

describe('an alert that fires', () => {
  test('goes on at what is neither bad enough to fire nor good enough to end, with its newest figure', () => {
    const rules = rulesWith({ forMinutes: 0, severity: 'critical' })
    expect(anHourLater(firingAbout('a'), 'between', rules)).toMatchObject([
      { status: 'firing', since: START, seenAt: START + HOUR_MS, severity: 'critical' },
    ])
  })

  test('is known again by what it is about, however long the name of that is', () => {
    const long = ['a', 'b'].map((end) => firingAbout(`workload/${'team/'.repeat(100)}${end}`))
    expect(long.every(({ fingerprint }) => fingerprint.length <= 300)).toBe(true)
    expect(new Set(long.map(({ fingerprint }) => fingerprint)).size).toBe(2)
    const [first] = long
    expect(first && anHourLater(first, 'breach', rulesWith({}))).toMatchObject([{ id: first?.id, status: 'firing' }])
  })

  test('ends where its rule is narrowed to tenants, and it is none’s', () => {
    const rules = rulesWith({ scope: { clusters: ['c'], namespaces: ['a'], tenants: ['research'] } })
    expect(anHourLater(firingAbout('a'), 'breach', rules)).toMatchObject([{ ending: 'rule-changed' }])
  })
})

describe('people are told', () => {
  const channels = new Set(['chat'])
  const by = { by: 'ann', at: instant(START), reason: 'known' }
  const about = (alert: Alert) =>
    noticesOf([alert], { rules: RULES, channels, now: instant(START) }).map((notice) => notice.about)

  test('of what nobody has acknowledged yet, and of its end where they were told that it began', () => {
    const firing = firingAbout('a')
    expect(about(firing)).toEqual(['firing'])
    expect(about({ ...firing, acknowledgement: by })).toEqual([])
    const told = markTold(firing, instant(START))
    expect(about(told)).toEqual([])
    const over = { ...told, status: 'resolved' as const, acknowledgement: by }
    expect(about(over)).toEqual(['resolved'])
    expect(about(markTold(over, instant(START + 1)))).toEqual([])
    expect(about({ ...firing, status: 'resolved' })).toEqual([])
  })

  test('nothing by a channel that is gone', () => {
    const notices = noticesOf([firingAbout('a')], { rules: RULES, channels: new Set(['mail']), now: instant(START) })
    expect(notices).toEqual([])
  })
})
