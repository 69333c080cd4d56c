import type { ScenarioOutcome, ScenarioResult, ScenarioWay } from '@septet/domain'
import { Tooltip } from 'radix-ui'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'

import { wordsOf } from '../../read-page.fake.ts'
import { liveRecommendations } from '../summary/recommendations.fixture.ts'
import { EvidenceFacts } from './RecommendationPanel.tsx'
import { NeededBars, VerdictLine } from './ScenarioResults.tsx'
import { PhaseBars } from './inbox/PhaseBars.tsx'

const markup = (part: ReactNode): HTMLElement =>
  new DOMParser().parseFromString(renderToStaticMarkup(<Tooltip.Provider>{part}</Tooltip.Provider>), 'text/html').body
const itemsOf = (part: ReactNode): readonly string[] => [...markup(part).querySelectorAll('li')].map(wordsOf)

const outcome = (way: ScenarioWay, change: Partial<ScenarioOutcome>): ScenarioOutcome =>
  ({ way, gpus: 32, usedPeak: 32, needed: 24, costNeeded: null, waitP95: 0, ...change }) as ScenarioOutcome
const result = (outcomes: readonly ScenarioOutcome[], bound: ScenarioResult['bound'] = null): ScenarioResult =>
  ({ length: 3600, outcomes, bound }) as unknown as ScenarioResult

describe('the GPUs that are needed', () => {
  const outcomes = [
    outcome('today', { needed: null }),
    outcome('best-fit', { needed: 30, costNeeded: 20_000 }),
    outcome('septet', { needed: 64 }),
  ]

  test('are four rows at most, each with its dollars, and what was not found or proven is not 0', () => {
    expect(itemsOf(<NeededBars result={result(outcomes)} />)).toEqual([
      'Today’s layout not found',
      'Best fit, as kube-scheduler 30 , $20K/mo',
      'Septet 64',
      'Proven minimum not proven',
    ])
    expect(itemsOf(<NeededBars result={result(outcomes, { gpus: 29, cost: 19_000 })} />).at(-1)).toBe(
      'Proven minimum 29 , $19K/mo',
    )
  })

  test('are drawn to one scale, within which the proven minimum stands too', () => {
    const page = markup(<NeededBars result={result(outcomes, { gpus: 16, cost: null })} />)
    const styles = [...page.querySelectorAll('li [style]')].map((part) => part.getAttribute('style'))
    expect(styles).toEqual(['width:46.875%', 'width:100%', 'width:25%'])
  })
})

test('the answer leads with the sentence that decides, and says what was held out of reach', () => {
  const says = 'Septet’s layout would have held last week on 1 GPU; today’s needed 2: 1 fewer.'
  const told = { says, reasons: ['The fleet has 4 GPUs.'], heldOut: 'Out of reach: moving pods.' }
  const page = markup(<VerdictLine result={{ ...result([]), ...told }} />)
  expect(page.querySelector('h2')?.textContent).toBe(says)
  expect([...page.querySelectorAll('p')].map((line) => line.textContent)).toEqual([
    'The fleet has 4 GPUs.',
    'Out of reach: moving pods.',
  ])
})

describe('the phases of an action', () => {
  test.each([
    ['proposed', ['ahead', 'ahead', 'ahead', 'ahead', 'ahead', 'ahead', 'ahead']],
    ['approved', ['done', 'now', 'ahead', 'ahead', 'ahead', 'ahead', 'ahead']],
    ['applying', ['done', 'done', 'done', 'now', 'ahead', 'ahead', 'ahead']],
    ['verified', ['done', 'done', 'done', 'done', 'done', 'now', 'ahead']],
    ['kept', ['done', 'done', 'done', 'done', 'done', 'done', 'done']],
    ['reverting', ['done', 'done', 'done', 'reverting', 'ahead', 'ahead', 'ahead']],
  ] as const)('%s stand so in words', (state, words) =>
    expect(itemsOf(<PhaseBars state={state} />).map((item) => item.split(' : ')[1])).toEqual(words),
  )

  test.each(['rejected', 'expired', 'cancelled', 'reverted', 'failed'] as const)(
    'are not drawn of one that is %s: it has left the way',
    (state) => expect(itemsOf(<PhaseBars state={state} />)).toEqual([]),
  )
})

describe('the evidence of a recommendation', () => {
  const [removal, sharing] = liveRecommendations().recommendations
  if (removal === undefined || sharing === undefined) throw new Error('the fixture has none')
  const words = (recommendation: typeof removal): string =>
    wordsOf(markup(<EvidenceFacts recommendation={recommendation} />))

  test('has its figures, how much was measured, its rule and the question that gives the same', () => {
    const said = words(removal)
    expect(said).toContain('unallocated, % of its capacity 100 pods to move 0')
    expect(said).toContain('Samples 168 Measured 100% Rule remove-node, version 1')
    expect(said).toMatch(/node\/gpu-b$/u)
  })

  test('says nothing of samples and coverage where nobody knows them', () => {
    const said = words(sharing)
    for (const part of ['Samples', 'Measured', 'Observed over']) expect(said).not.toContain(part)
  })
})
