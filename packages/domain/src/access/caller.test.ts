import { describe, expect, test } from 'vitest'

import {
  accountParty,
  areApart,
  isProgram,
  isServiceAccount,
  issuerParty,
  serviceAccountName,
  serviceAccountUser,
} from './caller.ts'
import { mayActAs, ROLES } from './role.ts'

const ann = accountParty('ann')
const bob = accountParty('bob')
const agent = issuerParty('agent')

describe('whether two are known to be different people or services', () => {
  test.each([
    ['two accounts', ann, bob, true],
    ['two that only an issuer knows', agent, issuerParty('other'), true],
    ['an account and a service account', ann, 'system:serviceaccount:lab:ci (prod)', true],
    ['one and the same', ann, ann, false],
    // Whom an issuer knows may be the very person who has the account.
    ['an account and whom only an issuer knows', ann, agent, false],
    ['one of whom nothing was kept', ann, undefined, false],
    ['two of whom nothing was kept', undefined, undefined, false],
  ])('%s: %s, %s: %s', (...[, one, other, apart]) => {
    expect(areApart(one, other)).toBe(apart)
    expect(areApart(other, one)).toBe(apart)
  })
})

describe('service accounts', () => {
  const account = { namespace: 'lab', name: 'ci', cluster: 'prod' }
  test('of one name in two clusters are two', () => {
    expect(serviceAccountUser(account)).toBe('system:serviceaccount:lab:ci')
    expect(serviceAccountName(account)).toBe('system:serviceaccount:lab:ci (prod)')
    expect(serviceAccountName({ ...account, cluster: 'staging' })).not.toBe(serviceAccountName(account))
  })
  test('are told from people by their name', () => {
    expect(isServiceAccount(serviceAccountName(account))).toBe(true)
    expect(isServiceAccount('ci@example.com')).toBe(false)
  })
})

test.each([
  ['token:nightly', true],
  ['oauth:0123', true],
  ['system:serviceaccount:lab:ci (prod)', true],
  ['ann@example.com', false],
  ['visitor', false],
  ['token@example.com', false],
])('%s is a program: %s', (name, program) => expect(isProgram(name)).toBe(program))

test('each role may do what those before it may, and nothing of those after it', () => {
  const table = ROLES.map((role) => ROLES.map((needed) => mayActAs(role, needed)))
  expect(table).toEqual([
    [true, false, false],
    [true, true, false],
    [true, true, true],
  ])
})
