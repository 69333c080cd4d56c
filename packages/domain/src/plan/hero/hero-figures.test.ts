import { describe, expect, it } from 'vitest'

import { boardFor } from '../../gpu/known-boards.ts'
import { ratio } from '../../units.ts'
import { heroBound, heroFigures } from './hero-figures.ts'
import { heroPlan, type HeroNote } from './hero-stream.ts'

const board = boardFor('A100-SXM4-80GB')
if (board === undefined) throw new Error('the A100-80GB is a known board')

let id = 0
const note = (gpu: number, profile: string, times: readonly [number, number]): HeroNote => {
  const [from, until] = times
  const slices = Number(profile[0])
  return { id: (id += 1), name: 'job', profile, slices, busy: ratio(0.5), gpu, start: 0, size: slices, from, until }
}
const window = { from: 0, to: 100 }

describe('heroFigures', () => {
  it('counts the most GPUs at one time, and busy compute over all of theirs', () => {
    const notes = [note(0, '7g.80gb', [0, 100]), note(1, '1g.10gb', [20, 40]), note(2, '1g.10gb', [50, 70])]
    expect(heroFigures(notes, window, board)).toEqual({ gpus: 2, busy: (350 + 10 + 10) / (2 * 7 * 100) })
  })

  it('counts what began before the window and only the minutes inside it', () => {
    expect(heroFigures([note(0, '7g.80gb', [-50, 50])], window, board)).toEqual({ gpus: 1, busy: 0.25 })
  })

  it('does not call an empty window busy or idle', () => {
    expect(heroFigures([note(0, '7g.80gb', [100, 200])], window, board)).toEqual({ gpus: 0, busy: undefined })
  })
})

describe('heroBound', () => {
  it('is what the busiest moment needs, however well it is packed', () => {
    const three = [0, 1, 2].map((gpu) => note(gpu, '4g.40gb', [10, 20]))
    expect(heroBound(three, window, board)).toBe(3)
    const small = Array.from({ length: 8 }, (_, gpu) => note(gpu, '1g.10gb', [10, 20]))
    expect(heroBound(small, window, board)).toBe(2)
  })

  it('is never above what the stream needed', () => {
    for (const mix of [0, 0.2, 0.5, 1]) {
      const { mig } = heroPlan({ seed: 5, board, voices: 12, mix: ratio(mix) }, 720)
      for (let at = 60; at <= 720; at += 60) {
        const shown = { from: at - 210, to: at }
        const bound = heroBound(mig, shown, board)
        expect(bound).toBeGreaterThan(0)
        expect(bound ?? 0).toBeLessThanOrEqual(heroFigures(mig, shown, board).gpus)
      }
    }
  })

  it('asks for no GPU where nothing runs', () => {
    expect(heroBound([], window, board)).toBe(0)
  })
})
