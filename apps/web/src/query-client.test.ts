import { expect, test } from 'vitest'

import { ProblemError } from './api.ts'
import { makeQueryClient } from './dashboard/App.tsx'

const queries = makeQueryClient().getDefaultOptions().queries ?? {}
const { retry, retryDelay } = queries
const problem = (status: number, code: string) =>
  new ProblemError({ type: '', title: '', status, code, detail: '', todo: '' })

/** How often a question is asked again that always fails in this way. */
function retries(error: Error): number {
  if (typeof retry !== 'function') throw new Error('there is no rule for asking again')
  let failures = 0
  while (retry(failures, error) && failures < 100) failures += 1
  return failures
}

test('answers that nobody looks at are kept for five minutes', () => expect(queries.gcTime).toBe(300_000))

test('a failure is tried three times more, what asking again does not mend is not', () => {
  expect(retries(new TypeError('Failed to fetch'))).toBe(3)
  expect(retries(problem(502, 'unexpected-answer'))).toBe(3)
  expect(retries(problem(401, 'not-signed-in'))).toBe(0)
  expect(retries(problem(403, 'not-allowed'))).toBe(0)
  expect(retries(problem(503, 'not-ready'))).toBe(0)
})

test('the waits double from a second and stop growing at half a minute', () => {
  if (typeof retryDelay !== 'function') throw new Error('there is no rule for the waits')
  const error = new Error('away')
  expect([0, 1, 2, 3, 4, 5, 9].map((failures) => retryDelay(failures, error))).toEqual([
    1000, 2000, 4000, 8000, 16_000, 30_000, 30_000,
  ])
})
