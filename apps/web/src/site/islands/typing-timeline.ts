import { TYPING_DEMO } from '../timings.ts'
import type { Timeline } from './playback.ts'

/** Which item is being typed, and since how many milliseconds. */
export type TypingMoment = { readonly item: number; readonly elapsed: number }

const { typingStepMs, restBetweenItemsMs } = TYPING_DEMO

/** Items typed one after the other, once; `lengths` are their characters. It ends with all of them shown. */
export const typingTimeline = (lengths: readonly number[]): Timeline<TypingMoment> => ({
  start: { item: 0, elapsed: 0 },
  later: ({ item, elapsed }, by) => {
    let reached = { item, elapsed: elapsed + by }
    while (reached.item < lengths.length - 1) {
      const length = lasts(lengths[reached.item] ?? 0)
      if (reached.elapsed < length) return reached
      reached = { item: reached.item + 1, elapsed: reached.elapsed - length }
    }
    return { item: reached.item, elapsed: Math.min(reached.elapsed, lasts(lengths[reached.item] ?? 0)) }
  },
  untilChange: ({ item, elapsed }) => {
    const length = lengths[item] ?? 0
    const typed = typedAt(elapsed, length)
    if (typed < length) return (typed + 1) * typingStepMs - elapsed
    return item < lengths.length - 1 ? Math.max(0, lasts(length) - elapsed) : undefined
  },
})

/** Characters of an item that are shown so many milliseconds after it began. */
export const typedAt = (elapsed: number, length: number): number => Math.min(length, Math.floor(elapsed / typingStepMs))

/** Whether every item is typed out. */
export const isTyped = ({ item, elapsed }: TypingMoment, lengths: readonly number[]): boolean =>
  item === lengths.length - 1 && typedAt(elapsed, lengths[item] ?? 0) >= (lengths[item] ?? 0)

const lasts = (length: number): number => length * typingStepMs + restBetweenItemsMs
