import { describe, expect, test } from 'vitest'

import { guarded } from './address-guard.ts'

const refused = (address: string, allowLoopback = false): boolean => {
  try {
    guarded(new URL(`http://${address.includes(':') ? `[${address}]` : address}`), allowLoopback)
    return false
  } catch {
    return true
  }
}

describe('addresses that no request goes to', () => {
  test.each([
    '169.254.169.254',
    '169.254.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    '100.100.100.200',
    '168.63.129.16',
    'fe80::1',
    'fd00:ec2::254',
    'fd00:0ec2:0:0:0:0:0:254',
    'ff02::1',
    '::',
    '::ffff:169.254.169.254',
    '::ffff:a9fe:a9fe',
    '64:ff9b::169.254.169.254',
    '2002:a9fe:a9fe::1',
    '::ffff:0:169.254.169.254',
    '64:ff9b:1::169.254.169.254',
    '64:ff9b:1:7:0:0:a9fe:a9fe',
    '192.0.0.192',
    'fd00:c1::a9fe:a9fe',
    '64:ff9b::192.0.0.192',
    '::169.254.169.254',
  ])('%s, also where loopback is allowed', (address) => {
    expect(refused(address, true)).toBe(true)
  })

  test.each(['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1'])('%s unless loopback is allowed', (address) => {
    expect([refused(address), refused(address, true)]).toEqual([true, false])
  })

  test.each([
    '10.0.0.7',
    '192.168.1.1',
    '172.16.0.1',
    '93.184.216.34',
    'fd12:3456::1',
    '2606:4700::1111',
    '100.64.0.1',
  ])('but %s is fine', (address) => {
    expect(refused(address)).toBe(false)
  })
})
