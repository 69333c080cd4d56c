import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { createAgenda } from './agenda.ts'

describe('the agenda', () => {
  test('lets things happen by time, and at one time in the order they were set', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 20 })), fc.nat({ max: 20 }), (times, until) => {
        const agenda = createAgenda()
        const seen: { time: number; index: number }[] = []
        for (const [index, time] of times.entries()) {
          agenda.at(time, () => {
            expect(agenda.happening()).toBe(time)
            seen.push({ time, index })
          })
        }
        agenda.runUntil(until)
        const due = times.map((time, index) => ({ time, index })).filter(({ time }) => time <= until)
        expect(seen).toEqual(due.toSorted((a, b) => a.time - b.time || a.index - b.index))
        expect(agenda.happening()).toBeUndefined()
      }),
      { seed: 1 },
    )
  })

  test('what happens may set what happens next, even at once', () => {
    const agenda = createAgenda()
    const seen: string[] = []
    agenda.at(1, () => {
      seen.push('first')
      agenda.at(1, () => seen.push('at once'))
      agenda.at(3, () => seen.push('later'))
    })
    agenda.runUntil(2)
    expect(seen).toEqual(['first', 'at once'])
  })

  test('settles after the last of each second, before the next begins', () => {
    const agenda = createAgenda()
    const seen: string[] = []
    for (const time of [100, 200, 1500]) agenda.at(time, () => seen.push(`${time}`))
    agenda.runUntil(2000, () => seen.push(`settled at ${agenda.happening()}`))
    expect(seen).toEqual(['100', '200', 'settled at 200', '1500', 'settled at 1500'])
  })
})
