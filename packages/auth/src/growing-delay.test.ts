import { instant } from '@septet/domain'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { GrowingDelay } from './growing-delay.ts'
import { addressKey } from './limits.ts'

const open = () => {
  const clock = { at: 0 }
  const delay = new GrowingDelay(() => instant(clock.at))
  const guess = (address: string, account = 'owner') => delay.begin(account, address)
  /** Guesses until the address must wait. */
  const useUp = (address: string): void => {
    for (let count = 0; count < 100; count++) if (guess(address).kind === 'wait') return
    throw new Error('It never had to wait.')
  }
  return { clock, guess, useUp }
}

describe('guesses at an account', () => {
  test('five are free, then the wait doubles up to fifteen minutes', () => {
    const { clock, guess } = open()
    for (let free = 0; free < 5; free++) expect(guess('a').kind).toBe('go')
    const waits = []
    for (let count = 0; count < 13; count++) {
      const waiting = guess('a')
      if (waiting.kind !== 'wait') throw new Error('it did not wait')
      waits.push(waiting.ms / 1000)
      clock.at += waiting.ms
      expect(guess('a').kind).toBe('go')
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900])
  })
  test('another account and another address are not held up', () => {
    const { guess, useUp } = open()
    useUp('a')
    expect(guess('a', 'other').kind).toBe('go')
    expect(guess('b').kind).toBe('go')
  })
  test('a right password clears the address', () => {
    const { guess } = open()
    for (let count = 0; count < 4; count++) guess('a')
    const right = guess('a')
    if (right.kind === 'go') right.succeeded()
    for (let free = 0; free < 5; free++) expect(guess('a').kind).toBe('go')
  })
  test('an hour of quiet starts afresh', () => {
    const { clock, guess, useUp } = open()
    useUp('a')
    clock.at += 3_600_000
    for (let free = 0; free < 5; free++) expect(guess('a').kind).toBe('go')
  })
  test('under attack from many addresses each has one free guess', () => {
    const { guess } = open()
    for (let address = 0; address < 25; address++) guess(`attacker ${address}`)
    expect(guess('fresh').kind).toBe('go')
    expect(guess('fresh').kind).toBe('wait')
  })
  test('whatever strangers do elsewhere, an address that has not failed is always judged', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(50), fc.nat(100_000))), (guesses) => {
        const { clock, guess } = open()
        for (const [address, later] of guesses) {
          clock.at += later
          guess(`stranger ${address}`)
        }
        expect(guess('owner at home').kind).toBe('go')
      }),
    )
  })
  test('what is remembered has a bound, and the busiest are not forgotten first', () => {
    const { guess, useUp } = open()
    useUp('a')
    for (let address = 0; address < 49_000; address++) guess(`x${address}`, `account ${address}`)
    expect(guess('a').kind).toBe('wait')
    for (let address = 0; address < 60_000; address++) guess(`y${address}`, `account ${address}`)
    expect(guess('a').kind).toBe('go')
  })
})

describe('by whom an address is counted', () => {
  test.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::FFFF:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['', ''],
  ])('%s is %s', (ip, key) => expect(addressKey(ip)).toBe(key))
})
