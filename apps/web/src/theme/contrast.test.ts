import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, test } from 'vitest'

type Oklch = readonly [lightness: number, chroma: number, hue: number]

const css = readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8')
const COLOR = String.raw`oklch\(([\d.]+)% ([\d.]+) ([\d.]+)\)`
const ROW = new RegExp(String.raw`--([\w-]+): light-dark\(${COLOR}, ${COLOR}\)`, 'gu')

const tokens = new Map(
  [...css.matchAll(ROW)].map(([, name = '', ...numbers]) => {
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = numbers.map(Number)
    return [name, { light: [a / 100, b, c] as Oklch, dark: [d / 100, e, f] as Oklch }]
  }),
)

/** Relative luminance by WCAG 2.2 of a color by CSS Color 4, out-of-gamut channels clipped as a screen would. */
function luminance([lightness, chroma, hue]: Oklch): number {
  const a = chroma * Math.cos((hue * Math.PI) / 180)
  const b = chroma * Math.sin((hue * Math.PI) / 180)
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  const red = clip(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s)
  const green = clip(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s)
  const blue = clip(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const clip = (channel: number): number => Math.min(1, Math.max(0, channel))

function contrast(one: string, other: string, theme: 'light' | 'dark'): number {
  const [a = 0, b = 0] = [one, other].map((name) => {
    const token = tokens.get(name)
    if (token === undefined) throw new Error(`tokens.css has no --${name}`)
    return luminance(token[theme])
  })
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

const GROUNDS = ['paper', 'surface', 'raised']
const TEXT = [
  ...GROUNDS.flatMap((ground) =>
    ['ink', 'ink-soft', 'ink-quiet', 'busy-ink', 'idle-ink', 'stranded-ink', 'fault-ink', 'accent-ink'].map(
      (ink) => [ink, ground] as const,
    ),
  ),
  ['ink', 'sunken'],
  ['ink-soft', 'sunken'],
  ['ink-quiet', 'sunken'],
  ['paper', 'ink'],
  ['on-busy', 'busy'],
  ['ink', 'busy-soft'],
  ['ink', 'planned'],
  ['ink', 'idle-soft'],
  ['idle-ink', 'idle-soft'],
  ['ink', 'fault-soft'],
  ['fault-ink', 'fault-soft'],
  ['ink-soft', 'unknown-soft'],
] as const

const MARKS = [
  ...GROUNDS.flatMap((ground) =>
    ['busy', 'idle', 'free', 'stranded', 'unknown', 'fault', 'accent'].map((mark) => [mark, ground] as const),
  ),
  ['idle', 'idle-soft'],
  ['stranded', 'stranded-soft'],
  ['unknown', 'unknown-soft'],
  ['busy', 'busy-soft'],
  ['accent', 'sunken'],
] as const

describe.each(['light', 'dark'] as const)('in the %s theme', (theme) => {
  test.each(TEXT)('text in %s reads on %s (4.5:1)', (ink, ground) => {
    expect(contrast(ink, ground, theme)).toBeGreaterThanOrEqual(4.5)
  })

  test.each(MARKS)('a mark in %s is seen on %s (3:1)', (mark, ground) => {
    expect(contrast(mark, ground, theme)).toBeGreaterThanOrEqual(3)
  })
})

test('black on white is 21:1, so that the arithmetic can be trusted', () => {
  const white = luminance([1, 0, 0])
  const black = luminance([0, 0, 0])
  expect((white + 0.05) / (black + 0.05)).toBeCloseTo(21, 1)
})
