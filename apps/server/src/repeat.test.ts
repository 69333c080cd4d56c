import { setTimeout as delay } from 'node:timers/promises'

import { expect, test } from 'vitest'

import { LoopRecord, repeat } from './repeat.ts'

test('a loop keeps when it last worked, what failed, and how often in a row', async () => {
  const record = new LoopRecord('store', 1000)
  expect(record.state()).toMatchObject({ name: 'store', everyMs: 1000, okAt: undefined, failures: 0, failed: 0 })
  const { since } = record.state()

  expect(await record.run(async () => 'result')).toBe('result')
  const { okAt } = record.state()
  expect(okAt).toBeGreaterThanOrEqual(since)
  expect(record.state()).toMatchObject({ failures: 0, because: undefined, tookMs: expect.any(Number) })

  const fail = () => record.run(() => Promise.reject(new Error('The database is away.')))
  await expect(fail()).rejects.toThrow('The database is away.')
  await expect(fail()).rejects.toThrow('away')
  expect(record.state()).toMatchObject({ failures: 2, failed: 2, because: 'The database is away.', okAt })

  await record.run(async () => undefined)
  // What the last failure said stays: it tells what was wrong an hour ago.
  expect(record.state()).toMatchObject({ failures: 0, failed: 2, because: 'The database is away.' })
})

test('since when it is good or bad changes only when it turns', async () => {
  const record = new LoopRecord('store')
  const fail = () => record.run(() => Promise.reject(new Error('no'))).catch(() => undefined)
  await record.run(async () => undefined)
  expect(record.state().turnedAt).toBe(record.state().since)
  await delay(5)
  await fail()
  const { turnedAt, since } = record.state()
  expect(turnedAt).toBeGreaterThan(since)
  await delay(5)
  await fail()
  expect(record.state().turnedAt).toBe(turnedAt)
})

test('a turn that goes on is seen while it does', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const loop = repeat(() => promise, { name: 'actor', everyMs: 5, onError: () => undefined })
  while (loop.state().runningSince === undefined) await delay(1)
  expect(loop.state().okAt).toBeUndefined()
  resolve()
  while (loop.state().okAt === undefined) await delay(1)
  await loop.stop()
  expect(loop.state()).toMatchObject({ runningSince: undefined, failures: 0 })
})

test('a turn that fails is told, counted and followed by the next', async () => {
  const errors: unknown[] = []
  const loop = repeat(() => Promise.reject(new Error('no')), {
    name: 'store',
    everyMs: 1,
    onError: (error) => errors.push(error),
  })
  while (errors.length < 3) await delay(1)
  await loop.stop()
  expect(loop.state().failures).toBe(errors.length)
})
