import { describe, expect, test } from 'vitest'
import { readYaml } from './read-yaml.ts'

test('is read as JSON is, and by the rules of YAML 1.2', () => {
  const json = { a: [1, 'é\u2028', null, true, { b: '2026-01-01' }], 'insecure-skip-tls-verify': false }
  expect(readYaml(JSON.stringify(json))).toEqual(json)
  expect(readYaml('a: yes\nb: 2026-01-01T00:00:00Z\nc: 1234:5678\nd: &x {e: 1}\nf: *x')).toEqual({
    a: 'yes',
    b: '2026-01-01T00:00:00Z',
    c: '1234:5678',
    d: { e: 1 },
    f: { e: 1 },
  })
})

describe('what cannot be read is said in one line, with its place', () => {
  test.each([
    ['a: 1\na: 2', 'Map keys must be unique at line 2, column 1'],
    ['a: "x', 'Missing closing "quote at line 1, column 6'],
    ['a: 1\n---\nb: 2', /^Source contains multiple documents.* at line 2, column 1$/u],
    ['a: !!binary aGVsbG8=', /^Unresolved tag: \S*binary at line 1, column 4$/u],
    ['a: !vault x', 'Unresolved tag: !vault at line 1, column 4'],
  ])('%j', (text, words) =>
    expect(() => readYaml(text)).toThrow(expect.objectContaining({ message: expect.stringMatching(words) })),
  )

  test('and aliases that grow without end are not', () => {
    const levels = Array.from({ length: 9 }, (_, level) => `l${level + 1}: &l${level + 1} [${`*l${level},`.repeat(9)}]`)
    expect(() => readYaml(['l0: &l0 [x]', ...levels].join('\n'))).toThrow('Excessive alias count')
  })
})
