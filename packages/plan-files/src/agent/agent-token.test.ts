import { instant } from '@septet/domain'
import { expect, test } from 'vitest'

import {
  newAgentToken,
  readAgentToken,
  readStatement,
  SIGNATURE_HEADER,
  signedHeaders,
  STATEMENT_HEADER,
  type Statement,
} from './agent-token.ts'

const statement: Statement = {
  what: 'hello',
  instance: 'one',
  host: 'pod',
  version: '1',
  time: instant(1),
  body: '0'.repeat(64),
  at: instant(0),
  after: instant(0),
  hasInventory: false,
  wish: '',
  part: 0,
}
const read = (key: Uint8Array, headers: Readonly<Record<string, string>>) =>
  readStatement(key, headers[STATEMENT_HEADER] ?? '', headers[SIGNATURE_HEADER] ?? '')

test('a token says its cluster and gives the key that both sides make of it; two are never the same', () => {
  const token = newAgentToken('prod.eu-1')
  expect(token.text).toMatch(/^spa_prod\.eu-1_[\w-]{43}$/u)
  expect(readAgentToken(`${token.text}\n`)).toEqual({ cluster: 'prod.eu-1', key: token.key })
  expect(newAgentToken('prod.eu-1').key).not.toEqual(token.key)
})

test('the secret of one cluster signs for no other', () => {
  const token = newAgentToken('one')
  const moved = readAgentToken(token.text.replace('spa_one_', 'spa_two_'))
  expect(moved?.cluster).toBe('two')
  expect(moved?.key).not.toEqual(token.key)
})

test.each(['', 'spt_abc', 'spa_one_short', `spa_One_${'a'.repeat(43)}`, `spa_one_${'a'.repeat(44)}`])(
  '"%s" is no token of an agent',
  (text) => {
    expect(readAgentToken(text)).toBeUndefined()
  },
)

test('what was signed is read back, and nothing that was changed, cut or signed by another', () => {
  const { key } = newAgentToken('one')
  const headers = signedHeaders(key, statement)
  expect(read(key, headers)).toEqual(statement)
  expect(read(newAgentToken('one').key, headers)).toBeUndefined()
  const other = signedHeaders(key, { ...statement, host: 'other' })
  expect(read(key, { ...headers, [STATEMENT_HEADER]: other[STATEMENT_HEADER] ?? '' })).toBeUndefined()
  expect(read(key, { ...headers, [SIGNATURE_HEADER]: '' })).toBeUndefined()
  expect(read(key, { ...headers, [SIGNATURE_HEADER]: 'ä'.repeat(64) })).toBeUndefined()
})
