import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import type { UsageRow } from '../../analyze/usage.ts'
import { HOUR_MS, instant, ratio, seconds, usdPerGpuHour } from '../../units.ts'
import { asking, at, CHAT, OPEN_POLICY, scripted } from './scripted-month.fixture.ts'
import type { ShadowQuestion } from './shadow.ts'
import { shadowMonth } from './shadow-month.ts'

const DAYS_10 = 240
const works = (from: number, to: number) => (hour: number) => (hour >= from && hour < to ? 'work' : 'idle')
const replay = (rows: readonly UsageRow[], change: Partial<ShadowQuestion> = {}, hours = DAYS_10) =>
  shadowMonth(asking(hours, rows, change))
const briefly = (month: ReturnType<typeof shadowMonth>) =>
  month.actions.map(({ object, doneAt, outcome, freed }) => [
    object.split('/')[3],
    (doneAt - at(0)) / HOUR_MS,
    outcome.kind,
    (outcome.at - at(0)) / HOUR_MS,
    freed.gpuHours,
  ])
const codes = (month: ReturnType<typeof shadowMonth>) => month.heldBack.map(({ code, objects }) => [code, objects])

const idleUntil40 = (hour: number) => (hour < 40 ? 'idle' : undefined)
const dark = (hour: number) => (hour >= 24 && hour < 30 ? 'unknown' : 'idle')

describe('what came after work would have been stopped', () => {
  test('it worked again within an hour: that would have been wrong', () => {
    const month = replay(scripted(60, { does: works(24, 60) }), {}, 60)
    expect(briefly(month)).toEqual([['chat', 24, 'came-back-at-once', 24, 0]])
    expect(month.totals).toMatchObject({ gpuHours: 0, usd: 0, outcomes: { 'came-back-at-once': 1 } })
  })

  test('it worked again later: the hours until then are freed, at the price of each', () => {
    const price = {
      id: 't4',
      cluster: undefined,
      pool: undefined,
      model: 'T4',
      source: 'x',
      asOf: at(0),
      origin: 'operator',
    } as const
    const prices = [
      { ...price, price: usdPerGpuHour(2) },
      { ...price, id: 'later', price: usdPerGpuHour(5), effectiveFrom: at(30) },
    ]
    const month = replay(scripted(60, { does: works(34, 60), pods: 2 }), { prices }, 60)
    expect(briefly(month)).toEqual([['chat', 24, 'came-back-later', 34, 20]])
    expect(month.totals).toMatchObject({ objects: 1, gpuHours: 20, usd: 2 * (6 * 2 + 4 * 5), unpriced: 0 })
    expect(month.actions[0]).toMatchObject({
      pods: 2,
      gpus: 2,
      nodes: ['node-a'],
      evidence: { figures: { 'idle in a row, h': 24 } },
    })
  })

  test('it ended, or it idles to this day', () => {
    expect(briefly(replay(scripted(60, { does: idleUntil40 }), {}, 60))).toEqual([['chat', 24, 'ended', 40, 16]])
    expect(briefly(replay(scripted(60, { does: () => 'idle' }), {}, 60))).toEqual([['chat', 24, 'still-idle', 60, 36]])
  })

  test('nobody measured the hour after, or it is not over: not known, and nothing is freed in what is unknown', () => {
    expect(replay(scripted(60, { does: dark }), {}, 60)).toMatchObject({
      actions: [{ outcome: { kind: 'not-known' }, freed: { gpuHours: 30, unknownHours: 6 } }],
    })
    expect(briefly(replay(scripted(24, { does: () => 'idle' }), {}, 24))).toEqual([['chat', 24, 'not-known', 24, 0]])
  })

  test('hours in which nothing at all was recorded are unknown, and no end of the work', () => {
    const rows = scripted(60, { does: (hour) => (hour >= 30 && hour < 34 ? undefined : 'idle') })
    const recorded = Array.from({ length: 60 }, (_, hour) => hour).flatMap((hour) =>
      hour >= 30 && hour < 34 ? [] : at(hour),
    )
    expect(replay(rows, { recorded }, 60)).toMatchObject({
      actions: [{ outcome: { kind: 'still-idle' }, freed: { gpuHours: 32, unknownHours: 4 } }],
    })
  })

  test('work without a price frees hours, and no amount of money is made up', () => {
    expect(replay(scripted(60, { does: () => 'idle' }), { prices: [] }, 60).totals).toMatchObject({
      gpuHours: 36,
      usd: undefined,
      unpriced: 36,
    })
  })

  test('what came back may be stopped again, once it has idled again: its stopped hours are not idle hours', () => {
    const month = replay(scripted(120, { does: works(40, 60) }), {}, 120)
    expect(briefly(month)).toEqual([
      ['chat', 24, 'came-back-later', 40, 16],
      ['chat', 84, 'still-idle', 120, 36],
    ])
  })
})

