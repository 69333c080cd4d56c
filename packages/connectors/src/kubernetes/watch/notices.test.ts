import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { openNotices } from './notices.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const counted = () => {
  const notices = openNotices({ every: 150, before: () => Promise.resolve(), onError: () => undefined })
  let told = 0
  notices.listen(() => {
    told += 1
  })
  return { notices, told: () => told }
}

test('listeners are told once in the debounce time, however much changes', async () => {
  const { notices, told } = counted()
  for (let index = 0; index < 200; index += 1) notices.changed()
  expect(told()).toBe(0)
  await vi.advanceTimersByTimeAsync(150)
  expect(told()).toBe(1)
  // Changes in every hundredth of a second for a second and a half: one notice each 150 ms, and one for the last.
  for (let index = 0; index < 150; index += 1) {
    notices.changed()
    await vi.advanceTimersByTimeAsync(10)
  }
  expect(told()).toBe(11)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(told()).toBeLessThanOrEqual(12)
  expect(notices.version()).toBe(350)
})

test('nobody is told of anything once it is closed', async () => {
  const { notices, told } = counted()
  notices.changed()
  notices.close()
  notices.changed()
  await vi.advanceTimersByTimeAsync(1000)
  expect(told()).toBe(0)
})
