import {
  addReading,
  ANALYSIS_GROUPS,
  analyzeCluster,
  analyzeNamespaces,
  type ClusterAnalysis,
  type ClusterRecord,
  type ClusterSnapshot,
  checkStart,
  instant,
  type JudgedSample,
  openBucket,
  rowsOf,
  ratio,
  seconds,
  type ServedTokens,
  shippedPrices,
  type Store,
  totalsOf,
  type UsageRow,
  type Window,
} from '@septet/domain'

import { DRAWN_AT } from '@septet/domain/testing'
import type { ClusterFacts } from '../../facts.ts'
import { filesOf, planOf } from '../../pipeline/ask-snapshot.ts'
import { detailOf } from '../../pipeline/workload-detail.ts'

const DRAWN: ClusterRecord = { id: 'drawn', name: 'Drawn', kind: 'cluster', createdAt: instant(0) }

/** Each workload counts tokens of a model of its own, and each namespace has a pod that holds no GPU. */
const servedIn = ({ workloads }: ClusterAnalysis, window: Window): ServedTokens => ({
  window,
  rows: workloads.flatMap(({ id, namespace }) =>
    ['', id].map((workload) => ({
      workload,
      namespace,
      model: `model-of-${id}`,
      engines: ['vLLM'],
      prompt: 1000 * id.length,
      generation: 100 * id.length,
    })),
  ),
  workloads: workloads.map(({ id }) => ({ workload: id, counted: ratio(1), beyond: ratio(0), pods: 1, silentPods: 0 })),
  refused: [],
})

/** What such a cluster held in these two hours, as it is stored. */
export const rowsOfTwoHours = (snapshot: ClusterSnapshot, samples: readonly JudgedSample[]): readonly UsageRow[] =>
  Array.from({ length: 24 }, (_, order) => {
    const bucket = openBucket(instant(DRAWN_AT + order * 300_000))
    for (let time = 0; time < 300_000; time += 30_000) {
      addReading(bucket, { at: instant(bucket.at + time), interval: seconds(30), snapshot, samples })
    }
    return rowsOf(bucket)
  }).flat()

/** What is known of a cluster that has not changed for two hours. */
export function factsOf(
  snapshot: ClusterSnapshot,
  samples: readonly JudgedSample[],
  record: ClusterRecord = DRAWN,
): ClusterFacts {
  const rows = rowsOfTwoHours(snapshot, samples)
  const sourcesOf = (some: readonly UsageRow[]) => ({
    snapshot,
    totals: {
      parts: totalsOf(some, ANALYSIS_GROUPS.parts),
      trend: totalsOf(some, ANALYSIS_GROUPS.trend),
      trendSpan: '5m' as const,
    },
    prices: shippedPrices,
    window: { from: DRAWN_AT, to: instant(DRAWN_AT + 7_200_000) },
    samples,
  })
  const whole = analyzeCluster(sourcesOf(rows))
  const known = new Map<string, ClusterAnalysis>()
  const analysisOf = (names: readonly string[]): ClusterAnalysis => {
    const key = JSON.stringify(names)
    const analysis = known.get(key) ?? analyzed(names)
    known.set(key, analysis)
    return analysis
  }
  const analyzed = (names: readonly string[]) =>
    analyzeNamespaces({
      ...sourcesOf(rows.filter(({ namespace }) => namespace !== '' && names.includes(namespace))),
      namespaces: new Set(names),
      observed: { window: whole.observed, seconds: seconds(Math.round(whole.observedSeconds)) },
    })
  return {
    record,
    connection: () => ({ kind: 'connected', lastContact: DRAWN_AT, problems: [] }),
    picture: () => snapshot,
    size: () => undefined,
    samples: () => new Map(samples.map((one) => [one.instance ? `${one.gpu}/gi-${one.instance.id}` : one.gpu, one])),
    idle: () => new Set(),
    targets: () => [],
    problems: () => [],
    asOf: () => DRAWN_AT,
    history: () => undefined,
    acting: () => ({ kind: 'observe' }),
    admission: () => undefined,
    health: () => undefined,
    judge: async () => [],
    outlook: async () => undefined,
    tokens: async (window) => ({ kind: 'read', served: servedIn(whole, window), readAt: DRAWN_AT }),
    plan: (question) => planOf(snapshot, question),
    files: async (plan) => filesOf(snapshot, plan),
    start: async ({ jobs, namespaces: limits }) => checkStart(snapshot, jobs, { namespaces: limits }),
    workload: async (id) =>
      detailOf(id, {
        snapshot,
        reader: { objectsOf: () => undefined },
        store: {
          usage: { rows: async () => rows.filter(({ workload }) => workload === id) },
          recommendations: { current: async () => undefined },
        } as unknown as Store,
        segments: [{ span: '5m', window: whole.window }],
        overrun: undefined,
      }),
    analysis: async (_range, names) => ({
      analysis: names === undefined ? whole : analysisOf(names),
      trendStep: 300,
      // As old as its reading.
      madeAt: DRAWN_AT,
    }),
  }
}
