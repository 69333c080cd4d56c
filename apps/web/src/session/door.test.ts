import { afterEach, describe, expect, test, vi } from 'vitest'

import { DoorError, maySignUp, readDoor } from './door.ts'

afterEach(() => vi.unstubAllGlobals())

const answering = (body: unknown, status = 200) =>
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(JSON.stringify(body), { status })))
const offline = () => vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))

describe('reading the door', () => {
  const door = { mode: 'embedded', url: 'http://127.0.0.1:7070', key: 'public', demo: true, needsSetupSecret: false }

  test('gives what the server says', async () => {
    answering(door)
    expect(await readDoor()).toEqual(door)
  })

  test.each([
    ['a page of somebody else', { hello: 1 }, 200],
    ['a mode of a later version', { ...door, mode: 'other' }, 200],
    ['a failure', door, 502],
  ])('does not take %s for one', async (_name, body, status) => {
    answering(body, status)
    await expect(readDoor()).rejects.toThrow(/does not answer as Septet does/u)
  })

  test('says that nobody answered, in words for a person', async () => {
    offline()
    const error = await readDoor().catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(DoorError)
    expect((error as DoorError).message).toMatch(/Check your connection/u)
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
