import { expect, test } from 'vitest'

import { openQueryGate } from './query-gate.ts'

/** A query that takes so long by the clock of the test, and what of it has begun and ended. */
function engine() {
  let now = 0
  let under = 0
  let most = 0
  const ended: string[] = []
  return {
    clock: () => now,
    pass: (ms: number) => (now += ms),
    ended,
    most: () => most,
    query: (name: string, ms: number) => async () => {
      under += 1
      most = Math.max(most, under)
      await Promise.resolve()
      now += ms
      under -= 1
      ended.push(name)
      return name
    },
  }
}

test('no more queries than are allowed are under way, and they go in the order they came', async () => {
  const { clock, query, most, ended } = engine()
  const gate = openQueryGate('http://engine', { atOnce: 2 }, { clock })
  const names = ['a', 'b', 'c', 'd', 'e']
  expect(await Promise.all(names.map((name) => gate(query(name, 10), { when: 'refused' })))).toEqual(names)
  expect([most(), ended]).toEqual([2, names])
})

test('a failed query gives its place back', async () => {
  const gate = openQueryGate('http://engine', { atOnce: 1 }, { clock: () => 0 })
  await expect(gate(() => Promise.reject(new Error('no')), { when: 'refused' })).rejects.toThrow('no')
  expect(await gate(async () => 'next', { when: 'refused' })).toBe('next')
})

test('when a minute is used up the next reading is refused in words, and the rest of one goes on', async () => {
  const { clock, pass, query } = engine()
  const gate = openQueryGate('http://engine', { secondsPerMinute: 10 }, { clock })
  await gate(query('a', 6000), { when: 'refused' })
  await gate(query('b', 6000), { when: 'refused' })
  await expect(gate(query('c', 1), { when: 'refused' })).rejects.toMatchObject({
    code: 'budget',
    message: expect.stringMatching(
      /^The 10 s a minute that queries to http:\/\/engine may take are used up; the next is sent in 54 s\./u,
    ),
  })
  expect(await gate(query('d', 1), { when: 'goes on' })).toBe('d')
  pass(54_000)
  expect(await gate(query('e', 1), { when: 'refused' })).toBe('e')
})

test('what can wait waits until half of the minute is free, which is left to what cannot', async () => {
  const { clock, pass, query } = engine()
  const waits: number[] = []
  const wait = async (ms: number) => waits.push(pass(ms) && ms)
  const gate = openQueryGate('http://engine', { secondsPerMinute: 10 }, { clock, wait })
  await gate(query('a', 3000), { when: 'refused' })
  pass(1000)
  await gate(query('b', 3000), { when: 'refused' })
  expect(await gate(query('c', 1000), { when: 'refused' })).toBe('c')
  expect(await gate(query('d', 1), { when: 'waits' })).toBe('d')
  // Until the first has left the minute: it ended at 3 s, and it was 8 s then.
  expect(waits).toEqual([55_000])
})

test('what waits can be canceled', async () => {
  const { clock, query } = engine()
  const gate = openQueryGate('http://engine', { secondsPerMinute: 10 }, { clock })
  await gate(query('a', 20_000), { when: 'refused' })
  const stop = new AbortController()
  const waits = gate(query('b', 1), { when: 'waits', signal: stop.signal })
  stop.abort()
  await expect(waits).rejects.toMatchObject({ code: 'canceled' })
})
