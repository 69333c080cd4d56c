import { describe, expect, test } from 'vitest'

import { daysTouching } from '../analyze/time-range.ts'
import { instant } from '../units.ts'
import { type Budget, budgetState, type DayCost, monthOutlook } from './budget.ts'

const ZONE = 'Europe/Berlin'
// oxlint-disable-next-line no-restricted-globals -- a test reads instants as people write them
const at = (text: string) => instant(Date.parse(text))
const NOW = at('2026-10-21T10:00:00Z')
const DAYS = daysTouching(ZONE, { from: at('2026-09-14T12:00:00Z'), to: at('2026-10-31T12:00:00Z') })
const BUDGET: Budget = {
  id: 'all',
  cluster: 'demo',
  scope: { kind: 'cluster' },
  usdPerMonth: 3000,
  thresholds: [50, 80, 100],
  zone: ZONE,
}

/** $100 on every day that is over, half of it so far today. */
const costed = (change: (day: DayCost) => number | undefined = ({ usd }) => usd): DayCost[] =>
  DAYS.map((day) => {
    const usd = day.window.to <= NOW ? 100 : day.window.from <= NOW ? 50 : undefined
    const changed = change({ ...day, usd, seen: 1 })
    return { ...day, usd: changed, seen: changed === undefined ? 0 : 1 }
  })
const sources = (days = costed()) => ({ days, month: '2026-10', now: NOW })

describe('a budget', () => {
  test('is spent so far, will be spent by the end, and is used up on a day', () => {
    const state = budgetState(BUDGET, sources())
    expect(state.spent).toBe(2050)
    expect(state.share).toBeCloseTo(0.6833, 3)
    expect(state.reached).toEqual([50])
    expect(state.expectedToReach).toEqual([80, 100])
    // Twenty days and a half are spent, ten and a half are to come.
    expect(state.forecast).toMatchObject({ kind: 'known', usd: 3100 })
    expect(state.usedUp).toEqual({ date: '2026-10-30', isOver: false })
  })

  test('that was used up says when', () => {
    expect(budgetState({ ...BUDGET, usdPerMonth: 1500 }, sources()).usedUp).toEqual({
      date: '2026-10-15',
      isOver: true,
    })
    expect(budgetState({ ...BUDGET, usdPerMonth: 2040 }, sources()).usedUp).toEqual({
      date: '2026-10-21',
      isOver: true,
    })
    expect(budgetState({ ...BUDGET, usdPerMonth: 9000 }, sources()).usedUp).toBeUndefined()
  })

  test('unknown days are not free: they are counted apart and expected to have cost what others do', () => {
    const gap = costed((day) => (day.date === '2026-10-10' || day.date === '2026-10-11' ? undefined : day.usd))
    const outlook = monthOutlook(sources(gap))
    expect(outlook).toMatchObject({ spent: 1850, unknownDays: 2, forecast: { usd: 3100 } })
  })

  test('a day of which half was seen counts as far as it was seen, and the rest is expected', () => {
    const half = costed().map((day) => (day.date === '2026-10-10' ? { ...day, usd: 50, seen: 0.5 } : day))
    expect(monthOutlook(sources(half))).toMatchObject({ spent: 2000, unknownDays: 1, forecast: { usd: 3100 } })
  })

  test('with less than a week of history nothing is foretold, and what was spent still stands', () => {
    const few = costed((day) => (day.date < '2026-10-17' ? undefined : day.usd))
    const state = budgetState(BUDGET, sources(few))
    expect(state).toMatchObject({ spent: 450, unknownDays: 16, forecast: { kind: 'unknown' }, usedUp: undefined })
    expect(state.expectedToReach).toEqual([])
    expect(state.spent).toBe(450)
  })

  test('nothing spent on days that nobody saw is not known; on days that were seen it is nothing', () => {
    expect(monthOutlook(sources(costed(() => undefined))).spent).toBeUndefined()
    expect(monthOutlook(sources(costed(() => 0))).spent).toBe(0)
    const unseen = DAYS.map((day) => ({ ...day, usd: undefined, seen: 0 }))
    const first = { ...sources(unseen), now: at('2026-10-01T10:00:00Z') }
    expect(monthOutlook(first)).toMatchObject({ spent: undefined, unknownDays: 0 })
  })
})
