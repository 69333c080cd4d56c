import { expect, test } from 'vitest'

import type { Caller } from '../caller.ts'
import { openPdfTurns } from './pdf-turns.ts'

const visitor = (ip: string): Caller => ({
  kind: 'visitor',
  name: 'visitor',
  role: 'viewer',
  namespaces: undefined,
  clusters: undefined,
  account: undefined,
  ip,
})

let clock = 0

/** Work that goes on until it is told to end. */
function work() {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let begun = 0
  return { make: () => ((begun += 1), promise), begun: () => begun, resolve, reject }
}

const settle = async (): Promise<void> => new Promise((done) => setImmediate(done))

test('one is made at a time, in the order in which they were asked for', async () => {
  const turns = openPdfTurns(() => clock)
  const [first, second] = [work(), work()]
  const one = turns(visitor('10.0.0.1'), first.make)
  const two = turns(visitor('10.0.0.2'), second.make)
  await settle()
  expect([first.begun(), second.begun()]).toEqual([1, 0])
  first.resolve('a')
  expect(await one).toBe('a')
  await settle()
  expect(second.begun()).toBe(1)
  second.resolve('b')
  expect(await two).toBe('b')
})

test('a caller has one at most, and may have the next when it has come, also when it failed', async () => {
  const turns = openPdfTurns(() => clock)
  const first = work()
  const one = turns(visitor('10.0.0.1'), first.make)
  const refused = { code: 'too-many-requests', message: 'A PDF report is being made for you already.', retryAfter: 2 }
  await expect(turns(visitor('10.0.0.1'), first.make)).rejects.toMatchObject(refused)
  first.reject(new Error('no font'))
  await expect(one).rejects.toThrow('no font')
  clock += 10_000
  await expect(turns(visitor('10.0.0.1'), async () => 'again')).resolves.toBe('again')
})

const made = async (): Promise<string> => 'made'

test('a visitor rests after one, whoever has an account does not', async () => {
  const turns = openPdfTurns(() => clock)
  await turns(visitor('10.0.0.1'), made)
  clock += 4000
  await expect(turns(visitor('10.0.0.1'), made)).rejects.toMatchObject({ code: 'too-many-requests', retryAfter: 6 })
  await expect(turns(visitor('10.0.0.2'), made)).resolves.toBe('made')
  clock += 6000
  await expect(turns(visitor('10.0.0.1'), made)).resolves.toBe('made')
  const member: Caller = { ...visitor('10.0.0.1'), kind: 'token', name: 'token:nightly' }
  await turns(member, made)
  await expect(turns(member, made)).resolves.toBe('made')
})

test('when many wait, the next is told when to try again', async () => {
  const turns = openPdfTurns(() => clock)
  const first = work()
  const waiting = Array.from({ length: 9 }, (_, order) => turns(visitor(`10.0.0.${order}`), first.make))
  await expect(turns(visitor('10.0.1.1'), first.make)).rejects.toMatchObject({
    code: 'too-many-requests',
    todo: 'Try again in 18 s; CSV and JSON come at once.',
    retryAfter: 18,
  })
  first.resolve('made')
  expect(new Set(await Promise.all(waiting))).toEqual(new Set(['made']))
})
