import { afterEach, describe, expect, test, vi } from 'vitest'

import { SignInInfoError, maySignUp, readSignInInfo } from './sign-in-info.ts'

afterEach(() => vi.unstubAllGlobals())

const answering = (body: unknown, status = 200) =>
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(JSON.stringify(body), { status })))
const offline = () => vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))

describe('reading the sign-in page', () => {
  const signInInfo = {
    mode: 'embedded',
    url: 'http://127.0.0.1:7070',
    key: 'public',
    demo: true,
    needsSetupSecret: false,
  }

  test('gives what the server says', async () => {
    answering(signInInfo)
    expect(await readSignInInfo()).toEqual(signInInfo)
  })

  test.each([
    ['a page of somebody else', { hello: 1 }, 200],
    ['a mode of a later version', { ...signInInfo, mode: 'other' }, 200],
    ['a failure', signInInfo, 502],
  ])('does not take %s for one', async (_name, body, status) => {
    answering(body, status)
    await expect(readSignInInfo()).rejects.toThrow(/does not respond like Septet/u)
  })

  test('says that nobody answered, in words for a person', async () => {
    offline()
    const error = await readSignInInfo().catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(SignInInfoError)
    expect((error as SignInInfoError).message).toMatch(/Check your connection/u)
  })
})

describe('whether an address may sign up', () => {
  test.each([true, false])('is what the server says: %s', async (allowed) => {
    answering({ allowed })
    expect(await maySignUp('a@b.example')).toBe(allowed)
  })

  test('is not known when the server is too busy or away, and then not guessed', async () => {
    answering({ code: 'too-many' }, 429)
    expect(await maySignUp('a@b.example')).toBeUndefined()
    answering({ allowed: 'yes' })
    expect(await maySignUp('a@b.example')).toBeUndefined()
    offline()
    expect(await maySignUp('a@b.example')).toBeUndefined()
  })
})
