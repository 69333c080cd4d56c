import { OPERATIONS, type FigureView, type Operation, type OperationKey } from '@septet/contract'
import { DAY_MS, HOUR_MS, instant, type ClusterRecord, type Instant, type Store } from '@septet/domain'
import { DRAWN_AT, draw } from '@septet/domain/testing'
import { openTestStore } from '@septet/storage/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'

import type { ClusterFacts } from '../../facts.ts'
import { factsOf } from './facts.fixture.ts'
import { standingAsk } from './standing-answers.fixture.ts'

const NOW = instant(DRAWN_AT + 2 * HOUR_MS)
/** All figures of the drawn cluster are of the two hours from `DRAWN_AT`. */
const SNAPSHOT = draw`
  a  A100-SXM4-80GB  [3g.40gb lab/train]
  b  H100-80GB-HBM3  [lab/chat]`
const RECORD: ClusterRecord = { id: 'drawn', name: 'Drawn', kind: 'cluster', createdAt: instant(0) }

const SAYS =
  'Septet is still reading the past: 36% is read. Amounts that reach back to it are too low until it is done.'

/** A cluster that still reads its past, of which so much is not read. */
const reading = (to: Instant, record = RECORD): ClusterFacts => ({
  ...factsOf(SNAPSHOT, [], record),
  history: () => ({
    done: 364,
    of: 1000,
    detail: 'Reading past usage (the last days)',
    left: [{ from: instant(DRAWN_AT - 30 * DAY_MS), to }],
  }),
})
const TOUCHING = instant(DRAWN_AT + HOUR_MS)
const BEFORE = DRAWN_AT

let store: Store
beforeAll(async () => void (store = await openTestStore()))
afterAll(() => store.close())

const askOf = (...facts: ClusterFacts[]) => standingAsk({ facts, store, now: () => NOW }, () => undefined)()

const NEEDED: Partial<Record<OperationKey, object>> = {
  workloadsGet: { id: 'lab/Pod/chat' },
  fleetGpu: { gpu: 'GPU-b-0' },
}
const WITH_AGE = Object.entries<Operation>(OPERATIONS).flatMap(([key, { output, method }]) =>
  method === 'GET' && output instanceof z.ZodObject && 'age' in output.shape ? [key as OperationKey] : [],
)
const AgedSchema = z.object({ age: z.string().optional() })

/** Which operations say it, and which do not. */
async function saying(facts: ClusterFacts): Promise<readonly string[]> {
  const ask = askOf(facts)
  const told = await Promise.all(
    WITH_AGE.map(async (key) => {
      const ranged = 'range' in OPERATIONS[key].input.shape ? { range: '24h' } : {}
      try {
        const { age } = AgedSchema.parse(await ask(key, { ...NEEDED[key], ...ranged }))
        return age?.startsWith(SAYS) === true ? [key] : []
      } catch (error) {
        if (error instanceof Error && 'code' in error) return []
        throw error
      }
    }),
  )
  return told.flat()
}

/** Their windows reach further back than the drawn hours. */
const LONGER: ReadonlySet<string> = new Set([
  'costMonths',
  'budgetsList',
  'costDays',
  'costLedger',
  'savingsList',
  'fleetGpu',
  'scenariosInput',
])

const OF_MONEY = [
  'summaryGet',
  'utilizationTrend',
  'costMonths',
  'costBreakdown',
  'costDays',
  'costLedger',
  'costTokens',
  'budgetsList',
  'pricesUsed',
  'findingsList',
  'workloadsList',
  'workloadsGet',
  'queueWaits',
  'openCostCompare',
  'reportGet',
] satisfies readonly OperationKey[]

/** What answers that sum up a window say of its days; one value where they agree. */
const daysOf = async (facts: ClusterFacts) => {
  const ask = askOf(facts)
  const range = '24h' as const
  const answers = await Promise.all([
    ask('summaryGet', { range }),
    ask('costBreakdown', { range }),
    ask('findingsList', { range }),
    ask('workloadsList', { range }),
    ask('workloadsGet', { id: 'lab/Pod/chat', range }),
    ask('queueWaits', { range }),
    ask('utilizationTrend', { range }),
  ])
  return [...new Set(answers.map(({ unknownDays }) => unknownDays))]
}

