import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { afterStep, NO_DRAFT, type DraftHistory, type DraftStep } from './draft-history.ts'

const wish = (id: number): DraftStep => ({
  kind: 'wish',
  targets: { [`GPU-${id}`]: { mig: true, layout: [] } },
  said: `GPU ${id} is cut.`,
})
const after = (...steps: readonly DraftStep[]): DraftHistory => steps.reduce(afterStep, NO_DRAFT)
const UNDO = { kind: 'undo' } as const
const REDO = { kind: 'redo' } as const

describe('a drafted layout', () => {
  test('is taken back step by step and done again, and each press says what it did', () => {
    const twice = after(wish(1), wish(2), UNDO)
    expect([twice.targets, twice.said]).toEqual([after(wish(1)).targets, 'Undone.'])
    const again = afterStep(twice, REDO)
    expect([again.targets, again.said]).toEqual([after(wish(2)).targets, 'Done again.'])
  })

  test('says so where there is nothing to take back or to do again, and stays', () => {
    expect(after(UNDO)).toEqual({ ...NO_DRAFT, said: 'Nothing to undo.' })
    expect(after(wish(1), REDO)).toEqual({ ...after(wish(1)), said: 'Nothing to redo.' })
  })

  test('that is changed after a step back has no way forward any more', () => {
    const changed = after(wish(1), UNDO, wish(2))
    expect(afterStep(changed, REDO).said).toBe('Nothing to redo.')
  })

  test('is not changed by what is only said', () =>
    expect(after(wish(1), { kind: 'say', said: 'It does not fit.' })).toEqual({
      ...after(wish(1)),
      said: 'It does not fit.',
    }))

  test('can be taken back two hundred steps and no more', () => {
    const long = after(...Array.from({ length: 250 }, (_, id) => wish(id)))
    expect(long.past).toHaveLength(200)
  })

  test('is as before after as many steps back as forward, whatever they were', () =>
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 5 }), { maxLength: 30 }), fc.nat({ max: 30 }), (ids, back) => {
        const drafted = after(...ids.map(wish))
        const steps = Math.min(back, ids.length)
        const backAndForth = [
          ...Array.from({ length: steps }, () => UNDO),
          ...Array.from({ length: steps }, () => REDO),
        ]
        expect({ ...backAndForth.reduce<DraftHistory>(afterStep, drafted), said: '' }).toEqual({ ...drafted, said: '' })
      }),
    ))
})
