import { IncomingMessage, ServerResponse, type RequestListener } from 'node:http'
import { Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { beforeEach, expect, test } from 'vitest'

import { inTurns } from './turns.ts'

/** What one answer takes of the clock, milliseconds. */
const COST = 10

let clock: number
let answered: string[]
let listener: RequestListener

beforeEach(() => {
  clock = 0
  answered = []
  const begin: RequestListener = ({ url = '' }, response) => {
    // An answer goes on in a microtask, as those of operations do.
    queueMicrotask(() => {
      clock += COST
      answered.push(url)
      response.end()
    })
  }
  listener = inTurns(begin, () => clock)
})

/** One request that has arrived. */
function ask(url: string): { readonly request: IncomingMessage; readonly response: ServerResponse } {
  const request = Object.assign(new IncomingMessage(new Socket()), { url })
  const response = new ServerResponse(request)
  listener(request, response)
  return { request, response }
}
const asks = (count: number) => Array.from({ length: count }, (_, number) => ask(`/work/${number}`))
async function settled(count: number): Promise<void> {
  for (let turns = 0; turns < count; turns += 1) await turn()
}
const refusedOf = (all: ReturnType<typeof asks>) => all.filter(({ response }) => response.statusCode === 503)

test('what comes at once is answered in order, and nothing is refused while the wait is short', async () => {
  const all = asks(60)
  await settled(70)
  expect(refusedOf(all)).toEqual([])
  expect(answered).toEqual(all.map(({ request }) => request.url))
})

test('of more than can be answered in time the rest is told when to come back', async () => {
  const first = asks(300)
  await settled(310)
  // How long they would wait is not known at first: of a crowd those whose turn came too late are refused then.
  expect(refusedOf(first).length).toBeGreaterThan(100)
  expect(answered).toHaveLength(300 - refusedOf(first).length)
  asks(60)
  await settled(70)
  answered = []
  // Now it is: what is refused has not waited, and what waits is answered.
  const second = asks(300)
  const refused = refusedOf(second)
  expect(refused.length).toBeGreaterThan(150)
  await settled(310)
  expect(answered).toHaveLength(300 - refused.length)
  expect(refused[0]?.response.getHeader('retry-after')).toBe('2')
})

test('a probe passes before all that waits', async () => {
  asks(60)
  await turn()
  ask('/healthz')
  await settled(70)
  expect(answered.indexOf('/healthz')).toBeLessThan(5)
})

test('whoever has left takes no turn', async () => {
  const all = asks(10)
  all[5]?.request.socket.destroy()
  await settled(20)
  expect(answered).not.toContain('/work/5')
  expect(answered).toHaveLength(9)
})
