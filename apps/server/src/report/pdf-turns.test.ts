import { expect, test } from 'vitest'

import type { Caller } from '@septet/domain'
import { openPdfTurns } from './pdf-turns.ts'

const visitor = (ip: string): Caller => ({
  kind: 'visitor',
  id: `visitor:${ip}`,
  party: undefined,
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

const made = async (): Promise<string> => 'made'

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

test('a visitor has one at most, and may have the next when it has come and they have rested, also when it failed', async () => {
  const turns = openPdfTurns(() => clock)
  const first = work()
  const one = turns(visitor('10.0.0.1'), first.make)
  const refused = { code: 'too-many-requests', message: 'A PDF is already being created for you.', retryAfter: 2 }
  await expect(turns(visitor('10.0.0.1'), first.make)).rejects.toMatchObject(refused)
  first.reject(new Error('no font'))
  await expect(one).rejects.toThrow('no font')
  clock += 10_000
  await expect(turns(visitor('10.0.0.1'), async () => 'again')).resolves.toBe('again')
})

const token = (name: string): Caller => ({
  ...visitor('10.0.0.1'),
  kind: 'token',
  id: `token:${name}`,
  name: `token:${name}`,
})

test('whoever has an account may ask for a few at once, which come in order', async () => {
  const turns = openPdfTurns(() => clock)
  const works = [work(), work(), work()]
  const asked = works.map(({ make }) => turns(token('nightly'), make))
  const refused = { code: 'too-many-requests', message: '3 PDFs are already being created for you.', retryAfter: 2 }
  await expect(turns(token('nightly'), made)).rejects.toMatchObject(refused)
  await settle()
  expect(works.map(({ begun }) => begun())).toEqual([1, 0, 0])
  for (const { resolve } of works) resolve('made')
  expect(await Promise.all(asked)).toEqual(['made', 'made', 'made'])
  await expect(turns(token('nightly'), made)).resolves.toBe('made')
})

test('a visitor rests after one, whoever has an account does not', async () => {
  const turns = openPdfTurns(() => clock)
  await turns(visitor('10.0.0.1'), made)
  clock += 4000
  await expect(turns(visitor('10.0.0.1'), made)).rejects.toMatchObject({ code: 'too-many-requests', retryAfter: 6 })
  await expect(turns(visitor('10.0.0.2'), made)).resolves.toBe('made')
  clock += 6000
  await expect(turns(visitor('10.0.0.1'), made)).resolves.toBe('made')
  await turns(token('nightly'), made)
  await expect(turns(token('nightly'), made)).resolves.toBe('made')
})

const refused = (retryAfter: number) => ({
  code: 'too-many-requests',
  todo: `Try again in ${retryAfter} s; CSV and JSON come at once.`,
  retryAfter,
})

test('when many wait, the next is told when to try again, and visitors take no place of others', async () => {
  const turns = openPdfTurns(() => clock)
  const first = work()
  const waiting = [1, 2, 3, 4].map((order) => turns(visitor(`10.0.0.${order}`), first.make))
  await expect(turns(visitor('10.0.1.1'), first.make)).rejects.toMatchObject(refused(8))
  for (const order of [5, 6, 7, 8, 9]) waiting.push(turns(token(`${order}`), first.make))
  await expect(turns(token('10'), first.make)).rejects.toMatchObject(refused(18))
  first.resolve('made')
  expect(new Set(await Promise.all(waiting))).toEqual(new Set(['made']))
})
