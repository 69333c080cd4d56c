import { OPERATIONS } from '@septet/contract'
import { COPILOT_QUESTIONS } from '@septet/contract/copilot-questions'
import { describe, expect, test } from 'vitest'

import copilot from '../../content/copilot.json' with { type: 'json' }
import { COPILOT_DEMO } from './timings.ts'

describe('each example', () => {
  test.each(copilot.examples)('$category is typed out with time to read before the next card', ({ response }) => {
    const typed = COPILOT_DEMO.responseAfterMs + response.length * COPILOT_DEMO.typingStepMs
    expect(COPILOT_DEMO.nextCardAfterMs - typed).toBeGreaterThanOrEqual(2000)
  })

  test.each(copilot.examples)('$category names operations that are there', ({ operations }) => {
    const names = Object.values(OPERATIONS).map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining([...operations]))
  })

  test.each(copilot.examples)('$category is one of the fixed questions', ({ prompt }) => {
    expect(Object.values(COPILOT_QUESTIONS)).toContain(prompt)
  })

  test('there are four', () => {
    expect(copilot.examples).toHaveLength(4)
  })
})
