import { MINUTE_MS, instant, type ActionRun, type Instant } from '@septet/domain'
import { expect, test } from 'vitest'

import { keptFrom, runOf } from '../savings/scripted-usage.fixture.ts'
import { endOfWatch } from './watch-change.ts'

const VERIFIED = Date.UTC(2026, 10, 18, 14)
const at = (minutes: number): Instant => instant(VERIFIED + minutes * MINUTE_MS)
const UNKNOWN = { kind: 'unknown', because: 'The metrics engine is not responding.', since: at(12) } as const

/** Verified at 14:00 and watched for half an hour. */
function watched(): ActionRun {
  const run = runOf('r', { class: 'right-size', states: keptFrom(VERIFIED).slice(0, -1) })
  const [first, ...rest] = run.transitions
  const last = { ...(rest.at(-1) ?? first), at: at(0), until: at(30) }
  return { ...run, transitions: [first, ...rest.slice(0, -1), last] }
}
const after = (run: ActionRun, now: Instant, work: Parameters<typeof endOfWatch>[1]['work']): ActionRun => {
  const move = endOfWatch(run, { now, snapshot: undefined, work })
  if (move === undefined) return run
  const next = { ...move, number: run.transitions.length + 1, at: now, by: 'septet' }
  return { ...run, transitions: [...run.transitions, next] }
}
const last = (run: ActionRun) => run.transitions.at(-1)

test('a change is kept at the end of its watch where its work goes on, or nothing counts it', () => {
  expect(endOfWatch(watched(), { now: at(29), snapshot: undefined, work: { kind: 'fine' } })).toBeUndefined()
  for (const work of [{ kind: 'fine' } as const, undefined]) {
    const kept = { state: 'kept', because: 'Nothing got worse while it was monitored.' }
    expect(last(after(watched(), at(30), work))).toMatchObject(kept)
  }
})

test('while nobody can tell how its work goes it is watched once more as long, and then kept as not verified', () => {
  const longer = after(watched(), at(31), UNKNOWN)
  expect(last(longer)).toMatchObject({
    state: 'verified',
    because:
      'It is unclear whether the work runs as before: The metrics engine is not responding. Septet keeps monitoring.',
    until: at(61),
  })
  expect(after(longer, at(60), UNKNOWN)).toBe(longer)
  expect(last(after(longer, at(61), UNKNOWN))).toMatchObject({
    state: 'kept',
    because:
      'Not verified: no metrics since 2026-11-18 14:12 UTC. The metrics engine is not responding. Apart from its work nothing got worse.',
  })
})

test('once the engine tells again that its work goes on, it is kept as verified without waiting any longer', () => {
  const longer = after(watched(), at(31), UNKNOWN)
  expect(last(after(longer, at(40), { kind: 'fine' }))).toMatchObject({
    state: 'kept',
    because: 'Nothing got worse while it was monitored.',
  })
})
