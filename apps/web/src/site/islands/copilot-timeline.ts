import { COPILOT_DEMO } from '../timings.ts'
import type { Timeline } from './playback.ts'

/** Which card is active and since how many milliseconds. `turn` counts the cards that were active before it. */
export type CopilotMoment = { readonly card: number; readonly elapsed: number; readonly turn: number }

/** What is to be seen of an active card; `typed` counts characters of its response. */
export type CopilotScene = { readonly prompt: boolean; readonly thinking: boolean; readonly typed: number }

const { promptAfterMs, responseAfterMs, typingStepMs, nextCardAfterMs } = COPILOT_DEMO

/**
 * The four cards in turn, from the last to the first again. `lengths` are the responses' characters, one number per card.
 * Held, the active card plays to its end and stays.
 */
export const copilotTimeline = (lengths: readonly number[]): Timeline<CopilotMoment> => ({
  start: { card: 0, elapsed: 0, turn: 0 },
  later: ({ card, elapsed, turn }, by, held) => {
    const reached = elapsed + by
    if (reached < nextCardAfterMs) return { card, elapsed: reached, turn }
    if (held) return { card, elapsed: nextCardAfterMs, turn }
    const turns = Math.floor(reached / nextCardAfterMs)
    return { card: (card + turns) % lengths.length, elapsed: reached - turns * nextCardAfterMs, turn: turn + turns }
  },
  untilChange: ({ card, elapsed }, held) => {
    const next = changes(lengths[card] ?? 0, elapsed)
    if (next !== undefined) return next - elapsed
    return held && elapsed >= nextCardAfterMs ? undefined : Math.max(0, nextCardAfterMs - elapsed)
  },
})

/** What an active card shows so many milliseconds after it became active. */
export function sceneAt(elapsed: number, length: number): CopilotScene {
  const prompt = elapsed >= promptAfterMs
  const responds = elapsed >= responseAfterMs
  const steps = responds ? Math.floor((elapsed - responseAfterMs) / typingStepMs) + 1 : 0
  return { prompt, thinking: prompt && !responds, typed: Math.min(length, steps) }
}

/** How long a response is typed, in milliseconds. */
export const typingTime = (length: number): number => length * typingStepMs

/** When the card itself changes next, in milliseconds since it became active; undefined when all of it is shown. */
function changes(length: number, elapsed: number): number | undefined {
  if (elapsed < promptAfterMs) return promptAfterMs
  if (elapsed < responseAfterMs) return responseAfterMs
  const { typed } = sceneAt(elapsed, length)
  return typed >= length ? undefined : responseAfterMs + typed * typingStepMs
}
