import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { Silence } from './silence.ts'

let silence: Silence
let isThere: boolean
let pings: number
let hasTime: boolean

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] })
  isThere = true
  pings = 0
  hasTime = true
  silence = new Silence({
    ping: async () => {
      pings += 1
      if (!isThere) throw new Error('nothing came')
    },
    now: Date.now,
    watch: () => () => hasTime,
  })
})
afterEach(() => void vi.useRealTimers())

const outcomeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'answered',
    (error: unknown) => (error instanceof Error && 'code' in error ? error.code : 'failed'),
  )
const never = () => new Promise<never>(() => undefined)

test('a question that takes long is waited for as long as the database answers', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const outcome = outcomeOf(silence.during(() => promise))
  await vi.advanceTimersByTimeAsync(60_000)
  expect(pings).toBeGreaterThan(10)
  resolve()
  expect(await outcome).toBe('answered')
  const asked = pings
  await vi.advanceTimersByTimeAsync(60_000)
  expect(pings).toBe(asked)
})

test('one that answers nothing fails what is asked, then at once, until it answers again', async () => {
  isThere = false
  const outcomes = [outcomeOf(silence.during(never)), outcomeOf(silence.during(never))]
  await vi.advanceTimersByTimeAsync(2000)
  expect(await Promise.all(outcomes)).toEqual(['ETIMEDOUT', 'ETIMEDOUT'])
  let asked = 0
  const ask = () =>
    outcomeOf(
      silence.during(async () => {
        asked += 1
      }),
    )
  expect([await ask(), asked]).toEqual(['ETIMEDOUT', 0])
  await vi.advanceTimersByTimeAsync(30_000)
  expect([await ask(), asked]).toEqual(['ETIMEDOUT', 0])
  isThere = true
  await vi.advanceTimersByTimeAsync(1000)
  expect([await ask(), asked]).toEqual(['answered', 1])
  isThere = false
  const later = outcomeOf(silence.during(never))
  await vi.advanceTimersByTimeAsync(2000)
  expect(await later).toBe('ETIMEDOUT')
})

test('a process that had no time for an answer asks again, but not for ever', async () => {
  isThere = false
  hasTime = false
  silence = new Silence({
    ping: async () => {
      pings += 1
      if (pings < 6) throw new Error('too late to be heard')
    },
    now: Date.now,
    watch: () => () => hasTime,
  })
  const { promise, resolve } = Promise.withResolvers<void>()
  const outcome = outcomeOf(silence.during(() => promise))
  await vi.advanceTimersByTimeAsync(3000)
  resolve()
  expect([await outcome, pings > 5]).toEqual(['answered', true])
  pings = -100
  expect(await Promise.all([outcomeOf(silence.during(never)), vi.advanceTimersByTimeAsync(3000)])).toEqual([
    'ETIMEDOUT',
    expect.anything(),
  ])
})

test('errors of the work are its own, and answers to others are answers', async () => {
  expect(await outcomeOf(silence.during(() => Promise.reject(new Error('wrong'))))).toBe('failed')
  isThere = false
  const slow = Promise.withResolvers<void>()
  const outcome = outcomeOf(silence.during(() => slow.promise))
  for (let turn = 0; turn < 10; turn += 1) {
    await vi.advanceTimersByTimeAsync(1000)
    await silence.during(async () => undefined)
  }
  slow.resolve()
  expect([await outcome, pings]).toEqual(['answered', 0])
})

const forgettable = async (): Promise<WeakRef<object>> =>
  new WeakRef(await silence.during(async () => ({ rows: [1, 2, 3] })))

test('an answer is not held on to once it was given', async () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage: () => void = runInNewContext('gc')
  const answers = [await forgettable(), await forgettable()]
  vi.useRealTimers()
  await new Promise((resolve) => setTimeout(resolve))
  collectGarbage()
  expect(answers.map((answer) => answer.deref())).toEqual([undefined, undefined])
})
