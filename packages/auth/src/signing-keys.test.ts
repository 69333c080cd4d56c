import { instant, type KeyStore, type SigningKey } from '@septet/domain'
import { decodeProtectedHeader } from 'jose'
import { beforeEach, describe, expect, test } from 'vitest'

import { secretsFrom } from './secrets.ts'
import { openSigningKeys } from './signing-keys.ts'

const secrets = secretsFrom(Buffer.alloc(32, 1))
let rows: SigningKey[]
let clock: number
let lists: number
const keys: KeyStore = {
  async list() {
    lists++
    return rows
  },
  async addIfNone(key) {
    if (!rows.some(({ sealedPrivateJwk }) => sealedPrivateJwk !== undefined)) rows = [key, ...rows]
    return rows
  },
  async rotate(key) {
    rows = [key, ...rows.map((row) => ({ ...row, sealedPrivateJwk: undefined }))]
  },
  async prune(followedBefore) {
    const before = rows.length
    rows = rows.filter(
      ({ createdAt }) => !rows.some((row) => row.createdAt > createdAt && row.createdAt < followedBefore),
    )
    return before - rows.length
  },
}
beforeEach(() => {
  rows = []
  clock = 1_000_000
  lists = 0
})

const open = () => openSigningKeys({ keys, secrets, now: () => instant(clock) })
const expected = () => ({ issuer: 'https://a.example', audience: 'authenticated', now: instant(clock) })
const claims = () => ({
  iss: 'https://a.example',
  aud: 'authenticated',
  sub: 'ann',
  exp: Math.floor(clock / 1000) + 60,
})

describe('the key that signs', () => {
  test('is made on first use, kept sealed, and used again', async () => {
    const token = await open().sign(claims())
    expect(rows).toHaveLength(1)
    expect(Buffer.from(rows[0]?.sealedPrivateJwk ?? []).toString('latin1')).not.toContain('"d"')
    expect(JSON.stringify(rows[0]?.publicJwk)).not.toContain('"d"')
    expect((await open().verify(token, expected())).sub).toBe('ann')
    expect(rows).toHaveLength(1)
  })
  test('stays when a read of the store fails once', async () => {
    const failing = openSigningKeys({
      keys: { ...keys, list: async () => (lists++ === 0 ? Promise.reject(new Error('away')) : rows) },
      secrets,
      now: () => instant(clock),
    })
    await expect(failing.publicKeys()).rejects.toThrow('away')
    expect(await failing.publicKeys()).toHaveLength(1)
  })
})

test('a stranger’s token does not make the keys forgotten while the store is away', async () => {
  let isAway = false
  const service = openSigningKeys({
    keys: { ...keys, list: async () => (isAway ? Promise.reject(new Error('away')) : rows) },
    secrets,
    now: () => instant(clock),
  })
  const token = await service.sign(claims())
  rows = []
  const foreign = await open().sign(claims())
  isAway = true
  clock += 30_000
  await expect(service.verify(foreign, expected())).rejects.toThrow('away')
  expect((await service.verify(token, expected())).sub).toBe('ann')
})

describe('two keys', () => {
  test('the newest signs, and one that only verifies still does', async () => {
    const before = await open().sign(claims())
    const [first] = rows
    if (first === undefined) throw new Error('no key was made')
    rows = [{ ...first, sealedPrivateJwk: undefined }]
    const service = open()
    const after = await service.sign(claims())
    expect(decodeProtectedHeader(after).kid).not.toBe(first.kid)
    expect((await service.verify(before, expected())).sub).toBe('ann')
    expect((await service.verify(after, expected())).sub).toBe('ann')
    expect((await service.publicKeys()).map(({ kid }) => kid)).toEqual(rows.map(({ kid }) => kid))
    rows = rows.filter(({ kid }) => kid !== first.kid)
    await expect(open().verify(before, expected())).rejects.toThrow('no applicable key found')
  })
  test('many tokens with an unknown one make one look, also all at once', async () => {
    const here = open()
    await here.publicKeys()
    const known = rows
    rows = []
    const foreign = await open().sign(claims())
    rows = known
    clock += 30_000
    lists = 0
    const answers = await Promise.allSettled(Array.from({ length: 20 }, () => here.verify(foreign, expected())))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set(['rejected']))
    expect(lists).toBe(1)
  })
  test('one that another server made is found, at most one look in 30 seconds', async () => {
    const here = open()
    const token = await here.sign(claims())
    const known = rows
    rows = []
    const there = open()
    await there.publicKeys()
    rows = [...rows, ...known]
    lists = 0
    for (let count = 0; count < 20; count++)
      await expect(there.verify(token, expected())).rejects.toThrow('no applicable key found')
    expect(lists).toBe(0)
    clock += 30_000
    expect((await there.verify(token, expected())).sub).toBe('ann')
    expect(lists).toBe(1)
  })
})

describe('rotating', () => {
  test('signs with a new key, and takes tokens of the one before', async () => {
    const service = open()
    const before = await service.sign(claims())
    clock += 1000
    await service.rotate({ leaked: false })
    const after = await service.sign(claims())
    expect(decodeProtectedHeader(after).kid).not.toBe(decodeProtectedHeader(before).kid)
    for (const token of [before, after]) expect((await service.verify(token, expected())).sub).toBe('ann')
    expect(await service.publicKeys()).toHaveLength(2)
  })
  test('when a key leaked, takes none of its tokens any more, and other servers follow within seconds', async () => {
    const [here, there] = [open(), open()]
    const leaked = await there.sign(claims())
    clock += 1000
    await here.rotate({ leaked: true })
    await expect(here.verify(leaked, expected())).rejects.toThrow('no applicable key found')
    clock += 3000
    await expect(there.verify(leaked, expected())).rejects.toThrow('no applicable key found')
    expect((await here.verify(await there.sign(claims()), expected())).sub).toBe('ann')
  })
})
