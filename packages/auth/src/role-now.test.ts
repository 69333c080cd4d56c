import { instant, type Account, type ApiToken, type Member } from '@septet/domain'
import { beforeEach, expect, test } from 'vitest'

import { roleNow, type RoleNeeds } from './standing.ts'

const APPROVED = instant(1000)
const by = (name: string, caller?: string) => ({ by: name, at: APPROVED, caller })

let account: Partial<Account> | undefined
let member: Member | undefined
let tokens: Partial<ApiToken>[]
const needs = (kind: 'embedded' | 'hosted' = 'embedded'): RoleNeeds => ({
  access: {
    accounts: { byEmail: async () => account },
    members: { get: async () => member },
    tokens: { list: async () => tokens },
  } as unknown as RoleNeeds['access'],
  config: {
    mode: { kind },
    authorized: { admin: 'ada@example.com', others: ['*@example.com'], anyone: false },
    serviceAccounts: [{ cluster: 'prod', namespace: 'ml', name: 'agent', role: 'operator', namespaces: undefined }],
  },
  now: () => instant(5000),
})

beforeEach(() => {
  account = { createdAt: instant(0) }
  member = {
    email: 'ann@example.com',
    role: 'operator',
    namespaces: undefined,
    until: undefined,
    updatedAt: instant(0),
  }
  tokens = [{ id: 'one', name: 'bot', role: 'operator', createdBy: 'ada@example.com', createdAt: instant(10) }]
})

test('is what an admin wrote last, and viewer where nobody wrote anything', async () => {
  expect(await roleNow(by('ann@example.com'), needs())).toBe('operator')
  member = undefined
  expect(await roleNow(by('ann@example.com'), needs())).toBe('viewer')
  expect(await roleNow(by('ada@example.com'), needs())).toBe('admin')
})

test('is nothing for who has gone, is banned, is not admitted, or got the address later', async () => {
  expect(await roleNow(by('eve@elsewhere.example'), needs())).toBeUndefined()
  account = { createdAt: instant(0), bannedUntil: instant(9000) }
  expect(await roleNow(by('ann@example.com'), needs())).toBeUndefined()
  account = { createdAt: instant(2000) }
  expect(await roleNow(by('ann@example.com'), needs())).toBeUndefined()
  account = undefined
  expect(await roleNow(by('ann@example.com'), needs())).toBeUndefined()
  // Accounts live elsewhere there.
  expect(await roleNow(by('ann@example.com'), needs('hosted'))).toBe('operator')
})

test('is for a token what its maker may do, at most, and nothing once it was revoked, has expired or was made again', async () => {
  expect(await roleNow(by('token:bot', 'token:one'), needs())).toBe('operator')
  const [bot] = tokens
  tokens = [{ ...bot, role: 'admin', createdBy: 'ann@example.com' }]
  expect(await roleNow(by('token:bot', 'token:one'), needs())).toBe('operator')
  for (const change of [{ revokedAt: instant(2000) }, { expiresAt: instant(3000) }, { id: 'two' }]) {
    tokens = [{ ...bot, ...change }]
    expect(await roleNow(by('token:bot', 'token:one'), needs())).toBeUndefined()
  }
})

test('of a token whose id was not kept is that of the one that had its name then', async () => {
  expect(await roleNow(by('token:bot'), needs())).toBe('operator')
  const [bot] = tokens
  for (const change of [{ revokedAt: instant(2000) }, { expiresAt: instant(3000) }, { createdAt: instant(2000) }]) {
    tokens = [{ ...bot, ...change }]
    expect(await roleNow(by('token:bot'), needs())).toBeUndefined()
  }
})

test('a service account has the role that the settings give it now, in its cluster', async () => {
  expect(await roleNow(by('system:serviceaccount:ml:agent (prod)'), needs())).toBe('operator')
  expect(await roleNow(by('system:serviceaccount:ml:agent (lab)'), needs())).toBeUndefined()
  expect(await roleNow(by('system:serviceaccount:ml:other (prod)'), needs())).toBeUndefined()
})
