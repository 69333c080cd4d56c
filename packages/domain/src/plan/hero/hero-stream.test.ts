import { describe, expect, it } from 'vitest'

import { boardFor } from '../../gpu/known-boards.ts'
import { isFeasible } from '../../gpu/layout.ts'
import { usdPerGpuHour } from '../../units.ts'
import { heroStream } from './hero-stream.ts'
import type { HeroFrame } from './hero-stream.ts'

const board = boardFor('A100-SXM4-80GB')

const frames = (seed: number, gpus = 24): readonly HeroFrame[] => {
  const stream = heroStream({ seed, gpus, price: usdPerGpuHour(2) })
  return Array.from({ length: 120 }, () => stream.advance(5))
}

describe('heroStream', () => {
  it('runs the same workloads on fewer GPUs once they are cut, in every seed', () => {
    for (const seed of [1, 2, 3, 4, 5]) {
      const shown = frames(seed)
      const sum = (row: 'whole' | 'mig'): number => shown.reduce((total, frame) => total + frame[row].gpusUsed, 0)
      expect(sum('mig')).toBeLessThan(sum('whole'))
      const waiting = (row: 'whole' | 'mig'): number => shown.reduce((total, frame) => total + frame[row].waiting, 0)
      expect(waiting('mig')).toBeLessThanOrEqual(waiting('whole'))
    }
  })

  it('shows only layouts that the board can have, and money that follows from them', () => {
    for (const { mig, whole } of frames(7, 16)) {
      const verdicts = mig.gpus.map(({ instances }) => board !== undefined && isFeasible(board, instances).kind)
      expect(new Set(verdicts)).toEqual(new Set(['feasible']))
      for (const row of [mig, whole]) {
        expect(row.usdPerHour).toBe(2 * row.gpusUsed)
        expect(row.busy ?? 0).toBeLessThanOrEqual(1)
      }
    }
  })

  it('is the same for the same seed, however it is cut into frames', () => {
    const once = heroStream({ seed: 3, gpus: 16, price: usdPerGpuHour(2) }).advance(300)
    const often = heroStream({ seed: 3, gpus: 16, price: usdPerGpuHour(2) })
    for (let step = 0; step < 299; step += 1) often.advance(1)
    expect(often.advance(1)).toEqual(once)
  })

  it('catches up with a day at most, and stands still for what is no length of time', () => {
    const stream = heroStream({ seed: 3, gpus: 16, price: usdPerGpuHour(2) })
    expect(stream.advance(1e12).at).toBe(1440)
    expect([Number.NaN, -5, 0].map((minutes) => stream.advance(minutes).at)).toEqual([1440, 1440, 1440])
  })
})
