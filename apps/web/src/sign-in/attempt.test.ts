import { AuthApiError, type AuthError, AuthRetryableFetchError, AuthWeakPasswordError } from '@supabase/supabase-js'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import { SignInInfoError } from '../session/sign-in-info.ts'
import { signIn, signUp } from './CredentialsForm.tsx'
import { exceptionMessage, failureMessage, MESSAGES } from './messages.ts'

const typed = { email: '  Ada@Example.com ', password: 'correct horse battery', setupSecret: undefined }

/** What the server says to `may-sign-up`; undefined: nobody answers. */
let allowed: boolean | undefined

beforeEach(() => {
  allowed = true
  vi.stubGlobal('location', { origin: 'https://septet.example' })
  vi.stubGlobal('navigator', { onLine: true })
  vi.stubGlobal('fetch', () =>
    allowed === undefined
      ? Promise.reject(new TypeError('Failed to fetch'))
      : Promise.resolve(new Response(JSON.stringify({ allowed }))),
  )
})
afterEach(() => vi.unstubAllGlobals())

type SignUpClient = Parameters<typeof signUp>[0]

/** A client whose sign-up ends as told, and that remembers what it was asked. */
function client({ error = null, session = null }: { error?: AuthError | null; session?: object | null }) {
  const asked: unknown[] = []
  return {
    asked,
    signUp: (credentials: unknown) => {
      asked.push(credentials)
      return Promise.resolve({ data: { user: null, session }, error })
    },
    signOut: (options: unknown) => {
      asked.push(options)
      return Promise.resolve({ error: null })
    },
    signInWithPassword: (credentials: unknown) => {
      asked.push(credentials)
      return Promise.resolve({ data: { user: null, session }, error })
    },
  }
}
const signUpWith = (fake: ReturnType<typeof client>, credentials = typed as Parameters<typeof signUp>[1]) =>
  signUp(fake as unknown as SignUpClient, credentials)

describe('signing up', () => {
  test('sends the address as typed but for spaces around it, and where the letter is to lead', async () => {
    const fake = client({})
    await signUpWith(fake)
    expect(fake.asked).toEqual([
      {
        email: 'Ada@Example.com',
        password: typed.password,
        options: { emailRedirectTo: 'https://septet.example/' },
      },
    ])
  })

  test('shows the setup secret when it was asked for', async () => {
    const fake = client({})
    await signUpWith(fake, { ...typed, setupSecret: 's3cret' })
    expect(fake.asked).toMatchObject([{ options: { data: { setup_secret: 's3cret' } } }])
  })

  test('a session that comes along is given back, on this device alone', async () => {
    const fake = client({ session: { access_token: 'a' } })
    expect(await signUpWith(fake)).toEqual({ kind: 'signed-up', message: MESSAGES.signedUp, confirmBy: undefined })
    expect(fake.asked[1]).toEqual({ scope: 'local' })
  })

  test('without one the address waits to be confirmed by mail', async () =>
    expect(await signUpWith(client({}))).toMatchObject({ kind: 'signed-up', confirmBy: 'mail' }))

  test('an address that may not is stopped before the service is asked', async () => {
    allowed = false
    const fake = client({})
    expect(await signUpWith(fake)).toEqual({ kind: 'refused', message: MESSAGES.accessRestricted, field: 'email' })
    expect(fake.asked).toEqual([])
  })

  test('when that is not known the service decides', async () => {
    allowed = undefined
    const error = new AuthApiError('Sign-up is for others', 400, 'email_address_not_authorized')
    expect(await signUpWith(client({ error }))).toMatchObject({ message: MESSAGES.accessRestricted })
  })

  test('a weak password is said in the words of the service, and typed again', async () => {
    const error = new AuthWeakPasswordError('Password should be at least 12 characters.', 422, ['length'])
    expect(await signUpWith(client({ error }))).toEqual({
      kind: 'refused',
      field: 'password',
      message: { title: 'Error', description: 'Password should be at least 12 characters.', tone: 'plain' },
    })
  })
})

describe('signing in', () => {
  test('is in, or is told why not', async () => {
    const go = (fake: ReturnType<typeof client>) => signIn(fake as unknown as Parameters<typeof signIn>[0], typed)
    expect(await go(client({ session: {} }))).toEqual({ kind: 'signed-in' })
    const error = new AuthApiError('Invalid login credentials', 400, 'invalid_credentials')
    expect(await go(client({ error }))).toMatchObject({ message: { description: 'Invalid login credentials' } })
  })
})

describe('the words of a failure', () => {
  const exists = new AuthApiError('Oh: User already registered!', 422, 'user_already_exists')

  test('an account that exists is recognized by the words of the service, on sign-up only', () => {
    expect(failureMessage(exists, 'sign-up')).toBe(MESSAGES.accountExists)
    expect(failureMessage(exists, 'sign-in')).toMatchObject({ title: 'Error', description: exists.message })
  })

  test('a service that does not answer has no words of its own', () => {
    expect(failureMessage(new AuthRetryableFetchError('Failed to fetch', 0), 'sign-in').description).toMatch(
      /is not responding.*what you typed is still here/u,
    )
    expect(failureMessage(new AuthRetryableFetchError('{}', 503), 'sign-in').description).toMatch(/Try again/u)
    vi.stubGlobal('navigator', { onLine: false })
    expect(failureMessage(new AuthRetryableFetchError('Failed to fetch', 0), 'sign-in').description).toMatch(/offline/u)
  })

  test('what is thrown is unexpected, but for a sign-in page that does not answer', () => {
    expect(exceptionMessage(new Error('x is not a function'))).toBe(MESSAGES.unexpected)
    expect(exceptionMessage(new SignInInfoError('Nobody there.'))).toMatchObject({ description: 'Nobody there.' })
  })
})
