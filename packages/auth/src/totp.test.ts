import { randomBytes } from 'node:crypto'

import { instant } from '@septet/domain'
import { generateSync } from 'otplib'
import { describe, expect, test } from 'vitest'

import { secretsFrom } from './secrets.ts'
import { newTotp, openTotpSecret, sealTotpSecret, stepOfCode } from './second-factor.ts'

/** "12345678901234567890", the secret of RFC 6238, appendix B, in Base32. */
const RFC_SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
const seconds = (count: number) => instant(count * 1000)

describe('codes', () => {
  // Appendix B has eight digits; six are the last of them.
  test.each([
    [59, '287082', 1],
    [1_111_111_109, '081804', 0x23523ec],
    [1_234_567_890, '005924', 0x273ef07],
    [2_000_000_000, '279037', 0x3f940aa],
  ])('at %i s %s is right', (at, code, step) => {
    expect(stepOfCode(RFC_SECRET, code, seconds(at))).toBe(step)
  })

  test('hold for their step, the one before and the one after, and no longer', () => {
    const code = generateSync({ secret: RFC_SECRET, epoch: 1_000_000_000 })
    const step = Math.floor(1_000_000_000 / 30)
    const start = step * 30
    const found = [start - 31, start - 30, start, start + 29, start + 59, start + 60].map((at) =>
      stepOfCode(RFC_SECRET, code, seconds(at)),
    )
    expect(found).toEqual([undefined, step, step, step, step, undefined])
  })

  test.each(['', '28708', '2870822', '28708a', '٢٨٧٠٨٢', ' 287082'])('"%s" is none', (code) => {
    expect(stepOfCode(RFC_SECRET, code, seconds(59))).toBeUndefined()
  })
})

test('an app is told everything in three forms', () => {
  const { secret, uri, picture } = newTotp({ issuer: 'Septet & Co', label: 'a+b@example.com' })
  expect(secret).toMatch(/^[A-Z2-7]{32}$/u)
  const url = new URL(uri)
  expect([url.protocol, url.host]).toEqual(['otpauth:', 'totp'])
  expect(decodeURIComponent(url.pathname)).toBe('/Septet & Co:a+b@example.com')
  expect(url.searchParams.get('secret')).toBe(secret)
  expect(url.searchParams.get('issuer')).toBe('Septet & Co')
  // Clients write it behind "data:image/svg+xml;utf-8," as it is, where a # would end it.
  expect(picture).toMatch(/^<svg [^#]*<\/svg>$/u)
  expect(newTotp({ issuer: 'a', label: 'b' }).secret).not.toBe(secret)
})

test('a kept secret opens for its own factor only', () => {
  const secrets = secretsFrom(randomBytes(32))
  const sealed = sealTotpSecret(secrets, 'one', RFC_SECRET)
  expect(Buffer.from(sealed).includes(RFC_SECRET)).toBe(false)
  expect(openTotpSecret(secrets, 'one', sealed)).toBe(RFC_SECRET)
  expect(() => openTotpSecret(secrets, 'other', sealed)).toThrow('sealed with another secret')
})
