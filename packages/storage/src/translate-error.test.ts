import { describe, expect, test } from 'vitest'

import { translateError } from './translate-error.ts'

const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' })
const said = (database: { isOwn: boolean; hasAnswered: boolean }): string =>
  translateError(refused, { place: 'db:5432/septet', ...database }).message

describe('a database that does not answer', () => {
  test('when Septet starts: nothing goes on yet, and the address may be wrong', () => {
    expect(said({ isOwn: false, hasAnswered: false })).toBe(
      'The database db:5432/septet is not responding (connect ECONNREFUSED 127.0.0.1:5432). Septet has not used it yet, and nothing in it was changed. Check that PostgreSQL runs and that DATABASE_URL names its host and port.',
    )
  })
  test('later: what is stored is safe, and it goes on by itself', () => {
    expect(said({ isOwn: false, hasAnswered: true })).toMatch(/live view continues.*resumes by itself.*DATABASE_URL/)
  })
  test('that is Septet’s own sends nobody to a setting that is not set', () => {
    expect(said({ isOwn: true, hasAnswered: true })).toMatch(/live view continues.*starts it again by itself\.$/)
  })
})

test('an unknown failure is told with its own words, and the original is kept', () => {
  const odd = new Error('odd')
  const error = translateError(odd, { place: 'p', isOwn: false, hasAnswered: true })
  expect(error).toMatchObject({ code: 'unexpected', cause: odd })
  expect(error.message).toContain('(odd)')
})
