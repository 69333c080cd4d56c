import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { safeRedirect } from './redirect.ts'

const PUBLIC = 'https://septet.example.com'
const LOCAL = 'http://127.0.0.1:7070'

describe('an address of the site itself is honored', () => {
  test.each([
    [PUBLIC, 'https://septet.example.com/'],
    [PUBLIC, 'https://septet.example.com/auth?next=%2Fdashboard'],
    [PUBLIC, 'HTTPS://SEPTET.EXAMPLE.COM:443/auth'],
    [LOCAL, 'http://127.0.0.1:7070/auth'],
    [LOCAL, 'http://localhost:5173/auth'],
    [LOCAL, 'http://[::1]:9999/'],
  ])('site %s, asked for %s', (site, wanted) => {
    expect(safeRedirect(wanted, site)).toBe(new URL(wanted).href)
  })
})

describe('any other address leads to the site', () => {
  test.each([
    undefined,
    '',
    '/auth',
    '//evil.example',
    '\\\\evil.example',
    'https:evil.example',
    'https:/evil.example',
    'https:///evil.example',
    'https://evil.example/',
    'http://septet.example.com/',
    'https://septet.example.com:8443/',
    'https://septet.example.com.evil.example/',
    'https://septet.example.com./',
    'https://septet.example.com@evil.example/',
    'https://user@septet.example.com/',
    'https://user:password@septet.example.com/',
    'https://@septet.example.com/',
    'https://septet.example.com\\@evil.example/',
    'https://evil.example\\.septet.example.com/',
    'https://evil.example#.septet.example.com/',
    'https://evil.example?.septet.example.com/',
    'https://septet%2Eexample.com/',
    'https://septet.example。com/',
    'https://ｓeptet.example.com/',
    'https://septet.exa\nmple.com/',
    '\thttps://septet.example.com/',
    ' https://septet.example.com/',
    'https://septet.example.com/\u0000',
    'https://septet.example.com/\r\nset-cookie: a=b',
    'javascript:alert(1)//https://septet.example.com/',
    'java\nscript:alert(1)',
    'data:text/html,hello',
    'blob:https://septet.example.com/1',
    'ftp://septet.example.com/',
    `https://septet.example.com/${'a'.repeat(2100)}`,
  ])('%s', (wanted) => {
    expect(safeRedirect(wanted, PUBLIC)).toBe('https://septet.example.com/')
  })
  test.each([
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0x7f.0.0.1/',
    'http://0177.0.0.1/',
    'http://127.1/',
    'http://127.0.0.1./',
    'http://１２７.0.0.1/',
    'http://[0:0:0:0:0:0:0:1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://localhost.evil.example/',
    'http://127.0.0.1.evil.example/',
    'https://127.0.0.1:7070/',
    'http://0.0.0.0/',
    'http://10.0.0.1/',
  ])('loopback in disguise: %s', (wanted) => {
    expect(safeRedirect(wanted, LOCAL)).toBe('http://127.0.0.1:7070/')
  })
  test('loopback is not the site of a public one', () => {
    expect(safeRedirect('http://localhost:3000/', PUBLIC)).toBe('https://septet.example.com/')
  })
})

describe('whatever is asked for', () => {
  const RESERVED = [
    'code',
    'error',
    'error_code',
    'error_description',
    'access_token',
    'refresh_token',
    'token_hash',
    'sb',
  ]
  const pieces = [
    ['https:', 'http:', 'javascript:', '//', '/', '\\', '@', '#', '?', '.', ':', '%2f', '%5c', '\n', '\t', ' '],
    ['septet.example.com', 'evil.example', '127.0.0.1', 'localhost', '443', '0x7f000001', '[::1]', '。', '\u0000'],
  ]
  const piece = fc.constantFrom(...pieces.flat())
  const hostile = fc.array(fc.oneof(piece, fc.string({ maxLength: 3 })), { maxLength: 12 }).map((all) => all.join(''))

  test('the answer is on the public site', () => {
    fc.assert(
      fc.property(fc.oneof(hostile, fc.webUrl(), fc.string({ unit: 'binary' })), (wanted) => {
        const url = new URL(safeRedirect(wanted, PUBLIC))
        expect([url.origin, url.username, url.password, url.hash]).toEqual([PUBLIC, '', '', ''])
      }),
      { numRuns: 2000 },
    )
  })
  test('the answer is on this machine where the site is', () => {
    fc.assert(
      fc.property(fc.oneof(hostile, fc.webUrl()), (wanted) => {
        const url = new URL(safeRedirect(wanted, LOCAL))
        expect(url.protocol).toBe('http:')
        expect(['127.0.0.1', 'localhost', '[::1]']).toContain(url.hostname)
      }),
      { numRuns: 2000 },
    )
  })
  test('its own addresses come through, with path and query', () => {
    fc.assert(
      fc.property(fc.webPath(), fc.webQueryParameters(), (path, query) => {
        const own = new URL(`${PUBLIC}${path === '' ? '/' : path}`)
        own.search = query
        fc.pre(own.href.length < 2048 && !RESERVED.some((name) => own.searchParams.has(name)))
        expect(safeRedirect(own.href, PUBLIC)).toBe(own.href)
      }),
    )
  })
})

test('a link cannot bring an answer of its own along', () => {
  expect(
    safeRedirect('https://septet.example.com/auth?code=mine&next=a&error=x&token_hash=b#access_token=mine', PUBLIC),
  ).toBe('https://septet.example.com/auth?next=a')
})
