import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, test } from 'vitest'

import type { Figure } from '../benchmark.ts'
import { codeLines } from '../code-lines.ts'
import { figuresPage, type Measurement } from './figures-page.ts'
import { judgeAim } from './judge-aim.ts'
import { currentFigures } from './write-figures.ts'

const docs = join(import.meta.dirname, '../../docs')

const given = (aim: string, figure: number, more: Partial<Figure> = {}): Figure => ({
  name: 'a figure',
  figure,
  unit: '',
  aim,
  ...more,
})

describe('judgeAim', () => {
  const beside = { baseline: { name: 'baseline', figure: 100 } }

  test.each<[Figure, boolean | undefined]>([
    [given('≤ 50 ms', 50, { unit: 'ms' }), true],
    [given('≤ 50 ms', 50.1, { unit: 'ms' }), false],
    [given('≤ 1,500 ms', 1514, { unit: 'ms' }), false],
    [given('under 1 s', 115, { unit: 'ms' }), true],
    [given('under 1 s', 1000, { unit: 'ms' }), false],
    [given('≤ 5 ms, or 200 a second cannot be answered', 1.2, { unit: 'ms a question' }), true],
    [given('≤ 0.25 of a core', 0.31, { unit: 'cores' }), false],
    [given('≥ 55', 54.9, { unit: '/s' }), false],
    [given('> 16 % (published elsewhere)', 15.3, { unit: '%' }), false],
    [given('beat 46, aim ≤ 44', 45, { unit: 'GPUs' }), false],
    [given('0', 1, { unit: 'requests' }), false],
    [given('all', 25, { unit: 'of 30' }), false],
    [given('all', 30, { unit: 'of 30' }), true],
    [given('20 µs, not growing with the fleet', 16, { unit: 'µs' }), true],
    [given('20 a second', 19.6, { unit: 'a second' }), false],
    [given('optimum 21239', 21_240, { unit: 'GPUs' }), false],
    [given('100, as many as the limit allows', 100, { unit: 'changes' }), true],
    [given('94.96 (98 % of the ceiling 96.9)', 94, { unit: '% of GPUs' }), false],
    [given('above FGD', 101, beside), true],
    [given('above FGD', 99, beside), false],
    [given('skill > 0', 99, beside), true],
    [given('skill > 0', 101, beside), false],
    [given('forecast within the interval', 0.1, { note: '95 % 0.01 to 0.10: inside' }), true],
    [given('forecast within the interval', 0.1, { note: '95 % 0.01 to 0.10: not inside' }), false],
    [given('not growing with the fleet', 16, { unit: 'µs' }), undefined],
  ])('%o', (figure, reached) => expect(judgeAim(figure)).toEqual({ aim: figure.aim, reached }))

  test('an aim holds only for what it names', () => {
    const aim = '≤ 90 on /, ≤ 120 on /auth'
    expect(judgeAim(given(aim, 100, { name: '/: bytes of script' }))).toEqual({ aim: '≤ 90 on /', reached: false })
    expect(judgeAim(given(aim, 100, { name: '/auth: bytes of script' }))).toEqual({
      aim: '≤ 120 on /auth',
      reached: true,
    })
    expect(judgeAim(given('≤ 1,500 ms on /', 2133, { name: '/auth: largest paint', unit: 'ms' }))).toBeUndefined()
    expect(judgeAim({ name: 'without one', figure: 1, unit: 'ms' })).toBeUndefined()
  })
})

describe('the page of figures', () => {
  const made: Measurement = {
    name: 'made',
    description: 'Measured for a test.',
    command: 'npm run bench -- made --receipt',
    date: '2026-11-25',
    machine: { cores: 2, memoryGib: 24, node: '24.21.0' },
    stale: false,
    figures: [
      { name: 'fast | small', figure: 12_345.6, unit: 'ms', aim: '≤ 20,000 ms' },
      { name: 'slow', figure: 3.21056, unit: 's', aim: '≤ 3 s', baseline: { name: 'idle', figure: 1 } },
      { name: 'aside', figure: 1, unit: 's' },
    ],
  }

  test('says of each figure whether it reaches its aim, and first which do not', () => {
    const page = figuresPage([made])
    expect(page).toContain('Of 2 figures with an aim, 1 reach it and 1 do not.')
    expect(page).toContain('| slow | 3.211 s | ≤ 3 s | [made](#made) |')
    expect(page).toContain('| slow | 3.211 s | idle: 1 | ≤ 3 s | **not reached** |  |')
    expect(page).toContain('| fast \\| small | 12,346 ms |  | ≤ 20,000 ms | yes |  |')
    expect(page).toContain('2026-11-25, 2 cores, 24 GiB, Node 24.21.0: `npm run bench -- made --receipt`.')
    expect(page).not.toContain('| aside')
  })

  test('marks what measured other code than there is now', () => {
    const page = figuresPage([made, { ...made, name: 'older', stale: true }])
    expect(page).toContain('Of 2 measurements, 1 are older than the code that they measured, and say so.')
    expect(page).toContain('receipts/older.json). **Its code has changed since.**')
    expect(page).not.toContain('receipts/made.json). **Its')
  })

  test('a receipt of which it would show nothing is not left out in silence', () => {
    expect(() => figuresPage([{ ...made, figures: [] }])).toThrow('docs/receipts/made.json')
  })

  test('is what the receipts say: `npm run bench -- --figures` writes it', () => {
    expect(readFileSync(join(docs, 'figures.md'), 'utf8')).toBe(currentFigures())
  })

  test('tells the size of the code within 3%: `npm run bench -- house --receipt` counts it again', () => {
    const receipt: Measurement = JSON.parse(readFileSync(join(docs, 'receipts/house.json'), 'utf8'))
    const told = receipt.figures.find(({ name }) => name.startsWith('lines of code'))?.figure ?? 0
    const { code } = codeLines(['packages', 'apps', 'bench', 'scripts', 'test'])
    expect(Math.abs(told / code - 1)).toBeLessThan(0.03)
  })
})
