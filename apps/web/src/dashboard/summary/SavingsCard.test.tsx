import type { FigureView } from '@septet/contract'
import { Tooltip } from 'radix-ui'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { describe, expect, test } from 'vitest'

import { SavingsCard } from './SavingsCard.tsx'

const figure = (value: number | null, rest: Partial<FigureView> = {}): FigureView => ({
  value,
  unit: 'USD',
  quality: value === null ? 'unknown' : 'measured',
  because: null,
  coverage: null,
  explain: { formula: '', window: null, source: '' },
  ...rest,
})
const NONE = figure(null)
const estimated = (value: number) => figure(value, { unit: 'USD/mo', quality: 'estimated' })
const SURE = { interval: { low: 256.45, high: 800.37 } }

const markupOf = (some: { verified?: FigureView; freed?: FigureView }): string =>
  renderToStaticMarkup(
    <MemoryRouter initialEntries={['/?cluster=demo']}>
      <Tooltip.Provider>
        <SavingsCard
          savings={{
            verified: NONE,
            freed: NONE,
            bill: estimated(84_210),
            capacity: estimated(23_400),
            waste: NONE,
            note: 'What the open recommendations would take off the bill',
            change: null,
            ...some,
          }}
        />
      </Tooltip.Provider>
    </MemoryRouter>,
  )

const textOf = (some: Parameters<typeof markupOf>[0]): string =>
  markupOf(some)
    .replaceAll(/<[^>]+>/gu, ' ')
    .replaceAll(/\s+/gu, ' ')

describe('the savings card', () => {
  test('says None yet while nothing is verified', () => {
    expect(textOf({})).toMatch(/\$84\.2K \/mo estimated.*Verified None yet Capacity freed \$23\.4K/u)
  })

  test('leads to the recommendations that the estimate is made of', () => {
    expect(markupOf({})).toContain('href="/actions?cluster=demo&amp;kind=remove-node"')
  })

  test('says what was freed with its interval, apart from what is estimated and from the bill', () => {
    const text = textOf({ freed: figure(528.41, SURE) })
    expect(text).toMatch(/\$84\.2K \/mo estimated/u)
    expect(text).toMatch(/Capacity freed, verified \$528 \$256 to \$800 Capacity freed, estimated \$23\.4K/u)
    expect(text).not.toContain('None yet')
  })

  test('leads with what fell off the bill in truth, once there is any', () => {
    expect(textOf({ verified: figure(528.41, SURE) })).toMatch(
      /\$528 verified Measured after nodes were removed: \$256 to \$800 Off the bill, estimated \$84\.2K/u,
    )
  })
})
