import { describe, expect, it } from 'vitest'

import { boardFor } from '../../gpu/known-boards.ts'
import { isFeasible } from '../../gpu/layout.ts'
import { ratio } from '../../units.ts'
import { heroShares, type HeroJobOptions } from './hero-jobs.ts'
import { heroPlan, type HeroNote, type HeroPlan } from './hero-stream.ts'

const board = boardFor('A100-SXM4-80GB')
if (board === undefined) throw new Error('the A100-80GB is a known board')
const options: HeroJobOptions = { seed: 3, board, voices: 12, mix: ratio(0.2) }

const tenHours = (changed: Partial<HeroJobOptions>): HeroPlan => heroPlan({ ...options, ...changed }, 600)

const what = (notes: readonly HeroNote[]) =>
  notes.map(({ id, name, from, until, busy }) => [id, name, from, until, busy])

const runningAt = (notes: readonly HeroNote[], time: number): readonly HeroNote[] =>
  notes.filter(({ from, until }) => from <= time && time < until)

const gpuMinutes = (notes: readonly HeroNote[]): number =>
  notes.reduce((sum, { from }) => sum + new Set(runningAt(notes, from).map(({ gpu }) => gpu)).size, 0)

describe('heroPlan', () => {
  it('runs the same workloads at the same times in both rows', () => {
    for (const mix of [0, 0.5, 1]) {
      const { whole, mig } = tenHours({ mix: ratio(mix) })
      expect(what(mig)).toEqual(what(whole))
      expect(mig.length).toBeGreaterThan(50)
    }
  })

  it('needs fewer GPUs for small workloads once they are cut, in every seed', () => {
    for (const seed of [1, 2, 3, 4, 5]) {
      const { whole, mig } = tenHours({ seed })
      expect(gpuMinutes(mig)).toBeLessThan(0.7 * gpuMinutes(whole))
    }
  })

  it('never needs more GPUs than whole ones would be, in no mix', () => {
    for (const mix of [0, 0.3, 0.6, 1]) {
      const { whole, mig } = tenHours({ mix: ratio(mix) })
      for (const { from } of mig) {
        const used = (notes: readonly HeroNote[]) => new Set(runningAt(notes, from).map(({ gpu }) => gpu)).size
        expect(used(mig)).toBeLessThanOrEqual(used(whole))
      }
    }
  })

  it('shows at every moment only layouts that the board can have', () => {
    for (const seed of [1, 2, 3]) {
      const { mig } = tenHours({ seed, mix: ratio(0.4) })
      for (const { from, gpu } of mig) {
        const beside = runningAt(mig, from).filter((note) => note.gpu === gpu)
        const layout = beside.map(({ profile, start, size }) => ({ profile, placement: { start, size } }))
        expect(isFeasible(board, layout)).toEqual({ kind: 'feasible' })
      }
    }
  })

  it('gives a whole GPU to one workload at a time', () => {
    const { whole } = tenHours({})
    for (const { from, gpu } of whole) {
      expect(runningAt(whole, from).filter((note) => note.gpu === gpu)).toHaveLength(1)
    }
  })

  it('is the same for the same seed, and a longer one begins with a shorter one', () => {
    const { whole, mig } = heroPlan(options, 300)
    const longer = heroPlan(options, 600)
    expect(longer.mig.length).toBeGreaterThan(mig.length)
    expect({ whole: longer.whole.slice(0, whole.length), mig: longer.mig.slice(0, mig.length) }).toEqual({ whole, mig })
  })

  it('keeps the times of the workloads when only the mix changes', () => {
    const times = [0, 1].map((mix) => tenHours({ mix: ratio(mix) }).whole.map(({ from, until }) => [from, until]))
    expect(times[1]).toEqual(times[0])
  })
})

describe('heroShares', () => {
  it.each([0, 0.35, 1])('are all of the workloads at %d', (mix) => {
    expect(heroShares(ratio(mix)).reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 12)
  })
})
