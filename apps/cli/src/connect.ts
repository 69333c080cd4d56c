import { openClusterReader, openOpenCost, openPrometheus, readConfigs, readManifest } from '@septet/connectors'
import {
  ANALYSIS_GROUPS,
  analyzeCluster,
  assembleSnapshot,
  DEFAULT_POLICY,
  enrichHistory,
  expectedOf,
  historyContext,
  instant,
  judgeReading,
  mergeTotals,
  oversizedTotals,
  pricePeriods,
  sizesToForce,
  prometheusSource,
  shippedPrices,
  SPAN_SECONDS,
  totalsOf,
  type ClusterAnalysis,
  type ClusterSnapshot,
  type Instant,
  type Inventory,
  type JudgedSample,
  type OpenCostFigures,
  type PriceBook,
  type PrometheusWords,
  type Span,
  type UsageTotal,
  type Window,
} from '@septet/domain'

import type { ProgressLine } from './progress.ts'

export type ReportSources = {
  readonly kubeconfig: string
  readonly context: string | undefined
  readonly prometheusUrl: string | undefined
  readonly engine: PrometheusWords
  readonly sinceSeconds: number
  readonly progress: ProgressLine
  /** The price book; what is shipped when left out. */
  readonly prices?: PriceBook
}

/** An analysis with the snapshot that it is of. */
export type OneAnalysis = { readonly analysis: ClusterAnalysis; readonly snapshot: ClusterSnapshot }

type Prometheus = ReturnType<typeof openPrometheus>
const clock = () => instant(Date.now())
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

/** Reads a cluster and its metrics engine once and analyzes them, as the server would. Nothing is kept. */
export const analyzeOnce = (sources: ReportSources): Promise<OneAnalysis> => readOnce(sources, analyzed)

/** What a cluster is at this moment: nodes, GPUs, what they are cut into, and who holds it. */
export const snapshotOnce = (sources: Omit<ReportSources, 'sinceSeconds'>): Promise<ClusterSnapshot> =>
  readOnce({ ...sources, sinceSeconds: 0 }, async (inventory, connected) => {
    const samples = await judgedNow(inventory, connected)
    return assembleSnapshot({ cluster: sources.context ?? 'cluster', inventory, samples, now: clock() })
  })

/** What OpenCost says of a window. */
export const openCostFigures = (url: string, token: string | undefined, window: Window): Promise<OpenCostFigures> =>
  openOpenCost({ url, ...(token === undefined ? {} : { bearerToken: token }) }).figures(window)

export { readConfigs, readManifest }

type Use<Answer> = (inventory: Inventory, connected: Connected) => Promise<Answer>

async function readOnce<Answer>(sources: ReportSources, use: Use<Answer>): Promise<Answer> {
  const { kubeconfig, context, progress } = sources
  progress.step(0, 1, 'reading the cluster')
  const address = context === undefined ? { path: kubeconfig } : { path: kubeconfig, context }
  const reader = openClusterReader({ kubeconfig: address, log: silent, clock, random: Math.random })
  const engine = prometheusSource({ ...sources.engine, prometheusUrl: sources.prometheusUrl })
  const prometheus = engine && openPrometheus({ ...engine, clock })
  try {
    await reader.start()
    const inventory = reader.inventory()
    if (inventory === undefined) throw new Error('The cluster answered, but its nodes and pods could not be read.')
    return await use(inventory, { ...sources, prometheus })
  } finally {
    progress.end()
    await Promise.all([reader.stop(), prometheus?.close()])
  }
}

type Connected = ReportSources & { readonly prometheus: Prometheus | undefined }

async function analyzed(inventory: Inventory, sources: Connected): Promise<OneAnalysis> {
  const now = clock()
  const samples = await judgedNow(inventory, sources)
  const cluster = sources.context ?? 'cluster'
  const snapshot = assembleSnapshot({ cluster, inventory, samples, now })
  const span = spanFor(sources.sinceSeconds)
  const step = SPAN_SECONDS[span] * 1000
  // Only whole buckets: a part of one would be counted as if its rest were unknown.
  const to = instant(Math.floor(now / step) * step)
  const window = { from: instant(to - Math.ceil((sources.sinceSeconds * 1000) / step) * step), to }
  const prices = sources.prices ?? shippedPrices
  const usage = await usageOf(snapshot, { ...sources, window, span, periods: pricePeriods(prices, window) })
  const analyze = ({ parts, periods, trend }: Usage): OneAnalysis['analysis'] =>
    analyzeCluster({
      snapshot,
      totals: { parts, periods, trend, trendSpan: span },
      prices,
      window,
      samples: sources.prometheus === undefined ? undefined : samples,
    })
  // Nobody has judged sizes before: those of the window hold for all of it.
  const sizes = sizesToForce(analyze(usage).workloads)
  const sized = (totals: readonly UsageTotal[]): readonly UsageTotal[] => oversizedTotals(totals, sizes)
  const periods = usage.periods.map(({ from, totals }) => ({ from, totals: sized(totals) }))
  return { analysis: analyze({ ...usage, parts: sized(usage.parts), periods }), snapshot }
}

async function judgedNow(inventory: Inventory, { prometheus }: Connected): Promise<readonly JudgedSample[]> {
  if (prometheus === undefined) return []
  const reading = await prometheus.read()
  return judgeReading({ reading, memory: undefined, now: clock(), expected: expectedOf(inventory) }).samples
}

type UsageNeed = Connected & { readonly window: Window; readonly span: Span; readonly periods: readonly Window[] }
type Usage = {
  readonly parts: readonly UsageTotal[]
  readonly periods: readonly { readonly from: Instant; readonly totals: readonly UsageTotal[] }[]
  readonly trend: readonly UsageTotal[]
}

/** Sums of the window; batch by batch, so that a large fleet does not have to fit in memory. */
async function usageOf(snapshot: ClusterSnapshot, need: UsageNeed): Promise<Usage> {
  const { prometheus, window, span, progress } = need
  const periods = need.periods.map(({ from, to }) => ({ from, to, totals: new Array<UsageTotal>() }))
  let trend: UsageTotal[] = []
  if (prometheus === undefined) return { parts: [], periods, trend }
  const context = historyContext(snapshot)
  const buckets = (window.to - window.from) / 1000 / SPAN_SECONDS[span]
  const seen = new Set<number>()
  for await (const batch of prometheus.history({ window, span, idle: DEFAULT_POLICY.idle })) {
    const rows = enrichHistory(batch, context)
    for (const period of periods) {
      const own = rows.filter(({ at }) => at >= period.from && at < period.to)
      period.totals = merged([...period.totals, ...totalsOf(own, ANALYSIS_GROUPS.parts)])
    }
    trend = mergeTotals([...trend, ...totalsOf(rows, ANALYSIS_GROUPS.trend)], ANALYSIS_GROUPS.trend)
    for (const { at } of batch.usage) seen.add(at)
    progress.step(seen.size, buckets, 'reading past usage')
  }
  const parts = merged(periods.flatMap(({ totals }) => totals))
  return { parts, periods, trend }
}

const merged = (totals: readonly UsageTotal[]): UsageTotal[] => mergeTotals(totals, ANALYSIS_GROUPS.parts)

/** The finest rows whose number stays reasonable for the window. */
function spanFor(sinceSeconds: number): Span {
  if (sinceSeconds <= 6 * 3600) return '5m'
  return sinceSeconds <= 21 * 86_400 ? '1h' : '1d'
}
