import { describe, expect, test } from 'vitest'

import { costBreakdown } from './cost.ts'
import { reportSchedulesPut } from './report.ts'
import { summaryGet, utilizationTrend } from './summary.ts'

describe('the range of a question', () => {
  test('is read from its text', () => {
    expect(summaryGet.input.parse({ range: 'month@Asia/Kolkata' }).range).toEqual({
      kind: 'calendar',
      name: 'month',
      zone: 'Asia/Kolkata',
    })
  })

  test('is the one of the operation where it is left out', () => {
    expect(summaryGet.input.parse({}).range).toEqual({ kind: 'quick', name: '24h' })
    expect(utilizationTrend.input.parse({}).range).toEqual({ kind: 'quick', name: '7d' })
  })

  test.each(['12y', '', 'month@Mars/Olympus', 'x'.repeat(121)])('is refused in one sentence: %s', (range) => {
    const issues = [costBreakdown.input, reportSchedulesPut.input.pick({ range: true })].map(
      (input) => input.safeParse({ range }).error?.issues,
    )
    const refused = [{ path: ['range'], message: expect.stringMatching(/^a range is 1h, .* at most 800 days apart$/u) }]
    expect(issues).toMatchObject([refused, refused])
  })
})

test('the range of a schedule is kept as it was written', () => {
  const { range } = reportSchedulesPut.input.shape
  expect(['last-week', 'last-week@UTC', undefined].map((text) => range.parse(text))).toEqual([
    'last-week',
    'last-week@UTC',
    '24h',
  ])
})
