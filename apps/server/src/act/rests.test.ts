import { instant, type RunState } from '@septet/domain'
import { actionRun, transition } from '@septet/storage/testing'
import { expect, test } from 'vitest'

import { Rests } from './actor.ts'

/** At which seconds of a minute a run is looked at that stands where it stood, by who could look ten times a second. */
function looksAt(state: RunState): readonly number[] {
  const rests = new Rests()
  const run = actionRun('one', { transitions: [transition(1, 'proposed'), transition(2, state, { at: instant(0) })] })
  return Array.from({ length: 600 }, (_, tenth) => tenth / 10).filter((second) => {
    const now = instant(second * 1000)
    const isDue = rests.isDue(run, now)
    if (isDue) rests.rest(run, now)
    return isDue
  })
}
const longestPause = (looks: readonly number[]): number =>
  Math.max(...looks.slice(1).map((second, index) => second - (looks[index] ?? 0)))

test('what was just approved is looked at every second, and later, as a rule holds it back, every five', () => {
  const looks = looksAt('approved')
  expect(longestPause(looks.filter((second) => second < 15))).toBeLessThanOrEqual(1.1)
  expect(longestPause(looks)).toBeCloseTo(5, 0)
  expect(looks.length).toBeLessThan(30)
})

test('what waits for the cluster is looked at every two seconds', () => {
  expect(longestPause(looksAt('applying'))).toBeCloseTo(2, 0)
})

test('what has moved on is looked at at once', () => {
  const rests = new Rests()
  const run = actionRun('one', { transitions: [transition(1, 'approved', { at: instant(0) })] })
  rests.rest(run, instant(0))
  expect(rests.isDue(run, instant(100))).toBe(false)
  const moved = { ...run, transitions: [...run.transitions, transition(2, 'checked')] as typeof run.transitions }
  expect(rests.isDue(moved, instant(100))).toBe(true)
})
