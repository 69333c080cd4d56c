import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import { isTyped, typedAt, typingTimeline } from './TypingDemo.tsx'
import { copilotTimeline, sceneAt } from './copilot-timeline.ts'
import { openPlayback } from './playback.ts'

// The specification's figures, written out: the test must fail when the named constants are changed.
const LENGTHS = [100, 10, 50, 140]

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const passes = (milliseconds: number): void => void vi.advanceTimersByTime(milliseconds)

const open = () => {
  const playback = openPlayback(copilotTimeline(LENGTHS))
  playback.show(true)
  const seen = () => {
    const { card, elapsed } = playback.view().moment
    return { card, ...sceneAt(elapsed, LENGTHS[card] ?? 0) }
  }
  return { ...playback, seen }
}

describe('the co-pilot demo', () => {
  test('shows the prompt at 1,000 ms, then that it is typing, and the response from 3,000 ms', () => {
    const { seen } = open()
    passes(999)
    expect(seen()).toEqual({ card: 0, prompt: false, thinking: false, typed: 0 })
    passes(1)
    expect(seen()).toEqual({ card: 0, prompt: true, thinking: true, typed: 0 })
    passes(1999)
    expect(seen()).toEqual({ card: 0, prompt: true, thinking: true, typed: 0 })
    passes(1)
    expect(seen()).toEqual({ card: 0, prompt: true, thinking: false, typed: 1 })
  })

  test('types one character every 40 ms, to the last', () => {
    const { seen } = open()
    passes(3000)
    for (let typed = 1; typed < 100; typed += 1) {
      expect(seen().typed).toBe(typed)
      passes(39)
      expect(seen().typed).toBe(typed)
      passes(1)
    }
    expect(seen().typed).toBe(100)
    passes(1000)
    expect(seen().typed).toBe(100)
  })

  test('makes the next card active at 11,000 ms, and the first after the last', () => {
    const { seen } = open()
    const order: number[] = []
    for (let turn = 0; turn < 6; turn += 1) {
      order.push(seen().card)
      passes(10_999)
      expect(seen().card).toBe(order.at(-1))
      passes(1)
      expect(seen()).toMatchObject({ prompt: false, typed: 0 })
    }
    expect(order).toEqual([0, 1, 2, 3, 0, 1])
  })

  test('starts a chosen card from its beginning and goes on from there', () => {
    const { seen, jump } = open()
    passes(7000)
    jump({ card: 3, elapsed: 0, turn: 1 })
    expect(seen()).toEqual({ card: 3, prompt: false, thinking: false, typed: 0 })
    passes(3000)
    expect(seen()).toMatchObject({ card: 3, typed: 1 })
    passes(8000)
    expect(seen()).toMatchObject({ card: 0, prompt: false })
  })

  test('stands still while paused, and goes on where it stood', () => {
    const { seen, pause, play, view } = open()
    passes(3400)
    const before = seen()
    pause()
    expect(view()).toMatchObject({ playing: false, running: false })
    expect(vi.getTimerCount()).toBe(0)
    passes(60_000)
    expect(seen()).toEqual(before)
    play()
    passes(40)
    expect(seen()).toEqual({ ...before, typed: before.typed + 1 })
  })

  test('stands still in a hidden tab, also one that was paused before', () => {
    const { seen, show, pause, play, view } = open()
    passes(1500)
    show(false)
    expect(view()).toMatchObject({ playing: true, running: false })
    expect(vi.getTimerCount()).toBe(0)
    passes(60_000)
    show(true)
    passes(1499)
    expect(seen()).toMatchObject({ card: 0, thinking: true })
    passes(1)
    expect(seen()).toMatchObject({ thinking: false, typed: 1 })
    pause()
    show(false)
    show(true)
    passes(60_000)
    expect(seen()).toMatchObject({ card: 0, typed: 1 })
    play()
    passes(40)
    expect(seen().typed).toBe(2)
  })

  test('held by the keyboard, plays its card to the end and stays; released, goes on at once', () => {
    const { seen, hold } = open()
    hold(true)
    passes(60_000)
    expect(seen()).toEqual({ card: 0, prompt: true, thinking: false, typed: 100 })
    expect(vi.getTimerCount()).toBe(0)
    hold(false)
    passes(1)
    expect(seen()).toMatchObject({ card: 1, prompt: false })
  })

  test('leaves no timer behind when it is closed, and calls no listener any more', () => {
    const { subscribe, close, play, pause } = open()
    const listener = vi.fn<() => void>()
    subscribe(listener)
    passes(5000)
    expect(listener).toHaveBeenCalled()
    close()
    listener.mockClear()
    expect(vi.getTimerCount()).toBe(0)
    passes(60_000)
    pause()
    play()
    expect(vi.getTimerCount()).toBe(0)
    expect(listener.mock.calls.length).toBeLessThanOrEqual(2)
  })

  test('loses nothing when timers come late: what is shown follows from the time alone', () => {
    const timeline = copilotTimeline(LENGTHS)
    fc.assert(
      fc.property(fc.array(fc.nat(4000), { minLength: 1, maxLength: 40 }), (parts) => {
        const whole = timeline.later(
          timeline.start,
          parts.reduce((sum, part) => sum + part, 0),
          false,
        )
        const pieces = parts.reduce((moment, part) => timeline.later(moment, part, false), timeline.start)
        expect(pieces).toEqual(whole)
      }),
    )
  })

  test('says exactly when something changes: the same before, another scene at that time', () => {
    const timeline = copilotTimeline(LENGTHS)
    fc.assert(
      fc.property(fc.nat(3), fc.nat(10_999), (card, elapsed) => {
        const wait = timeline.untilChange({ card, elapsed, turn: 0 }, false) ?? 0
        const at = (by: number) => {
          const moment = timeline.later({ card, elapsed, turn: 0 }, by, false)
          return [moment.card, sceneAt(moment.elapsed, LENGTHS[moment.card] ?? 0)]
        }
        expect(wait).toBeGreaterThan(0)
        expect(at(wait - 1)).toEqual(at(0))
        expect(at(wait)).not.toEqual(at(0))
      }),
    )
  })
})

describe('the typing demo', () => {
  const ITEMS = [20, 5]

  test('types one character every 50 ms, item after item, and then ends', () => {
    const playback = openPlayback(typingTimeline(ITEMS))
    playback.show(true)
    const typed = () => {
      const { item, elapsed } = playback.view().moment
      return [item, typedAt(elapsed, ITEMS[item] ?? 0)]
    }
    passes(49)
    expect(typed()).toEqual([0, 0])
    passes(1)
    expect(typed()).toEqual([0, 1])
    passes(950)
    expect(typed()).toEqual([0, 20])
    passes(600)
    expect(typed()).toEqual([1, 0])
    passes(250)
    expect(typed()).toEqual([1, 5])
    expect(isTyped(playback.view().moment, ITEMS)).toBe(true)
    expect(vi.getTimerCount()).toBe(0)
  })
})
