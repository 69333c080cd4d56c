import type { Problem } from '@septet/domain'
import { expect, test } from 'vitest'

import { draw } from '@septet/domain/testing'
import { factsOf } from '../answering/facts.fixture.ts'
import { statusOf } from './status.ts'

const facts = factsOf(draw`a  T4  [-]`, [])
const problem = (code: string, object = 'node/a'): Problem => ({ code, message: 'It is so.', object })
const headline = (...problems: readonly Problem[]) => statusOf({ ...facts, problems: () => problems }).headline

test('all systems are operational only when nothing is wrong', () => {
  expect(headline()).toBe('All Systems Operational')
  expect(statusOf({ ...facts, problems: () => [problem('gpu-fault')] }).kind).toBe('degraded')
  const connection = { kind: 'disconnected', lastContact: undefined, problems: [] } as const
  expect(statusOf({ ...facts, connection: () => connection })).toMatchObject({
    kind: 'down',
    headline: 'Cluster is not responding',
  })
})

test('the headline says what is wrong where all of it is of one kind, else the worst of it: only alerts are counted', () => {
  expect(headline(problem('gpu-fault'))).toBe('GPU fault')
  expect(headline(problem('gpu-fault'), problem('gpu-fault', 'node/b'))).toBe('GPU fault')
  expect(headline(problem('clock-skew'), problem('gpu-fault'))).toBe('GPU fault, and more')
  expect(headline(problem('of-a-kind-without-words'))).toBe('Something is wrong')
  // The same thing told twice is one problem.
  expect(headline(problem('gpu-fault'), problem('gpu-fault'))).toBe('GPU fault')
})

test('the most severe comes first: a GPU that is lost before a figure that is doubtful', () => {
  const told = [problem('not-attributable'), problem('unheard-of'), problem('target-failed'), problem('gpu-fault')]
  const { problems } = statusOf({ ...facts, problems: () => told })
  expect(problems.map(({ code }) => code)).toEqual(['gpu-fault', 'target-failed', 'not-attributable', 'unheard-of'])
})

test('what takes the figures of the whole cluster comes before what is wrong with some of its GPUs', () => {
  for (const code of ['pipeline-silent', 'telemetry-unavailable', 'usage-not-saved'])
    expect(statusOf({ ...facts, problems: () => [problem('devices-withheld'), problem(code)] }).problems[0]?.code).toBe(
      code,
    )
})