describe('while the past is being read', () => {
  test('every answer of money or time says how much of it is read', async () => {
    expect(await saying(reading(TOUCHING))).toEqual(expect.arrayContaining(OF_MONEY))
  })

  test('answers of a window that it does not touch say nothing; the months and what is forecast from them do', async () => {
    const told = await saying(reading(BEFORE))
    expect(told.filter((key) => !LONGER.has(key))).toEqual([])
    expect(told).toEqual(expect.arrayContaining(['costMonths', 'budgetsList']))
  })

  test('figures that were worked out before it was read say so still', async () => {
    const facts = reading(TOUCHING)
    const analysis: ClusterFacts['analysis'] = async (range, names) => {
      const found = await facts.analysis(range, names)
      return found && { ...found, history: facts.history() }
    }
    const outdated: ClusterFacts = { ...facts, analysis, history: () => undefined }
    expect(await saying(outdated)).toEqual(
      expect.arrayContaining(['summaryGet', 'costBreakdown', 'workloadsList', 'reportGet']),
    )
    const totals = OPERATIONS.clustersTotals.output.parse(await askOf(outdated)('clustersTotals', { range: '24h' }))
    expect(totals.capacity.because).toBe('Partial in Drawn (36% of its past is read).')
  })

  test('what sums up a window says of how many of its days nothing is known, and 0 where all of it is', async () => {
    const whole = factsOf(SNAPSHOT, [])
    const late: ClusterFacts = {
      ...whole,
      async analysis(range, names) {
        const found = await whole.analysis(range, names)
        if (found === undefined) return found
        const { window } = found.analysis
        const longer = { from: instant(window.from - 3 * DAY_MS), to: window.to }
        return { ...found, analysis: { ...found.analysis, window: longer, asOf: window.to } }
      },
    }
    expect(await daysOf(late)).toEqual([3])
    expect(await daysOf(whole)).toEqual([0])
  })

  test('nothing is said once it is read', async () => {
    expect(await saying(factsOf(SNAPSHOT, []))).toEqual([])
  })

  test('no figure of the summary that is of the window counts as measured', async () => {
    const seen = figuresIn(await askOf(reading(TOUCHING))('summaryGet', { range: '24h' }))
    const before = figuresIn(await askOf(reading(BEFORE))('summaryGet', { range: '24h' }))
    expect(seen.filter((figure) => ofWindow(figure) && figure.quality === 'measured')).toEqual([])
    const partial = seen.filter(({ quality }) => quality === 'partial')
    expect(partial.length).toBeGreaterThan(5)
    for (const { because } of partial) expect(because).toContain(SAYS)
    expect(before.filter((figure) => ofWindow(figure) && figure.quality === 'measured').length).toBeGreaterThan(5)
  })

  test('nor does any of a workload or of waiting', async () => {
    const ask = askOf(reading(TOUCHING))
    const answers = await Promise.all([
      ask('workloadsList', { range: '24h' }),
      ask('workloadsGet', { id: 'lab/Pod/chat', range: '24h' }),
      ask('queueWaits', { range: '24h' }),
    ])
    for (const answer of answers) {
      const known = figuresIn(answer).filter(ofWindow)
      expect(known.length).toBeGreaterThan(0)
      expect(known.filter(({ quality }) => quality === 'measured')).toEqual([])
    }
  })

  test('a month that is not all read is partial', async () => {
    const { months } = OPERATIONS.costMonths.output.parse(await askOf(reading(TOUCHING))('costMonths', {}))
    for (const { baseline } of months) expect(baseline).toMatchObject({ quality: 'partial' })
  })

  test('the total of all clusters is partial, and names who still reads with its share', async () => {
    const other = factsOf(draw`c  H100-80GB-HBM3  [lab/z]`, [], { ...RECORD, id: 'other', name: 'Other' })
    const totals = OPERATIONS.clustersTotals.output.parse(
      await askOf(reading(TOUCHING), other)('clustersTotals', { range: '24h' }),
    )
    for (const name of ['capacity', 'used', 'unallocated'] as const) {
      expect(totals[name]).toMatchObject({ quality: 'partial', because: 'Partial in Drawn (36% of its past is read).' })
    }
    const [drawn, whole] = totals.clusters
    expect(drawn).toMatchObject({ age: SAYS, figures: { capacity: { quality: 'partial', because: SAYS } } })
    const measured = Object.entries(drawn?.figures ?? {}).filter(([, { quality }]) => quality === 'measured')
    expect(measured.map(([name]) => name)).toEqual(['gpus'])
    expect(whole).toMatchObject({ figures: { capacity: { quality: 'measured' } } })
  })

  test('what is kept of a tenant says it among its notes', async () => {
    const ask = askOf(reading(TOUCHING))
    await ask('tenantsPut', { tenants: [{ name: 'gold', namespaces: ['lab'], labels: {} }] })
    const { clusters } = OPERATIONS.tenantsExport.output.parse(await ask('tenantsExport', { tenant: 'gold' }))
    expect(clusters[0]?.notes).toContain(SAYS)
  })

  test('what is listed of a cluster holds no more than how far it is', async () => {
    const { clusters } = OPERATIONS.clustersList.output.parse(await askOf(reading(TOUCHING))('clustersList', {}))
    expect(clusters[0]?.history).toEqual({ done: 364, of: 1000, detail: 'Reading past usage (the last days)' })
  })
})

const ofWindow = ({ explain, value }: FigureView): boolean => explain.window !== null && value !== null
const isFigure = (value: object): value is FigureView => 'quality' in value && 'explain' in value

/** Every figure within an answer. */
function figuresIn(value: unknown): FigureView[] {
  if (typeof value !== 'object' || value === null) return []
  return isFigure(value) ? [value] : Object.values(value).flatMap(figuresIn)
}
