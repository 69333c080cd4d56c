import { OPERATIONS, type OperationKey } from '@septet/contract'
import { theLast, type Caller } from '@septet/domain'
import { expect, test } from 'vitest'

import type { Answer } from '../answering/answering.ts'
import { SAMPLE_ANSWERS } from '../sample/sample-answers.ts'
import { makeReport } from './report.ts'

const VISITOR: Caller = {
  kind: 'visitor',
  id: 'visitor:127.0.0.1',
  party: undefined,
  name: 'visitor',
  role: 'viewer',
  namespaces: undefined,
  clusters: undefined,
  account: undefined,
  ip: '127.0.0.1',
}

test('a report of seven days asks for the figures and the findings of seven days', async () => {
  const asked = new Map<string, unknown>()
  const answers: Partial<Record<OperationKey, Answer>> = {}
  for (const key of Object.keys(OPERATIONS) as OperationKey[]) {
    const sample = (SAMPLE_ANSWERS as unknown as Partial<Record<string, (input: unknown) => unknown>>)[key]
    answers[key] = (input) => {
      asked.set(key, (input as { readonly range?: unknown }).range)
      return Promise.resolve(sample?.(OPERATIONS[key].input.parse(input)))
    }
  }
  await makeReport(
    { answers, version: '0', now: () => 0 },
    { range: theLast('7d'), namespaces: undefined, cluster: undefined, lines: 'none' },
    VISITOR,
  )
  const ofTime = ['summaryGet', 'utilizationTrend', 'costBreakdown', 'workloadsList', 'queueWaits', 'findingsList']
  expect(ofTime.map((key) => asked.get(key))).toEqual(ofTime.map(() => '7d'))
})
