import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createBackOff } from './back-off.ts'

test('delays double to the cap, and start again after success', () => {
  const backOff = createBackOff({ base: 500, cap: 30_000, random: () => 0.999_999 })
  const delays = Array.from({ length: 9 }, () => Math.round(backOff.next()))
  expect(delays).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000])
  backOff.reset()
  expect(Math.round(backOff.next())).toBe(500)
})

test('five minutes without a server cost no more than twenty tries', () => {
  const backOff = createBackOff({ base: 500, cap: 30_000, random: () => 0.5 })
  let tries = 0
  for (let waited = 0; waited < 300_000; waited += backOff.next()) tries += 1
  expect(tries).toBeLessThanOrEqual(20)
})

test('whatever chance says, a delay lies between half its step and the step, and never above the cap', () => {
  const chances = fc.array(fc.double({ min: 0, max: 0.999_999, noNaN: true }), { minLength: 1, maxLength: 200 })
  fc.assert(
    fc.property(chances, (rolls) => {
      let at = 0
      const backOff = createBackOff({ base: 100, cap: 5000, random: () => rolls[at++] ?? 0 })
      rolls.forEach((_, step) => {
        const full = Math.min(5000, 100 * 2 ** step)
        const delay = backOff.next()
        expect(delay).toBeGreaterThanOrEqual(full / 2)
        expect(delay).toBeLessThanOrEqual(full)
      })
    }),
  )
})