describe('what is not done', () => {
  test('unknown is never idle', () => {
    expect(replay(scripted(DAYS_10, { does: () => 'unknown' })).actions).toEqual([])
    expect(replay(scripted(DAYS_10, { does: (hour) => (hour % 3 === 0 ? 'unknown' : 'idle') })).actions).toEqual([])
    expect(replay(scripted(DAYS_10, { does: (hour) => (hour % 3 === 0 ? undefined : 'idle') })).actions).toEqual([])
  })

  test('the owner is warned first; work that is used until the warning ends is left alone', () => {
    const policy = { ...OPEN_POLICY, warning: seconds(12 * 3600) }
    const used = replay(scripted(60, { does: works(30, 60) }), { policy }, 60)
    expect([used.actions, used.withdrawn]).toEqual([[], 1])
    const [idle] = replay(scripted(60, { does: () => 'idle' }), { policy }, 60).actions
    expect([idle?.proposedAt, idle?.doneAt]).toEqual([at(24), at(36)])
  })

  test('the budget of a day stops the third, and lets it go on the day after', () => {
    const day = { ...OPEN_POLICY.auto.budget.day, pods: 2 }
    const policy = { ...OPEN_POLICY, auto: { ...OPEN_POLICY.auto, budget: { ...OPEN_POLICY.auto.budget, day } } }
    const rows = ['a', 'b', 'c'].flatMap((name) =>
      scripted(80, { does: () => 'idle', workload: `lab/Deployment/${name}` }),
    )
    const month = replay(rows, { policy }, 80)
    expect(month.actions.map(({ doneAt }) => (doneAt - at(0)) / HOUR_MS)).toEqual([24, 24, 48])
    expect(codes(month)).toEqual([['auto-budget-day', 1]])
  })

  test('on one node first: a second node waits until the first change was kept', () => {
    const rows = ['a', 'b'].flatMap((name) =>
      scripted(60, { does: () => 'idle', workload: `lab/Deployment/${name}`, node: `node-${name}` }),
    )
    const month = replay(rows, {}, 60)
    expect(month.actions.map(({ doneAt }) => (doneAt - at(0)) / HOUR_MS)).toEqual([24, 25])
    expect(codes(month)).toEqual([['rollout-stage', 1]])
  })

  test('protected namespaces, labels, owners who keep their work, and what is only for its owner to end', () => {
    const rows = scripted(60, { does: () => 'idle' })
    const held = (change: Partial<ShadowQuestion>) => {
      const month = replay(rows, change, 60)
      expect(month.actions).toEqual([])
      return codes(month)
    }
    expect(held({ policy: { ...OPEN_POLICY, protectedNamespaces: ['la*'] } })).toEqual([['protected-namespace', 1]])
    const labels = new Map([[CHAT, { tier: 'gold' }]])
    expect(held({ policy: { ...OPEN_POLICY, protectedLabels: { tier: '*' } }, labels })).toEqual([
      ['protected-label', 1],
    ])
    expect(held({ labels: new Map([[CHAT, { 'septet.io/keep': 'true' }]]) })).toEqual([['kept', 1]])
    for (const workload of ['lab/Job/chat', 'lab/Pod/chat']) {
      expect(replay(scripted(60, { does: () => 'idle', workload }), {}, 60).actions).toEqual([])
    }
  })

  test('what is not sure enough, saves too little, or lies outside every window', () => {
    const rows = scripted(60, { does: () => 'idle' })
    const codesUnder = (policy: Partial<typeof OPEN_POLICY>) =>
      codes(replay(rows, { policy: { ...OPEN_POLICY, ...policy } }, 60))
    expect(codesUnder({ minimum: { ...OPEN_POLICY.minimum, confidence: ratio(0.9) } })).toEqual([
      ['not-sure-enough', 1],
    ])
    expect(codesUnder({ minimum: { ...OPEN_POLICY.minimum, usdPerMonth: 100_000 } })).toEqual([['saving-too-small', 1]])
    // 2026-06-01 is a Monday; the window opens on Sunday, after the record ends.
    const windows = [{ weekday: 6, from: 0, to: 60, zone: 'UTC' }] as const
    expect(codesUnder({ windows })).toEqual([['maintenance-window', 1]])
  })

  test('what was changed is left alone until it has cooled down', () => {
    const rows = scripted(80, { does: works(30, 31) })
    const stops = (hours: number) =>
      replay(rows, { policy: { ...OPEN_POLICY, coolDown: seconds(hours * 3600) } }, 80).actions.map(
        ({ doneAt }) => (doneAt - at(0)) / HOUR_MS,
      )
    // In the hour after it worked it may still work.
    expect(stops(0)).toEqual([24, 32])
    expect(stops(10)).toEqual([24, 34])
  })
})

const script = fc.array(fc.constantFrom('idle', 'idle', 'idle', 'idle', 'work', 'unknown', undefined), {
  minLength: 6,
  maxLength: 12,
})
/** Some workloads, each doing the same for half a day at a time. */
const fleet = fc.array(script, { minLength: 1, maxLength: 4 }).map((scripts) =>
  scripts.flatMap((does, order) =>
    scripted(does.length * 12, {
      does: (hour) => does[Math.floor(hour / 12)],
      workload: `lab/Deployment/w${order}`,
      node: `node-${order % 2}`,
      pods: 1 + (order % 2),
    }),
  ),
)
const LENGTH = 144

test('the same rows in any order give the same month', () => {
  fc.assert(
    fc.property(
      fleet.chain((rows) => fc.tuple(fc.constant(rows), fc.shuffledSubarray(rows, { minLength: rows.length }))),
      ([rows, shuffled]) => {
        expect(replay(shuffled, {}, LENGTH)).toEqual(replay(rows, {}, LENGTH))
      },
    ),
    { numRuns: 25 },
  )
})

/** What was done up to a moment, without what came of it. */
const decided = ({ actions }: ReturnType<typeof shadowMonth>, before: number) =>
  actions.filter(({ doneAt }) => doneAt <= before).map(({ freed: _freed, outcome: _outcome, ...decision }) => decision)

test('what was decided does not depend on what came later', () => {
  fc.assert(
    fc.property(fleet, fc.integer({ min: 24, max: LENGTH }), (rows, cut) => {
      const policy = { ...OPEN_POLICY, warning: seconds(6 * 3600) }
      const short = replay(
        rows.filter((row) => row.at < at(cut)),
        { policy },
        cut,
      )
      expect(decided(replay(rows, { policy }, LENGTH), at(cut))).toEqual(decided(short, instant(Infinity)))
    }),
    { numRuns: 25 },
  )
})
