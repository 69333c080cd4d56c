import { instant, type CodeKind } from '@septet/domain'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { writeLetter, type LetterFacts } from './letters.ts'

const KINDS: readonly CodeKind[] = [
  'signup',
  'invite',
  'magiclink',
  'recovery',
  'email_change_current',
  'email_change_new',
  'reauthentication',
]
const facts: LetterFacts = {
  kind: 'recovery',
  to: 'a@example.com',
  code: '012345',
  link: 'https://septet.example.com/auth?token_hash=abc&type=recovery',
  siteUrl: 'https://septet.example.com',
  expiresAt: instant(Date.parse('2026-01-02T04:05:59Z')),
  asked: { at: instant(Date.parse('2026-01-02T03:05:59Z')), ip: '203.0.113.5', by: undefined },
  hasPassword: true,
  newEmail: undefined,
}

const words = (body: string): string => body.replaceAll(/[^A-Za-z0-9]+/gu, ' ').trim()

describe.each(KINDS)('a letter of kind %s', (kind) => {
  test('says what was asked for, by whom, how long it holds and what to do otherwise', () => {
    const { subject, text, html, to } = writeLetter({ ...facts, kind })
    expect(to).toBe('a@example.com')
    expect(subject).toMatch(/^\S.{5,60}$/u)
    expect(text).toContain('https://septet.example.com')
    expect(text).toContain('\n    012345\n')
    expect(text).toContain('Either works once, until 2026-01-02 04:05 UTC.')
    expect(text).toContain('Asked for on 2026-01-02 03:05 UTC from 203.0.113.5.')
    expect(text).toMatch(/If (it was not you|you did not expect this)/u)
    expect(html).toContain('>012345</p>')
    expect(html).toContain('href="https://septet.example.com/auth?token_hash=abc&amp;type=recovery"')
    expect(html).not.toMatch(/<(img|script|link|iframe)/u)
  })
  test('says the same in both forms', () => {
    const { text, html } = writeLetter({ ...facts, kind })
    const shown = html
      .replaceAll(/<head>.*<\/head>/gsu, '')
      .replaceAll(/<[^>]+>/gu, ' ')
      .replaceAll('&amp;', '&')
    expect(words(shown).toLowerCase()).toBe(words(text).toLowerCase())
  })
  test('without a link speaks of none', () => {
    const { text, html } = writeLetter({ ...facts, kind, link: undefined })
    expect(text).not.toContain('link')
    expect(html).not.toContain('<a ')
    expect(text).toContain('It works once')
  })
})

test('whatever people put into it stays text', () => {
  fc.assert(
    fc.property(fc.constantFrom(...KINDS), fc.string(), fc.string(), (kind, by, newEmail) => {
      const asked = { ...facts.asked, by: `${by}<script>"'` }
      const { html } = writeLetter({ ...facts, kind, newEmail: `${newEmail}<img src=x>`, asked })
      expect(
        html
          .match(/<[a-z/!]+/gu)
          ?.filter((tag) => !/^<(\/?(html|head|meta|title|body|div|p|a|br)|!doctype)$/u.test(tag)),
      ).toEqual([])
    }),
  )
})

test('a change of address names the new one to the old one, and the asker to the new one', () => {
  expect(writeLetter({ ...facts, kind: 'email_change_current', newEmail: 'b@example.com' }).text).toContain(
    'b@example.com',
  )
  const asked = { ...facts.asked, by: 'a@example.com' }
  expect(writeLetter({ ...facts, kind: 'email_change_new', to: 'b@example.com', asked }).text).toContain(
    'a@example.com',
  )
})
