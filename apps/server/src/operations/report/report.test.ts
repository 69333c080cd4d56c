import { OPERATIONS, type OperationKey } from '@septet/contract'
import { parseRange, theLast, type Caller } from '@septet/domain'
import { describe, expect, test } from 'vitest'

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

/** Answers as of sample data, but for the cost, which is asked of `window`; what was asked of it. */
function answering(window: { readonly from: string; readonly to: string }) {
  const asked: string[] = []
  const answers: Partial<Record<OperationKey, Answer>> = {}
  for (const key of Object.keys(OPERATIONS) as OperationKey[]) {
    const sample = (SAMPLE_ANSWERS as unknown as Partial<Record<string, (input: unknown) => unknown>>)[key]
    answers[key] = async (input) => {
      const answer = await sample?.(OPERATIONS[key].input.parse(input))
      if (key !== 'costBreakdown') return answer
      const { by, range } = input as { readonly by: string; readonly range: string }
      if (by === 'namespace') asked.push(range)
      const parsed = parseRange(range)
      const [from, to] = parsed?.kind === 'custom' ? range.split('/') : [window.from, window.to]
      return { ...(answer as object), window: { from, to } }
    }
  }
  return { asked, answers }
}

describe('the cost of a range is told month by month', () => {
  test.each([
    [
      'a part of one month, which is not asked for again',
      theLast('24h'),
      { from: '2026-10-30T10:00:00.250Z', to: '2026-10-31T10:00:00.250Z' },
      ['24h'],
      [
        [
          '2026-10-01T00:00:00.000Z',
          '2026-10-30T10:00:00.250Z',
          '2026-10-31T10:00:00.250Z',
          '2026-11-01T00:00:00.000Z',
        ],
      ],
    ],
    [
      'a month that has begun less than a second ago, which is not there yet',
      theLast('24h'),
      { from: '2026-10-31T00:00:00.400Z', to: '2026-11-01T00:00:00.400Z' },
      ['24h'],
      [
        [
          '2026-10-01T00:00:00.000Z',
          '2026-10-31T00:00:00.400Z',
          '2026-11-01T00:00:00.000Z',
          '2026-11-01T00:00:00.000Z',
        ],
      ],
    ],
    [
      'three months',
      theLast('30d'),
      { from: '2026-12-28T00:00:00.000Z', to: '2027-02-03T06:00:00.000Z' },
      [
        '30d',
        '2026-12-28T00:00:00.000Z/2027-01-01T00:00:00.000Z',
        '2027-01-01T00:00:00.000Z/2027-02-01T00:00:00.000Z',
        '2027-02-01T00:00:00.000Z/2027-02-03T06:00:00.000Z',
      ],
      [
        [
          '2026-12-01T00:00:00.000Z',
          '2026-12-28T00:00:00.000Z',
          '2027-01-01T00:00:00.000Z',
          '2027-01-01T00:00:00.000Z',
        ],
        [
          '2027-01-01T00:00:00.000Z',
          '2027-01-01T00:00:00.000Z',
          '2027-02-01T00:00:00.000Z',
          '2027-02-01T00:00:00.000Z',
        ],
        [
          '2027-02-01T00:00:00.000Z',
          '2027-02-01T00:00:00.000Z',
          '2027-02-03T06:00:00.000Z',
          '2027-03-01T00:00:00.000Z',
        ],
      ],
    ],
    [
      'a month of a zone, whose clock changes in it',
      { kind: 'calendar', name: 'last-month', zone: 'Europe/Berlin' } as const,
      { from: '2026-09-30T22:00:00.000Z', to: '2026-10-31T23:00:00.000Z' },
      ['last-month@Europe/Berlin'],
      [
        [
          '2026-09-30T22:00:00.000Z',
          '2026-09-30T22:00:00.000Z',
          '2026-10-31T23:00:00.000Z',
          '2026-10-31T23:00:00.000Z',
        ],
      ],
    ],
    [
      'what is read in whole days only, without what lies outside of the month',
      { kind: 'calendar', name: 'last-month', zone: 'Europe/Berlin' } as const,
      { from: '2026-10-01T00:00:00.000Z', to: '2026-11-01T00:00:00.000Z' },
      [
        'last-month@Europe/Berlin',
        '2026-10-01T00:00:00.000Z/2026-10-31T23:00:00.000Z',
        '2026-10-31T23:00:00.000Z/2026-11-01T00:00:00.000Z',
      ],
      [
        [
          '2026-09-30T22:00:00.000Z',
          '2026-10-01T00:00:00.000Z',
          '2026-10-31T23:00:00.000Z',
          '2026-10-31T23:00:00.000Z',
        ],
        [
          '2026-10-31T23:00:00.000Z',
          '2026-10-31T23:00:00.000Z',
          '2026-11-01T00:00:00.000Z',
          '2026-11-30T23:00:00.000Z',
        ],
      ],
    ],
  ] as const)('%s', async (...[, range, window, of, told]) => {
    const { asked, answers } = answering(window)
    const { cost } = await makeReport(
      { answers, version: '0', now: () => 0 },
      { range, namespaces: undefined, cluster: undefined },
      VISITOR,
    )
    expect(asked).toEqual(of)
    expect(cost.months.map(({ month, window: part }) => [month.from, part.from, part.to, month.to])).toEqual(told)
  })
})

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
    { range: theLast('7d'), namespaces: undefined, cluster: undefined },
    VISITOR,
  )
  const ofTime = ['summaryGet', 'utilizationTrend', 'costBreakdown', 'workloadsList', 'queueWaits', 'findingsList']
  expect(ofTime.map((key) => asked.get(key))).toEqual(ofTime.map(() => '7d'))
})
