import type { CopilotAnswer } from '@septet/contract'
import { expect, test } from 'vitest'

import { saysTheFacts } from './copilot-score.ts'

const answer = (text: string, verdict: CopilotAnswer['verdict'] = 'answered'): CopilotAnswer => ({
  id: 'one',
  at: '2026-05-04T09:41:00.000Z',
  question: 'q',
  engine: { kind: 'model', name: 'm' },
  verdict,
  sentences: [{ text, cites: [1] }],
  blocks: [],
  citations: [],
  next: [],
  intent: null,
  dropped: 0,
})
const asked = (says: readonly string[], row?: readonly [string, string]) => ({
  family: 'f',
  question: 'q',
  verdict: 'answered' as const,
  says,
  ...(row === undefined ? {} : { row }),
})

test.each([
  [['3 GPUs', '2 nodes', '2 of them'], 'There are three GPUs on 2 nodes, of which 2 are ready.'],
  [['no GPU is broken'], 'No GPUs are broken.'],
  [['lab/Pod/train-1', '0.43 GPU'], 'lab/Pod/train-1 holds 0.43 of a GPU.'],
  [['1,250 GPUs'], 'The fleet has 1250 GPUs.'],
  [['6 workloads in all'], 'Six jobs are running.'],
  [['Unschedulable'], 'It is unschedulable.'],
])('a model may say %j in its own words: %s', (says, text) => {
  expect(saysTheFacts(asked(says), answer(text))).toBe(true)
})

test.each([
  ['another number', ['3 GPUs'], 'There are 33 GPUs.'],
  ['a number of something else', ['6 workloads in all'], 'There are 6 GPUs.'],
  ['a number within a name', ['3 GPUs'], 'train-3 is running.'],
  ['another name', ['lab/Pod/train-1'], 'lab/Pod/train-2 is running.'],
  ['nothing of it', ['Unschedulable'], 'It waits.'],
])('%s is not it', (_what, says, text) => expect(saysTheFacts(asked(says), answer(text))).toBe(false))

test('what is asked of a table may stand in a sentence', () => {
  expect(saysTheFacts(asked([], ['node-a', '4.0']), answer('node-a used 4 GPU-hours.'))).toBe(true)
  expect(saysTheFacts(asked([], ['node-a', '4.0']), answer('node-a used 5 GPU-hours.'))).toBe(false)
})

test('an answer where there is none is wrong, whatever it says', () => {
  expect(saysTheFacts({ family: 'f', question: 'q', verdict: 'cannot' }, answer('There are 3 GPUs.'))).toBe(false)
})
