import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { admits, foldEmail, isEmail, needAdmitted, needEmail } from './admission.ts'
import type { AuthorizedEmails } from './auth-config.ts'

const owner: AuthorizedEmails = { admin: 'admin@kite.io', others: [], anyone: false }
const team: AuthorizedEmails = { admin: 'admin@kite.io', others: ['ann@b.example', '*@c.example'], anyone: false }

describe('the owner’s address', () => {
  test.each([
    'admin@kite.io',
    'ADMIN@KITE.IO',
    'Admin@Kite.io',
    ' admin@kite.io',
    'admin@kite.io  ',
    '\tadmin@kite.io\r\n',
  ])('%j is it', (email) => expect(admits(owner, email)).toBe(true))
  test.each([
    ['a label', 'admin+gpu@kite.io'],
    ['a dot', 'ad.min@kite.io'],
    ['a Cyrillic a', 'аdmin@kite.io'],
    ['a Cyrillic i', 'admіn@kite.io'],
    ['a fullwidth a', 'ａdmin@kite.io'],
    ['a fullwidth at sign', 'admin＠kite.io'],
    ['a dotless i', 'admın@kite.io'],
    ['a dotted capital I', 'ADMİN@KITE.IO'],
    ['a Kelvin sign', 'admin@\u212Aite.io'],
    ['a ligature', 'admin@kite.i\u1D0F'],
    ['a zero-width joiner', 'ad\u200Dmin@kite.io'],
    ['a soft hyphen', 'ad\u00ADmin@kite.io'],
    ['a byte order mark', '\uFEFFadmin@kite.io'],
    ['a no-break space', 'admin@kite.io\u00A0'],
    ['a right-to-left mark', 'admin@kite.io\u200F'],
    ['a NUL', 'admin@kite.io\u0000'],
    ['a NUL and more', 'admin@kite.io\u0000@evil.example'],
    ['a second address', 'admin@kite.io,evil@evil.example'],
    ['a name', 'Admin <admin@kite.io>'],
    ['quotes', '"admin"@kite.io'],
    ['a comment', 'admin(x)@kite.io'],
    ['a second at', 'admin@kite.io@evil.example'],
    ['a trailing dot', 'admin@kite.io.'],
    ['half a surrogate', 'admin\uD800@kite.io'],
    ['nothing', ''],
    ['a million letters', `${'a'.repeat(1_000_000)}@kite.io`],
    ['only the host', '@kite.io'],
    ['only the name', 'admin'],
  ])('with %s it is not', (_what, email) => {
    expect(admits(owner, email)).toBe(false)
    expect(() => needAdmitted({ config: { authorized: owner } as never }, email)).toThrow(
      'Sign up is restricted to authorized users only',
    )
  })
})

describe('lists', () => {
  test.each([
    ['ann@b.example', true],
    ['bob@b.example', false],
    ['anyone@c.example', true],
    ['ANYONE@C.EXAMPLE', true],
    ['anyone@sub.c.example', false],
    ['anyone@xc.example', false],
    ['anyone@c.example.evil.example', false],
    ['*@c.example', true],
    ['*@b.example', false],
    ['anyone@', false],
  ])('%s: %s', (email, admitted) => expect(admits(team, email)).toBe(admitted))
  test('anyone is anyone with an address', () => {
    const everyone = { ...owner, anyone: true }
    expect(admits(everyone, 'x@y.example')).toBe(true)
    expect(admits(everyone, 'no address')).toBe(false)
  })
})

test('folding is idempotent, changes nothing beyond ASCII letters and the spaces around, and makes no strangers equal', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const folded = foldEmail(text)
      expect(foldEmail(folded)).toBe(folded)
      expect(folded.replaceAll(/[a-z]/gu, '')).toBe(
        text.replaceAll(/^[ \t\r\n]+|[ \t\r\n]+$/gu, '').replaceAll(/[A-Za-z]/gu, ''),
      )
    }),
  )
})

test('only the owner’s own letters are admitted, whatever is changed in them', () => {
  fc.assert(
    fc.property(fc.nat(12), fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }), (at, character) => {
      const changed = `${owner.admin.slice(0, at)}${character}${owner.admin.slice(at + 1)}`
      expect(admits(owner, changed)).toBe(
        /^\s*admin@kite\.io\s*$/iu.test(changed) && isEmail(foldEmail(changed)) && foldEmail(changed) === owner.admin,
      )
    }),
  )
})

test('addresses that people have are taken, also beyond ASCII', () => {
  for (const email of [
    'a@b.co',
    "o'neil+x@sub.domain.example",
    'jörg@müller.example',
    'x@xn--mller-kva.example',
    'dev@localhost',
  ]) {
    expect(needEmail(email)).toBe(email)
  }
  expect(() => needEmail('a b@c.example')).toThrow('Unable to validate email address: invalid format')
})
