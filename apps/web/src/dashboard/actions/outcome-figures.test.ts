import { SECONDS_PER_DAY } from '@septet/domain/units'
import type { ScenarioOutcome } from '@septet/domain'
import { describe, expect, test } from 'vitest'

import { OUTCOME_COLUMNS } from './outcome-figures.ts'

const WINDOW = { from: '2026-11-13T00:00:00Z', to: '2026-11-20T00:00:00Z' }
const KNOWN: ScenarioOutcome = {
  way: 'best-fit',
  gpus: 32,
  usedPeak: 20,
  usedMean: 15,
  needed: 24,
  needs: [],
  busy: 0.4,
  measured: 0.9,
  runnable: 100,
  impossible: 0,
  started: 100,
  queuedMean: 1.5,
  queuedPeak: 7,
  waitP50: 0,
  waitP95: SECONDS_PER_DAY,
  waitAtLeast: false,
  stranded: 0.5,
  costPerMonth: 9000,
  costNeeded: 7000,
  unpriced: 0,
  costPerUsefulHour: 5,
  overTime: { step: 3600, used: [], queued: [] },
}

const figureOf = (id: string, change: Partial<ScenarioOutcome> = {}) => {
  const column = OUTCOME_COLUMNS.find((each) => each.id === id)
  if (column === undefined) throw new Error(`no column ${id}`)
  return column.figure({ ...KNOWN, ...change }, WINDOW)
}
const because = (id: string, change: Partial<ScenarioOutcome> = {}) => figureOf(id, change).because

describe('the figures of one way', () => {
  test('are each estimated, and name the time they are of and where they are from', () => {
    for (const { figure } of OUTCOME_COLUMNS) {
      const { value, quality, explain } = figure(KNOWN, WINDOW)
      expect(value).not.toBeNull()
      expect([quality, explain.window, explain.source]).toEqual(['estimated', WINDOW, 'simulated; see Assumptions'])
    }
  })

  test('are unknown and say why where the simulation has no number, never 0', () => {
    const nothing = {
      needed: null,
      busy: null,
      waitP50: null,
      waitP95: null,
      costNeeded: null,
      costPerUsefulHour: null,
    }
    const missing = OUTCOME_COLUMNS.map(({ id, figure }) => [id, figure({ ...KNOWN, ...nothing }, WINDOW)] as const)
      .filter(([, { quality }]) => quality === 'unknown')
      .map(([id, { value, because: words }]) => [id, value, words])
    expect(missing).toEqual([
      ['needed', null, 'Pods still wait on a fleet eight times larger.'],
      ['busy', null, 'Utilization was measured for less than half of this work.'],
      ['p50', null, 'No pod started.'],
      ['p95', null, 'No pod started.'],
      ['cost', null, 'The number of GPUs needed is unknown.'],
      ['useful', null, 'Utilization was measured for less than half of this work.'],
    ])
  })

  test('keep a wait of nothing and an unused fleet apart from what is not known', () => {
    const idle = { waitP50: 0, busy: 0, stranded: 0, queuedMean: 0 }
    for (const id of ['p50', 'busy', 'stranded', 'queued'])
      expect(figureOf(id, idle)).toMatchObject({ value: 0, quality: 'estimated' })
  })

  test('say how much of the work was measured beside what depends on it', () => {
    expect([figureOf('busy').coverage, figureOf('useful').coverage, figureOf('peak').coverage]).toEqual([
      0.9,
      0.9,
      null,
    ])
  })
})

describe('a figure that needs a remark', () => {
  test.each([
    ['queued', { impossible: 1 }, '1 pod fits no GPU of this fleet and is not in it.'],
    ['queued', { impossible: 3 }, '3 pods fit no GPU of this fleet and are not in it.'],
    ['queued', {}, null],
    ['p95', { waitAtLeast: true }, 'At least: pods that never started count with their time so far.'],
    ['cost', { costNeeded: null, unpriced: 1 }, '1 GPU has no price; the fleet above takes one.'],
    ['cost', { costNeeded: null, unpriced: 8 }, '8 GPUs have no price; the fleet above takes one.'],
    ['useful', { costPerUsefulHour: null }, 'A GPU price is missing above, or this work kept no GPU busy.'],
  ])('%s of %j says %j', (id, change, words) => expect(because(id, change)).toBe(words))
})
