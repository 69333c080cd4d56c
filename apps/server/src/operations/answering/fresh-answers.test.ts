import { OPERATIONS, type Operation, type OperationKey } from '@septet/contract'
import {
  analyzeCluster,
  DAY_MS,
  HOUR_MS,
  instant,
  MINUTE_MS,
  parseRange,
  spanOfRange,
  type Store,
  type TimeRange,
} from '@septet/domain'
import { DRAWN_AT, draw } from '@septet/domain/testing'
import { openTestStore } from '@septet/storage/testing'
import * as fc from 'fast-check'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { z } from 'zod'

import type { ClusterFacts } from '../../facts.ts'
import { AnalysisCache } from '../../pipeline/analysis-cache.ts'
import { ModelFacts } from '../../read-model/model-facts.ts'
import { ModelWriter } from '../../read-model/model-writer.ts'
import { planRange } from '../../usage/range-plan.ts'
import { factsOf } from './facts.fixture.ts'
import { standingAsk } from './standing-answers.fixture.ts'

const SNAPSHOT = draw`
  a  A100-SXM4-80GB  [3g.40gb lab/train]
  b  H100-80GB-HBM3  [lab/chat]`
const NOTHING_STORED = { '5m': undefined, '1h': undefined, '1d': undefined }

/** What some operations cannot be asked without. */
const NEEDED: Partial<Record<OperationKey, object>> = {
  workloadsGet: { id: 'lab/Pod/chat' },
  fleetGpu: { gpu: 'GPU-b-0' },
}
/** They look ahead: what is tried starts from the window that they name. */
const LOOKS_AHEAD: ReadonlySet<string> = new Set(['scenariosInput'])

/** All that read, and name a window and when the cluster was last read. */
const LOOKING_BACK = Object.entries<Operation>(OPERATIONS).flatMap(([key, { output, method }]) =>
  method === 'GET' && output instanceof z.ZodObject && 'window' in output.shape && 'asOf' in output.shape
    ? [key as OperationKey]
    : [],
)
const HeadSchema = z.object({
  asOf: z.string(),
  window: z.object({ from: z.string(), to: z.string() }).nullable(),
  age: z.string().optional(),
})

let store: Store
beforeAll(async () => void (store = await openTestStore()))
afterAll(() => store.close())
afterEach(() => void vi.useRealTimers())

/** A cluster whose pipeline runs elsewhere: it reads when it is told to, and analyzes unless it is held. */
function openCluster() {
  let now = instant(DRAWN_AT + 2 * HOUR_MS)
  let readAt = now
  let held: PromiseWithResolvers<void> | undefined
  const standing = factsOf(SNAPSHOT, [])
  const cache = new AnalysisCache({
    compute: async ({ range }) => {
      const madeAt = now
      await held?.promise
      const { window } = planRange(range, { now: madeAt, rolledUpTo: instant(0), stored: NOTHING_STORED })
      const totals = { parts: [], trend: [], trendSpan: '5m' } as const
      return { analysis: analyzeCluster({ snapshot: SNAPSHOT, totals, prices: [], window }), trendStep: 300, madeAt }
    },
    clock: () => now,
    maxAgeMs: 10_000,
    onComputed: (of, _tookMs, analysis) => analysis && writer.analyzed(of, analysis),
    onFailure: () => undefined,
  })
  const local: ClusterFacts = {
    ...standing,
    asOf: () => readAt,
    analysis: (range, namespaces) => cache.get(range, namespaces),
  }
  const writer: ModelWriter = new ModelWriter({
    facts: local,
    firstVersion: 0,
    write: (sections) => facts.take(sections),
    answer: (answer) => facts.takeAnswer(answer),
  })
  const facts = new ModelFacts(standing.record, (asking) => void writer.hear(asking))
  return {
    facts,
    now: () => now,
    wait: (ms: number) => (now = instant(now + ms)),
    read() {
      readAt = now
      writer.publish()
    },
    hold: () => (held ??= Promise.withResolvers<void>()),
    release() {
      held?.resolve()
      held = undefined
    },
  }
}

type Cluster = ReturnType<typeof openCluster>

