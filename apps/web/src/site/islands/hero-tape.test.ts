import { boardFor, heroBound, heroFigures, heroPlan, ratio } from '@septet/domain'
import { describe, expect, it } from 'vitest'

import { reachOf } from '../../../../../test/reach.ts'
import { heroOpening, HERO_TAPE as tape } from '../sections/hero-recording.ts'
import {
  cutAt,
  HERO_TIMELINE,
  MINUTES_PER_TICK,
  OPENING,
  PAST,
  pictureAt,
  tapePlaceAt,
  POSITIONS,
  SHOWN,
  SPAN,
  TICKS,
} from './hero-tape.ts'

const board = boardFor('A100-SXM4-80GB')
if (board === undefined) throw new Error('the A100-80GB is a known board')

describe('the tape', () => {
  it.each([0, 7, 10, 20])('shows at position %i what the planner answers for that mix', (position) => {
    const plan = heroPlan({ seed: 172, board, voices: 12, mix: ratio(position / 20) }, 600)
    for (const tick of [0, 1, 44, TICKS - 1]) {
      const { from, notes, ...figures } = pictureAt(tape, position, tick)
      const window = { from, to: from + SPAN }
      const comesTo = (row: 'whole' | 'mig') => {
        const { gpus, busy } = heroFigures(plan[row], window, board)
        return { gpus, busy: Math.round((busy ?? 0) * 100) }
      }
      expect(from).toBe(OPENING + tick * MINUTES_PER_TICK)
      expect(figures).toEqual({
        workloads: plan.mig.filter((note) => note.until > window.from && note.from < window.to).length,
        bound: heroBound(plan.mig, window, board),
        whole: comesTo('whole'),
        mig: comesTo('mig'),
      })
      for (const row of ['whole', 'mig'] as const) {
        const seen = plan[row].filter(
          (note) => note.gpu < SHOWN[row] && note.until > from + 0.05 && note.from < window.to,
        )
        const drawn = notes[row].filter((note) => note.until > from + 0.05 && note.from < window.to)
        const what = ({ name, slices, gpu, start, size }: (typeof drawn)[number]) => [name, slices, gpu, start, size]
        expect(drawn.map(what)).toEqual(seen.map(what))
        for (const [index, { from: begins, until }] of drawn.entries()) {
          expect(Math.abs(begins - (seen[index]?.from ?? 0))).toBeLessThanOrEqual(0.051)
          expect(Math.abs(until - (seen[index]?.until ?? 0))).toBeLessThanOrEqual(0.051)
        }
      }
    }
  })

  it('follows the slider: larger workloads need more GPUs, the times stay', () => {
    const pictures = Array.from({ length: POSITIONS }, (_, position) => pictureAt(tape, position, 0))
    // Some neighbors are alike.
    expect(new Set(pictures.map(({ notes }) => JSON.stringify(notes))).size).toBeGreaterThan(POSITIONS / 2)
    expect(pictures.at(-1)?.mig.gpus ?? 0).toBeGreaterThan(pictures[0]?.mig.gpus ?? 0)
    const times = pictures.map(({ notes }) => notes.whole.map(({ from, until }) => [from, until]))
    expect(times.every((each) => JSON.stringify(each) === JSON.stringify(times[0]))).toBe(true)
  })

  it('has what comes into view planned before it does, and never fewer GPUs than the bound', () => {
    for (let position = 0; position < POSITIONS; position += 1)
      for (let tick = 0; tick < TICKS; tick += 1) {
        const { from, notes, bound, mig } = pictureAt(tape, position, tick)
        expect(Math.max(...notes.mig.map(({ until }) => until))).toBeGreaterThan(from + SPAN)
        expect(notes.mig.every(({ until }) => until > from)).toBe(true)
        expect(bound ?? 0).toBeLessThanOrEqual(mig.gpus)
      }
  })

  it('moves on once a tick, and begins again at its end', () => {
    expect(HERO_TIMELINE.untilChange(2300, false)).toBe(700)
    expect(tapePlaceAt(HERO_TIMELINE.later(2300, 700, false))).toEqual({ round: 0, tick: 3 })
    expect(tapePlaceAt(TICKS * 1000 - 1)).toEqual({ round: 0, tick: TICKS - 1 })
    expect(tapePlaceAt(TICKS * 1000)).toEqual({ round: 1, tick: 0 })
  })

  it('is what a page opens with', () => {
    const { opening, position } = heroOpening()
    expect(opening).toEqual(pictureAt(tape, position, 0))
    expect(position).toBe(10)
  })
})

describe('the script of the site', () => {
  it('has no planner in it', () => {
    const reached = [...reachOf(['apps/web/src/site/client.ts'])]
    expect(reached).toContain('apps/web/src/site/islands/Hero.tsx')
    expect(reached.filter((file) => file.startsWith('packages/domain/src/plan/'))).toEqual([])
  })
})

describe('cutAt', () => {
  it('tells how a GPU is cut, large instances first', () => {
    const { notes, from } = heroOpening().opening
    for (const gpu of [0, 1, 2]) {
      const cut = cutAt(notes.mig, gpu, from + PAST)
      const running = notes.mig.filter(
        (note) => note.gpu === gpu && note.from <= from + PAST && note.until > from + PAST,
      )
      const slices = (cut ?? '').split('+').flatMap((part) => {
        const [count, size] = part.includes('×') ? part.split('×').map(Number) : [1, Number(part)]
        return Array.from({ length: count ?? 0 }, () => size ?? 0)
      })
      const expected = running.map((note) => note.slices).toSorted((a, b) => b - a)
      expect(cut === undefined ? [] : slices).toEqual(expected)
    }
  })
})
