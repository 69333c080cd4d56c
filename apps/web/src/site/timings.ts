/**
 * The timings of what moves by itself on the site: product specification, sections 4 and 9. Milliseconds. Nothing else
 * in the site's code names a time.
 */

/** The co-pilot demo, counted from the moment at which a card becomes active. */
export const COPILOT_DEMO = {
  promptAfterMs: 1000,
  responseAfterMs: 3000,
  /** One step types one character. */
  typingStepMs: 40,
  nextCardAfterMs: 11_000,
} as const

/** The typing demo. The specification gives the step; the rest between two items is ours. */
export const TYPING_DEMO = {
  typingStepMs: 50,
  restBetweenItemsMs: 600,
} as const
