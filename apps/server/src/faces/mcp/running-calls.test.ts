import { expect, test } from 'vitest'

import { NO_OTHERS } from '../../other-servers.ts'
import { RunningCalls } from './mcp.ts'

const call = (id: string | number) => JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: {} })
const cancel = (requestId: string | number) =>
  JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } })

function begun(calls: RunningCalls, caller: string, id: string | number): AbortController {
  const ended = new AbortController()
  calls.hear(caller, call(id), ended)
  return ended
}
const cancelled = (calls: RunningCalls, caller: string, id: string | number): void =>
  calls.hear(caller, cancel(id), new AbortController())

test('a caller cancels its own request, and nobody else’s', () => {
  const calls = new RunningCalls(NO_OTHERS)
  const [ann, bob] = [begun(calls, 'ann', 7), begun(calls, 'bob', 7)]
  cancelled(calls, 'ann', '7')
  expect(ann.signal.aborted).toBe(false)
  cancelled(calls, 'ann', 7)
  expect(ann.signal.aborted).toBe(true)
  expect(bob.signal.aborted).toBe(false)
})

test('where two requests of a caller have one id, none is cancelled by it until one has ended', () => {
  const calls = new RunningCalls(NO_OTHERS)
  const [one, other] = [begun(calls, 'ann', 1), begun(calls, 'ann', 1)]
  cancelled(calls, 'ann', 1)
  expect([one.signal.aborted, other.signal.aborted]).toEqual([false, false])
  one.abort()
  cancelled(calls, 'ann', 1)
  expect(other.signal.aborted).toBe(true)
})

test.each(['', 'no JSON', '[]', 'null', '{"method":"notifications/cancelled"}', '{"id":{},"method":3}'])(
  '%j is nothing to take note of',
  (body) => {
    expect(() => new RunningCalls(NO_OTHERS).hear('ann', body, new AbortController())).not.toThrow()
  },
)
