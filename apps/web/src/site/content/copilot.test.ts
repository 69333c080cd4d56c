import { OPERATIONS } from '@septet/contract'
import { describe, expect, test } from 'vitest'

import { COPILOT_DEMO } from '../timings.ts'
import { COPILOT_EXAMPLES } from './copilot.ts'

describe('each example', () => {
  test.each(COPILOT_EXAMPLES)('$category is typed out with time to read before the next card', ({ response }) => {
    const typed = COPILOT_DEMO.responseAfterMs + response.length * COPILOT_DEMO.typingStepMs
    expect(COPILOT_DEMO.nextCardAfterMs - typed).toBeGreaterThanOrEqual(2000)
  })

  test.each(COPILOT_EXAMPLES)('$category names operations that are there', ({ operations }) => {
    const names = Object.values(OPERATIONS).map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining([...operations]))
  })

  test('there are four', () => {
    expect(COPILOT_EXAMPLES).toHaveLength(4)
  })
})
