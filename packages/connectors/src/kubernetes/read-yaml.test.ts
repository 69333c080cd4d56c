import { Session } from 'node:inspector/promises'
import { describe, expect, test } from 'vitest'
import { OWN_FILE, readYaml, readYamlDocuments } from './read-yaml.ts'

const refusalOf = (text: string): string => {
  try {
    readYaml(text)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  return 'not refused'
}

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
  expect(readYaml('a: &x {b: 1, c: 2}\nd: {<<: *x, c: 3}')).toMatchObject({ d: { b: 1, c: 3 } })
})

test('a name that objects have by themselves is a key as any other', () => {
  const read = readYaml('__proto__: {polluted: true}\nconstructor: 1')
  expect(Object.keys(Object(read))).toEqual(['__proto__', 'constructor'])
  expect('polluted' in Object(read)).toBe(false)
})

describe('what cannot be read is said in one line, with its place', () => {
  test.each([
    ['a: 1\na: 2', 'duplicated mapping key at line 2, column 1'],
    ['a: "x', 'unexpected end of the stream within a double quoted scalar at line 1, column 6'],
    ['a: 1\n---\nb: 2', 'it holds 2 documents, not one'],
    ['# nothing', 'it holds 0 documents, not one'],
    ['a: !!binary aGVsbG8=', /^unknown scalar tag \S*binary\S* at line 1, column 4$/u],
    ['a: !vault x', 'unknown scalar tag !<!vault> at line 1, column 4'],
    ['token: secret\n  more: secret', /^bad indentation of a mapping entry at line \d, column \d+$/u],
  ])('%j', (text, words) => expect(refusalOf(text)).toMatch(words))
})

const keys = (many: number): string => Array.from({ length: many }, (_, at) => `name-of-a-label-${at}: 1\n`).join('')

describe('what is more than a reader should be given is refused', () => {
  const bomb = ['l0: &l0 [x]', ...levels(9)].join('\n')
  const tall = [`l0: &l0 ${nested(60)}`, `l1: &l1 ${nested(60, '*l0')}`].join('\n')
  test.each([
    ['text', `a: ${'x'.repeat(200_000)}`, 'it has more than 200 kB'],
    ['aliases that grow without end', bomb, 'it has more than 10000 values, aliases filled in'],
    ['what holds itself', 'a: &a [*a]', 'an alias stands inside what it names'],
    ['values', '- x\n'.repeat(10_001), 'it has more than 10000 values, aliases filled in'],
    [
      'values that are few as written',
      `a: &a [${'x,'.repeat(99)}]\nb: [${'*a,'.repeat(101)}]`,
      'it has more than 10000 values, aliases filled in',
    ],
    ['nesting', '['.repeat(50_000), 'nesting exceeded maxDepth (100) at line 1, column 100'],
    ['nesting by aliases', tall, 'it nests more than 100 levels deep, aliases filled in'],
  ])('%s', (_what, text, words) => expect(refusalOf(text)).toBe(words))

  test('a file of the machine itself may be longer', () => {
    expect(readYaml(keys(25_000), OWN_FILE)).toHaveProperty('name-of-a-label-24999', 1)
  })
  test('documents', () => {
    expect(readYamlDocuments('a: 1\n---\nb: 2\n', { most: 2 })).toEqual([{ a: 1 }, { b: 2 }])
    expect(() => readYamlDocuments('---\na: 1\n'.repeat(3), { most: 2 })).toThrow('it has more than 2 documents')
  })
})

test('200 kB of distinct keys are read, and one that stands twice among them is still found', () => {
  const text = keys(8200)
  expect(text.length).toBeGreaterThan(190_000)
  expect(Object.keys(Object(readYaml(text)))).toHaveLength(8200)
  expect(refusalOf(`${text}name-of-a-label-4000: 2\n`)).toBe('duplicated mapping key at line 8201, column 1')
})

const repeated =
  (text: string) =>
  (times: number): string =>
    text.repeat(times)

/** Twice the text is twice the work: what grows with its square takes a process down at 200 kB. */
describe('the work of reading grows as the text does', () => {
  test.each([
    ['keys of a map', keys],
    ['keys of a map on one line', (times: number) => `{${keys(times).replaceAll('\n', ',')}}`],
    ['keys of a set', (times: number) => keys(times).replaceAll(/^(.*): 1$/gmu, '? $1')],
    ['items', repeated('- x\n')],
    ['closing brackets', repeated(']')],
    ['quotes', repeated('"\n')],
    ['flaws', repeated('a: b: c\n')],
    ['tags', repeated('- !x y\n')],
    ['anchors', (times: number) => Array.from({ length: times }, (_, at) => `- &a${at} x\n`).join('')],
    ['aliases', (times: number) => `- &a x\n${'- *a\n'.repeat(times)}`],
    ['merged keys', (times: number) => `- &a {${keys(9).replaceAll('\n', ',')}}\n${'- {<<: *a}\n'.repeat(times)}`],
    ['documents', repeated('---\n')],
    ['open brackets', repeated('[')],
    ['nested lists', repeated('- ')],
    ['comments', repeated('#\n')],
    ['lines of a text', (times: number) => `a: >\n${' x\n'.repeat(times)}`],
  ])('%s', async (_what, text) => {
    const [once, twice] = [await workOf(text(2000)), await workOf(text(4000))]
    expect(twice / once).toBeLessThan(2.5)
  })
})

function levels(many: number): readonly string[] {
  return Array.from({ length: many }, (_, level) => `l${level + 1}: &l${level + 1} [${`*l${level},`.repeat(9)}]`)
}

function nested(depth: number, inside = 'x'): string {
  return `${'['.repeat(depth)}${inside}${']'.repeat(depth)}`
}

/** How many calls of functions it took to read a text: the same on any machine. */
async function workOf(text: string): Promise<number> {
  const session = new Session()
  session.connect()
  try {
    await session.post('Profiler.enable')
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
    await session.post('Profiler.takePreciseCoverage')
    refusalOf(text)
    const { result } = await session.post('Profiler.takePreciseCoverage')
    const ranges = result.flatMap(({ functions }) => functions.flatMap((each) => each.ranges))
    return ranges.reduce((sum, { count }) => sum + count, 0)
  } finally {
    session.disconnect()
  }
}
