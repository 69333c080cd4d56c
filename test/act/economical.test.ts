import { seconds } from '@septet/domain'
import { beforeEach, describe, expect, test } from 'vitest'

import { acting, eachOnDemo, store } from './on-demo.ts'
import { proposed, someCut } from './runs.ts'

eachOnDemo()
beforeEach(() => {
  acting.stepMs = 500
})

/** The same object, and how often each of its calls was made. */
function counted<Target extends object>(target: Target) {
  const calls = new Map<string, number>()
  const proxy = new Proxy(target, {
    get: (object, name) => {
      const member: unknown = Reflect.get(object, name)
      if (typeof member !== 'function') return member
      return (...given: unknown[]): unknown => {
        calls.set(String(name), (calls.get(String(name)) ?? 0) + 1)
        return Reflect.apply(member, object, given)
      }
    },
  })
  const of = (...names: readonly string[]): number => names.reduce((sum, name) => sum + (calls.get(name) ?? 0), 0)
  return { proxy, of, clear: () => calls.clear() }
}

const SECONDS = 30

describe('who acts looks twice a second, and asks no more than that takes', () => {
  test('while a change waits for the cluster, its objects are read every few seconds, and its policy is not', async () => {
    acting.demo.faults.add({ kind: 'slow-mig', seconds: 100 })
    const run = await proposed(store.actions, await someCut(acting, 0), { now: acting.now() })
    const line = counted(acting.writer)
    const actions = counted(store.actions)
    let policies = 0
    const policy = {
      get warning() {
        policies += 1
        return seconds(0)
      },
    }
    const actor = acting.actor({ store: actions.proxy, writer: line.proxy, policy })
    const isWaiting = async () => (await store.actions.writes(run.id)).some(({ key }) => key === 'label')
    await acting.pass(120, [actor], isWaiting)
    await acting.pass(10, [actor])
    for (const { clear } of [line, actions]) clear()
    policies = 0
    await acting.pass(SECONDS, [actor])
    expect(await acting.stateOf(run.id)).toBe('applying')
    // Its node, and the Lease every ten seconds.
    expect(line.of('get', 'list')).toBeLessThanOrEqual(SECONDS / 2 + SECONDS / 10)
    expect(line.of('get', 'list')).toBeGreaterThanOrEqual(SECONDS / 5)
    expect(actions.of('writes')).toBeLessThanOrEqual(SECONDS / 2)
    expect(policies).toBeLessThanOrEqual(SECONDS / 15 + 1)
  })
})
