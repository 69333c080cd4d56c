import { randomFrom } from '../../bench/random-from.ts'

/** What readers stumble over, put anywhere. */
const TOKENS = [
  '',
  '\0',
  '\uFEFF',
  '\uD800',
  '\u2028',
  '\r\n',
  '\t',
  ' ',
  '"',
  "'",
  '`',
  '\\',
  '{',
  '}',
  '[',
  ']',
  '(',
  ')',
  '<',
  ':',
  ',',
  '|',
  '>',
  '-',
  '---\n',
  '...',
  '&a ',
  '*a',
  '<<: *a\n',
  '!!binary ',
  '#',
  '%',
  '$',
  '=',
  '=~',
  '!~',
  'NaN',
  '-Inf',
  '+Inf',
  '1e309',
  '-1',
  '0',
  '-0',
  '0x10',
  '9007199254740993',
  '99999999999999999999999',
  '1e-400',
  'null',
  'true',
  'undefined',
  '__proto__',
  'constructor',
  'toString',
  '[]',
  '{}',
  '1g.5gb',
  '7g.80gb.me',
  '2026-02-30T25:61:61Z',
  '+99999-01-01',
  'Ki',
  'm',
  'µ',
  'ⅷ',
  '𝟙',
  'İ',
] as const

/** The input of that number: one of the seeds, changed up to eight times. The same seeds and number give the same input. */
export function inputOf(seeds: readonly string[], number: number): string {
  const random = randomFrom(number)
  const below = (limit: number): number => Math.floor(random() * limit)
  const one = (): string => seeds[below(seeds.length)] ?? ''
  let text = one()
  // One in sixteen stays as it is: readers keep what they have seen.
  for (let turns = below(16) === 0 ? 0 : 1 + below(8); turns > 0; turns -= 1) text = changed(text, { below, one })
  return text.slice(0, MOST)
}

const MOST = 300_000

type Chance = { readonly below: (limit: number) => number; readonly one: () => string }
type Cut = Record<'text' | 'head' | 'part' | 'tail' | 'token', string> & Chance

/** Ways to change a text at one place. */
const CHANGES: readonly ((cut: Cut) => string)[] = [
  ({ head, tail }) => head + tail,
  ({ head, part, token, tail }) => head + part + token + tail,
  ({ head, token, tail }) => head + token + tail,
  ({ head, part, tail, below }) => head + part.repeat(2 + below(below(8) === 0 ? 4000 : 8)) + tail,
  ({ head, text, below }) => head + String.fromCharCode(below(256)) + text.slice(head.length + 1),
  ({ head, one, below }) => head + one().slice(below(64)),
  ({ head }) => head,
  ({ text, token }) => text.replace(/\d+(?:\.\d+)?/u, token === '' ? '-1' : token),
  ({ head, token, tail, below }) => head + token.repeat(1 + below(below(8) === 0 ? 20_000 : 16)) + tail,
]

function changed(text: string, chance: Chance): string {
  const { below } = chance
  const from = below(text.length + 1)
  const to = Math.min(text.length, from + below(1 + below(64)))
  const token = TOKENS[below(TOKENS.length)] ?? ''
  const cut = { text, head: text.slice(0, from), part: text.slice(from, to), tail: text.slice(to), token, ...chance }
  return CHANGES[below(CHANGES.length)]?.(cut) ?? text
}
