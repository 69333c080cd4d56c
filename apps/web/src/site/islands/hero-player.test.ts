import { boardFor } from '@septet/domain'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { cutAt, MINUTES_PER_TICK, OPENING, PAST, SPAN, TICK_MILLISECONDS } from './hero-picture.ts'
import { HeroPlayer, type HeroScene } from './hero-player.ts'
import { heroOpening } from '../sections/hero-opening.ts'

const board = boardFor('A100-SXM4-80GB')
if (board === undefined) throw new Error('the A100-80GB is a known board')

const played = (): { readonly player: HeroPlayer; readonly scenes: HeroScene[] } => {
  const scenes: HeroScene[] = []
  return { player: new HeroPlayer({ seed: 2, board, voices: 12 }, (scene) => scenes.push(scene)), scenes }
}

describe('HeroPlayer', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('shows a new plan at once', () => {
    const { player, scenes } = played()
    player.planAnew(0.3)
    player.planAnew(0.9)
    expect(scenes.map(({ plan }) => plan)).toEqual([0, 1])
    const [small, large] = scenes.map(({ picture }) => picture.mig.gpus)
    expect(large ?? 0).toBeGreaterThan(small ?? 0)
  })

  it('tells the median time of five plans, and no time before', () => {
    const ends = [900, 40, 10, 30, 20, 7, 7, 7, 7, 7]
    let clock = 0
    let calls = 0
    // The clock is read before a plan and after it.
    vi.spyOn(performance, 'now').mockImplementation(() => (clock += calls++ % 2 === 0 ? 0 : (ends[calls / 2 - 1] ?? 0)))
    const { player, scenes } = played()
    player.planAnew(0.3)
    expect(scenes.map(({ planned }) => planned)).toEqual([undefined])
    vi.advanceTimersByTime(TICK_MILLISECONDS)
    expect(scenes.map(({ planned }) => planned)).toEqual([undefined, 30])
    player.planAnew(0.9)
    player.planAnew(0.3)
    vi.advanceTimersByTime(TICK_MILLISECONDS)
    expect(scenes.map(({ plan }) => plan)).toEqual([0, 0, 1, 2, 2])
    vi.restoreAllMocks()
  })

  it('moves on while it plays, and only then', () => {
    const { player, scenes } = played()
    player.planAnew(0.3)
    vi.advanceTimersByTime(5 * TICK_MILLISECONDS)
    expect(scenes.every(({ picture }) => picture.from === OPENING)).toBe(true)
    scenes.length = 0
    player.play()
    player.play()
    vi.advanceTimersByTime(3 * TICK_MILLISECONDS)
    player.pause()
    vi.advanceTimersByTime(5 * TICK_MILLISECONDS)
    expect(scenes.map(({ picture }) => picture.from)).toEqual(
      [1, 2, 3].map((tick) => OPENING + tick * MINUTES_PER_TICK),
    )
  })

  it('has what comes into view planned before it does, for hours', () => {
    const { player, scenes } = played()
    player.planAnew(0.3)
    player.play()
    vi.advanceTimersByTime(300 * TICK_MILLISECONDS)
    for (const { picture } of scenes) {
      const edge = picture.from + SPAN
      expect(Math.max(...picture.mig.notes.map(({ until }) => until))).toBeGreaterThan(edge)
      expect(picture.mig.notes.every(({ until }) => until > picture.from)).toBe(true)
      expect(picture.bound ?? 0).toBeLessThanOrEqual(picture.mig.gpus)
    }
  })
})

describe('the opening', () => {
  it('is what the browser plans first, to a tenth of a minute', () => {
    const { opening, mix, ...workload } = heroOpening()
    const scenes: HeroScene[] = []
    new HeroPlayer(workload, (scene) => scenes.push(scene)).planAnew(mix)
    const picture = scenes[0]?.picture
    expect(picture).toBeDefined()
    expect({ ...opening, whole: { ...opening.whole, notes: [] }, mig: { ...opening.mig, notes: [] } }).toEqual({
      ...picture,
      whole: { ...picture?.whole, notes: [] },
      mig: { ...picture?.mig, notes: [] },
    })
    for (const row of ['whole', 'mig'] as const) {
      expect(opening[row].notes.map(({ id, gpu, start }) => [id, gpu, start])).toEqual(
        picture?.[row].notes.map(({ id, gpu, start }) => [id, gpu, start]),
      )
      for (const [index, { from }] of opening[row].notes.entries()) {
        expect(Math.abs(from - (picture?.[row].notes[index]?.from ?? 0))).toBeLessThanOrEqual(0.051)
      }
    }
  })
})

describe('cutAt', () => {
  it('tells how a GPU is cut, large instances first', () => {
    const { opening } = heroOpening()
    const cuts = [0, 1, 2].map((gpu) => cutAt(opening.mig.notes, gpu, opening.from + PAST))
    for (const [gpu, cut] of cuts.entries()) {
      const running = opening.mig.notes.filter(
        (note) => note.gpu === gpu && note.from <= opening.from + PAST && note.until > opening.from + PAST,
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
