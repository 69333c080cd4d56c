import { answerFixed } from '@septet/copilot'
import type { CopilotAnswer } from '@septet/contract'
import { describe, expect, test } from 'vitest'

import { SAMPLE_ID } from '../answering/source.ts'
import { sampleAnswer } from './sample-answer.fixture.ts'

const answerTo = (question: string): Promise<CopilotAnswer> =>
  answerFixed({ question, cluster: SAMPLE_ID, zone: 'UTC', after: undefined }, { ask: sampleAnswer, now: 0, id: 'a' })

describe('of sample data, which has no usage', () => {
  test.each([
    'Which namespace costs the most?',
    'How utilized is each namespace?',
    'What is the forecast for this month?',
    'Where is the most waste?',
    'Which GPUs are idle?',
    'Which workloads use least of what they hold?',
    'Where is a 1g.10gb free?',
  ])('"%s" is unknown, with the reason, and nothing is said to be none or 0', async (question) => {
    const { verdict, sentences } = await answerTo(question)
    const said = sentences.map(({ text }) => text).join(' ')
    expect(verdict).toBe('cannot')
    expect(said).toMatch(/sample data/iu)
    expect(said).not.toMatch(/\b(?:0|none|nothing)\b/u)
  })

  test('what its fixed figures say is answered', async () => {
    const { verdict } = await answerTo('Where is a MIG partition free?')
    expect(verdict).toBe('answered')
  })
})
