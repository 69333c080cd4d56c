import { answerByRules } from '@septet/copilot'
import { OPERATIONS, type CopilotAnswer, type OperationKey } from '@septet/contract'
import { describe, expect, test } from 'vitest'

import { SAMPLE_ID } from '../answering/sample-source.ts'
import { SAMPLE_ANSWERS } from './sample-answers.ts'

/** Answers of sample data, as the co-pilot gets them. */
const ask = async (key: OperationKey, input: unknown) => {
  const answer = (SAMPLE_ANSWERS as Partial<Record<OperationKey, (input: unknown) => unknown>>)[key]
  return answer?.(OPERATIONS[key].input.parse(input)) as never
}

const answerTo = (question: string): Promise<CopilotAnswer> =>
  answerByRules({ question, cluster: SAMPLE_ID, after: undefined }, { ask, now: 0, id: 'a' })

describe('of sample data, which has no usage', () => {
  test.each([
    ['How busy is node gpu-a100-03?', 'usage-of-node'],
    ['How busy are the GPUs by node?', 'usage-by-node'],
    ['What does node gpu-a100-03 cost?', 'cost-of-node'],
    ['What do GPUs cost by namespace?', 'cost-by-namespace'],
    ['Which GPUs report no telemetry?', 'telemetry'],
    ['Which XID errors were there?', 'xid'],
    ['Which workloads are busiest?', 'busiest'],
    ['What are the most expensive workloads?', 'most-expensive'],
    ['Who idles most?', 'idle-most'],
    ['What sits idle right now?', 'idle-now'],
  ])('"%s" is unknown, with the reason, and nothing is said to be none or 0', async (question, family) => {
    const { intent, verdict, sentences, citations } = await answerTo(question)
    const said = sentences.map(({ text }) => text).join(' ')
    expect([intent?.family, verdict]).toEqual([family, 'cannot'])
    expect(said).toMatch(/unknown|nothing happens in it/u)
    expect(said).toMatch(/sample data|not been read/iu)
    expect(said).not.toMatch(/\b(?:0|no|none|nothing)\b(?! such figure| happens| to alert)/u)
    expect(citations).not.toEqual([])
  })

  test('what its fixed figures say is answered', async () => {
    const { verdict } = await answerTo('Who holds most GPUs?')
    expect(verdict).toBe('answered')
  })
})
