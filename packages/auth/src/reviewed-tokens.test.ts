import { HOUR_MS, MINUTE_MS, instant } from '@septet/domain'
import { beforeEach, expect, test } from 'vitest'

import { ReviewedTokens } from './service-account-gate.ts'

let now: number
let asked: number
let answer: () => Promise<string | undefined>
let reviewed: ReviewedTokens

beforeEach(() => {
  now = 0
  asked = 0
  answer = async () => 'ann'
  reviewed = new ReviewedTokens()
})

const find = (expiresAt = HOUR_MS): Promise<string | undefined> =>
  reviewed.find('a token', {
    now: () => instant(now),
    expiresAt: instant(expiresAt),
    review: () => {
      asked += 1
      return answer()
    },
  })

test('a yes is believed for less than a minute', async () => {
  await find()
  answer = async () => undefined
  expect(await find()).toBe('ann')
  now = MINUTE_MS
  expect(await find()).toBeUndefined()
  expect(asked).toBe(2)
})

test('a yes is not believed beyond the life of the token', async () => {
  await find(1000)
  now = 999
  expect(await find(1000)).toBe('ann')
  now = 1000
  await find(1000)
  expect(asked).toBe(2)
})

test('a no, or no answer, is believed shortly', async () => {
  answer = async () => undefined
  for (now of [0, 1000, 2000]) expect(await find()).toBeUndefined()
  expect(asked).toBe(1)
  answer = () => Promise.reject(new Error('away'))
  for (now of [10_000, 11_000]) await expect(find()).rejects.toThrow('away')
  expect(asked).toBe(2)
  answer = async () => 'ann'
  now = 20_000
  expect(await find()).toBe('ann')
})

test('who asks before the answer has come waits for the same one', async () => {
  expect(await Promise.all([find(), find(), find()])).toEqual(['ann', 'ann', 'ann'])
  expect(asked).toBe(1)
})
