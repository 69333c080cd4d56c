import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { readRefreshToken, refreshTokenOf } from './refresh-token.ts'
import { masterSecrets, secretsFrom } from './secrets.ts'

const secrets = secretsFrom(Buffer.alloc(32, 1))
const other = secretsFrom(Buffer.alloc(32, 2))

describe('sealing', () => {
  test('opens for the same purpose and secret only', () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.string(), (plain, purpose) => {
        const sealed = secrets.seal(purpose, plain)
        expect(Buffer.from(secrets.unseal(purpose, sealed)).equals(plain)).toBe(true)
        expect(() => secrets.unseal(`${purpose}.`, sealed)).toThrow('sealed with another secret')
        expect(() => other.unseal(purpose, sealed)).toThrow('sealed with another secret')
      }),
    )
  })
  test('every changed octet is seen', () => {
    const sealed = secrets.seal('factor/1', Buffer.from('JBSWY3DPEHPK3PXP'))
    for (let at = 0; at < sealed.length; at++) {
      const changed = Uint8Array.from(sealed, (octet, index) => (index === at ? octet ^ 1 : octet))
      expect(() => secrets.unseal('factor/1', changed)).toThrow('sealed')
    }
    for (let length = 0; length < sealed.length; length++) {
      expect(() => secrets.unseal('factor/1', sealed.subarray(0, length))).toThrow('sealed')
    }
  })
  test('the same text is never sealed the same way', () => {
    expect(Buffer.from(secrets.seal('a', Buffer.from('x'))).equals(secrets.seal('a', Buffer.from('x')))).toBe(false)
  })
})

test('keyed hashes are steady, and differ by purpose and secret', () => {
  expect(secrets.keyedHash('a', 'x')).toMatch(/^[0-9a-f]{64}$/u)
  expect(secrets.keyedHash('a', 'x')).toBe(secrets.keyedHash('a', 'x'))
  expect(secrets.keyedHash('a', 'x')).not.toBe(secrets.keyedHash('b', 'x'))
  expect(secrets.keyedHash('a', 'x')).not.toBe(other.keyedHash('a', 'x'))
})

const aals = fc.constantFrom('aal1', 'aal2')
test('refresh tokens read back, and no text that was not made here reads as one', () => {
  fc.assert(
    fc.property(
      fc.tuple(fc.uuid(), fc.nat(2 ** 31), aals),
      fc.string({ minLength: 1 }),
      ([id, refreshCounter, aal], junk) => {
        const token = refreshTokenOf(secrets, { id, refreshCounter, aal })
        expect(readRefreshToken(secrets, token)).toEqual({ sessionId: id, counter: refreshCounter, aal })
        expect(readRefreshToken(other, token)).toBeUndefined()
        expect(readRefreshToken(secrets, junk)).toBeUndefined()
        expect(readRefreshToken(secrets, token + junk)).toBeUndefined()
      },
    ),
  )
})

describe('the master secret', () => {
  let dataDir: string
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'septet-secret-'))
  })
  afterEach(() => rmSync(dataDir, { recursive: true }))
  const open = async (masterSecret?: string) =>
    secretsFrom((await masterSecrets({ masterSecret, masterSecretBefore: undefined, dataDir })).now)

  test('is made once, for its owner’s eyes only', async () => {
    const made = (await open()).keyedHash('a', 'x')
    const path = join(dataDir, 'secret')
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(readFileSync(path, 'utf8')).toMatch(/^[\w-]{43}\n$/u)
    chmodSync(path, 0o644)
    expect((await open()).keyedHash('a', 'x')).toBe(made)
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })
  test('many that start at once agree on one', async () => {
    const hashes = await Promise.all(Array.from({ length: 20 }, async () => (await open()).keyedHash('a', 'x')))
    expect(new Set(hashes).size).toBe(1)
    expect(readdirSync(dataDir)).toEqual(['secret'])
  })
  test('a setting goes before the file, and none is written', async () => {
    const text = 'a'.repeat(32)
    expect((await open(text)).keyedHash('a', 'x')).toBe(secretsFrom(Buffer.from(text)).keyedHash('a', 'x'))
    expect(readdirSync(dataDir)).toEqual([])
  })
  test('a short setting and a damaged file are refused with what to do', async () => {
    await expect(open('short')).rejects.toThrow(/at least 32 characters.*openssl/u)
    writeFileSync(join(dataDir, 'secret'), 'half of it')
    await expect(open()).rejects.toThrow(/is damaged.*backup/u)
  })
})
