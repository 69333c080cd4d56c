import type { AuthChangeEvent, Session } from '@supabase/supabase-js'
import { describe, expect, test } from 'vitest'

import { authStateAfter, passChange, UNKNOWN } from './auth-state.ts'

const session = { access_token: 'a', user: { id: 'u', email: 'a@b.example' } } as Session
const after = (event: AuthChangeEvent, held: Session | null, { from = UNKNOWN, asked = false } = {}) =>
  authStateAfter(from, { event, session: held, asked })

describe('who is signed in', () => {
  test('is not known at first', () => expect(UNKNOWN).toMatchObject({ loading: true, user: undefined }))

  test.each(['INITIAL_SESSION', 'SIGNED_IN', 'TOKEN_REFRESHED', 'USER_UPDATED', 'MFA_CHALLENGE_VERIFIED'] as const)(
    '%s with a session says who',
    (event) => expect(after(event, session)).toMatchObject({ loading: false, session, user: session.user }),
  )

  test('a first event without a session: nobody, and nothing has ended', () =>
    expect(after('INITIAL_SESSION', null)).toEqual({ ...UNKNOWN, loading: false }))

  test('a session ends because it was asked for, or is lost', () => {
    const from = after('INITIAL_SESSION', session)
    expect(after('SIGNED_OUT', null, { from, asked: true })).toMatchObject({ user: undefined, ended: 'asked' })
    expect(after('SIGNED_OUT', null, { from })).toMatchObject({ session: undefined, ended: 'lost' })
  })

  test('that it was lost is not forgotten by what follows', () => {
    const lost = after('SIGNED_OUT', null, { from: after('SIGNED_IN', session) })
    expect(after('SIGNED_OUT', null, { from: lost })).toMatchObject({ ended: 'lost' })
  })
})

test.each([
  ['INITIAL_SESSION', session, 'give'],
  ['SIGNED_IN', session, 'give'],
  ['TOKEN_REFRESHED', session, 'give'],
  ['SIGNED_OUT', null, 'take'],
  ['INITIAL_SESSION', null, 'keep'],
  ['USER_UPDATED', session, 'keep'],
] as const)('with %s the page pass is to %s', (event, held, change) => expect(passChange(event, held)).toBe(change))