/** Asks all of them at once, as a screen does; gives the heads of those that did not refuse, and how many refused. */
async function heads({ facts, now }: Cluster, range: string) {
  const ask = standingAsk({ facts: [facts], store, now }, () => undefined)()
  const answers = LOOKING_BACK.filter((key) => !LOOKS_AHEAD.has(key)).map(async (key) => {
    const ranged = 'range' in OPERATIONS[key].input.shape ? { range } : {}
    try {
      return { key, head: HeadSchema.parse(await ask(key, { ...NEEDED[key], ...ranged })) }
    } catch (error) {
      if (error instanceof Error && 'code' in error) return { key, refused: error.code }
      throw error
    }
  })
  return Promise.all(answers)
}

/** Those whose window misses the newest reading by more than 5 % of the range and which do not say so. */
function silent(found: Awaited<ReturnType<typeof heads>>, text: string) {
  return found.filter(({ key, head }) => {
    if (head === undefined || head.window === null || head.age !== undefined) return false
    const asOf = instant(Date.parse(head.asOf))
    const window = { from: instant(Date.parse(head.window.from)), to: instant(Date.parse(head.window.to)) }
    const own: TimeRange = { kind: 'custom', window: { from: window.from, to: instant(asOf + DAY_MS) } }
    const asked = 'range' in OPERATIONS[key].input.shape ? (parseRange(text) ?? own) : own
    const span = spanOfRange(asked, asOf)
    const end = Math.min(span.to, asOf)
    const length = asked === own ? window.to - window.from : span.to - span.from
    return Math.abs(end - window.to) > length / 20
  })
}

const RANGES = ['1h', '6h', '24h', '7d', '30d', 'today', 'month', 'last-month'] as const

test('there is something to ask', () => {
  expect(LOOKING_BACK.length).toBeGreaterThan(12)
})

test('whatever is asked, read and paused, an answer ends at the newest reading or says how old it is', async () => {
  const step = fc.record({
    pause: fc.constantFrom(1000, MINUTE_MS, 29 * MINUTE_MS, HOUR_MS, 40 * DAY_MS),
    isRead: fc.boolean(),
    range: fc.constantFrom(...RANGES),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 5 }), async (steps) => {
      const cluster = openCluster()
      cluster.read()
      for (const { pause, isRead, range } of steps) {
        cluster.wait(pause)
        if (isRead) cluster.read()
        const found = await heads(cluster, range)
        expect(found.filter(({ refused }) => refused === 'not-ready')).toEqual([])
        expect(silent(found, range)).toEqual([])
        // Where the cluster is read and analyzed, there is nothing to say: what is new was waited for.
        expect(isRead ? found.filter(({ head }) => head?.age !== undefined) : []).toEqual([])
      }
    }),
    { numRuns: 12 },
  )
}, 60_000)

const soon = async () => void (await vi.advanceTimersByTimeAsync(100))

test('a pipeline that does not analyze is waited for a few seconds, then old figures say so and new ones are refused', async () => {
  const cluster = openCluster()
  cluster.read()
  await heads(cluster, '1h')
  cluster.wait(HOUR_MS)
  cluster.read()
  cluster.hold()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const asked = Promise.all([heads(cluster, '1h'), heads(cluster, '6h')])
  const over = Promise.withResolvers<string>()
  void asked.then(() => over.resolve('over'))
  for (let turn = 0; turn < 200; turn += 1) if ((await Promise.race([over.promise, soon()])) === 'over') break
  vi.useRealTimers()
  const [known, never] = await asked
  expect(silent(known, '1h')).toEqual([])
  expect(known.find(({ key }) => key === 'summaryGet')?.head?.age).toContain('in between is not in them yet')
  expect(never.find(({ key }) => key === 'summaryGet')).toEqual({ key: 'summaryGet', refused: 'not-ready' })
  cluster.release()
  await vi.waitFor(async () => {
    const [summary] = (await heads(cluster, '6h')).filter(({ key }) => key === 'summaryGet')
    expect(summary?.head).toMatchObject({ asOf: new Date(cluster.now()).toISOString() })
    expect(summary?.head?.age).toBeUndefined()
  }, 60_000)
})
