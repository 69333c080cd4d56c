import type { FigureView } from '@septet/contract'
import { Tooltip } from 'radix-ui'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'

import { drawGpu } from '../dashboard/gpu/bars.fixture.ts'
import { measured, unknown } from '../dashboard/figures.fixture.ts'
import { Field } from './Field.tsx'
import { FigureText } from './FigureText.tsx'
import { GpusBeforeAfter, type ShownGpu } from './GpusBeforeAfter.tsx'
import { Meter } from './Meter.tsx'

const markup = (part: ReactNode): Document =>
  new DOMParser().parseFromString(renderToStaticMarkup(<Tooltip.Provider>{part}</Tooltip.Provider>), 'text/html')
const labelOf = (part: ReactNode): string | null | undefined =>
  markup(part).querySelector('[aria-label]')?.getAttribute('aria-label')

const figure = (value: FigureView, more: { readonly unknown?: string } = {}): string | null | undefined =>
  labelOf(<FigureText figure={value} name="Busy" {...more} />)

describe('a figure', () => {
  test('is read with its name, its unit and how much of it was measured', () => {
    expect(figure(measured(0.61, 'ratio', 'f'))).toBe('Busy: 61.0%, 94% measured')
    expect(figure({ ...measured(2, 'GPU', 'f'), quality: 'measured' })).toBe('Busy: 2 GPUs')
  })

  test('that is not known is called so, and never 0 nor NaN', () => {
    expect(figure(unknown('USD', 'No price.'))).toBe('Busy: Not measured')
    expect(figure(unknown('USD', 'No price.'), { unknown: 'No price' })).toBe('Busy: No price')
    expect(figure({ ...measured(Number.NaN, 'ratio', 'f'), quality: 'measured' })).toBe('Busy: Not measured')
  })

  test('that is 0 is 0, though other words are at hand', () =>
    expect(figure({ ...measured(0, 'USD', 'f'), quality: 'measured' }, { unknown: 'No price' })).toBe('Busy: $0'))
})

const meter = (value: number | undefined, target?: number) => {
  const page = markup(
    <Meter value={value} label="Busy" words="as told" {...(target === undefined ? {} : { target })} />,
  )
  const [ground, filled] = page.querySelectorAll('rect')
  return { width: filled?.getAttribute('width'), ground: ground?.getAttribute('fill'), page }
}

describe('a meter', () => {
  test('is filled to its share, and never beyond its ends', () => {
    expect([0.25, 1.2, -0.1, 0].map((value) => meter(value).width)).toEqual(['25%', '100%', '0%', '0%'])
  })

  test('has the texture of what was not measured where nothing was, and says what it is told', () => {
    const { width, ground, page } = meter(undefined)
    expect([width, ground]).toEqual([undefined, 'url(#texture-unknown)'])
    expect(page.querySelector('[role=img]')?.getAttribute('aria-label')).toBe('Busy: as told')
    expect(page.querySelector('[aria-valuenow]')).toBeNull()
    expect(meter(0.25).page.querySelector('[role=meter]')?.getAttribute('aria-valuetext')).toBe('as told')
  })

  test('marks what it aims at', () =>
    expect(meter(0.2, 0.6).page.querySelector('span')?.getAttribute('style')).toContain('60%'))
})

const gpu = (index: number): ShownGpu => ({
  node: 'gpu-b',
  before: drawGpu('8:free', { index }),
  after: drawGpu('4:free 4:free', { index }),
})
const words = (gpus: readonly ShownGpu[]): string => markup(<GpusBeforeAfter gpus={gpus} />).body.textContent ?? ''

const many = (count: number): string => words(Array.from({ length: count }, (_, index) => gpu(index)))

describe('GPUs before and after', () => {
  test('are drawn twelve at the most, and the rest is counted', () => {
    expect(many(13)).toContain('and 1 more GPU; the steps name them all')
    expect(many(15)).toContain('and 3 more GPUs; the steps name them all')
    expect(many(12)).not.toContain('the steps name them all')
  })

  test('say that their node goes, and where none of them changes', () => {
    expect(words([{ ...gpu(0), after: null }])).toContain('The node is removed.')
    expect(words([])).toMatch(/^No GPU is repartitioned or removed/u)
  })
})

describe('a field', () => {
  test('has its problem and its note read out with it', () => {
    const page = markup(<Field label="Name" note="Lowercase letters." problem="Ada must be lowercase." />)
    const input = page.querySelector('input')
    const described = (input?.getAttribute('aria-describedby') ?? '').split(' ')
    expect(described.map((id) => page.getElementById(id)?.textContent)).toEqual(
      expect.arrayContaining(['Ada must be lowercase.', 'Lowercase letters.']),
    )
    expect(input?.getAttribute('aria-invalid')).toBe('true')
    expect(page.querySelector('label')?.getAttribute('for')).toBe(input?.id)
  })

  test('without either is described by nothing', () => {
    const input = markup(<Field label="Name" verbatim />).querySelector('input')
    expect([input?.getAttribute('aria-describedby'), input?.getAttribute('aria-invalid')]).toEqual([null, null])
    expect(input?.getAttribute('autocapitalize')).toBe('none')
  })
})
