import {
  billPrices,
  compareOpenCost,
  reconcileBill,
  shippedPrices,
  type ClusterAnalysis,
  type ClusterSnapshot,
  type OpenCostFigures,
  type PriceBook,
  type ReadBill,
  timeNotOnBill,
  type Window,
  type OpenCostComparison,
  reasonsOnce,
} from '@septet/domain'
import { formatText } from '../report/format-text.ts'
import type { BillReportOptions, ReportOptions } from '../report/report-options.ts'
import { type BillView, billView } from './bill-view.ts'
import { formatBill } from './format-bill.ts'
import { readBills } from './read-bill-files.ts'
import { hoursWords, moneyWords, textTable, type ReportColumn } from '../report/table.ts'

/** `septet report --bill`: what a bill is for and what a GPU-hour cost on it. */
export async function runBillReport({ bill: files, format }: BillReportOptions): Promise<string> {
  const view = billView(await readBills(files))
  return format === 'json' ? `${JSON.stringify({ bill: view }, undefined, 2)}\n` : formatBill(view)
}

type One = { readonly analysis: ClusterAnalysis; readonly snapshot: ClusterSnapshot }

/** What a report needs from outside; `main.ts` joins it. */
export type ComparisonPorts = {
  readonly analyze: (prices: PriceBook) => Promise<One>
  readonly openCost: (url: string, window: Window) => Promise<OpenCostFigures>
}

/** A report on a cluster held against its bill, against OpenCost, or both. */
export async function runComparison(
  { bill: files, rate, opencost, format }: Pick<ReportOptions, 'bill' | 'rate' | 'opencost' | 'format'>,
  { analyze, openCost }: ComparisonPorts,
): Promise<string> {
  const whole = files.length === 0 ? undefined : await readBills(files)
  const own = whole === undefined ? [] : billPrices(whole, rate)
  const { analysis, snapshot } = await analyze([...own, ...shippedPrices])
  const bill = whole === undefined ? undefined : await besideCluster(whole, { files, rate, analysis, snapshot })
  const comparison =
    opencost === undefined
      ? undefined
      : compareOpenCost({ figures: await openCost(opencost, analysis.window), cost: analysis.cost, snapshot })
  if (format === 'json') return `${JSON.stringify({ ...analysis, bill, opencost: comparison }, undefined, 2)}\n`
  return [
    formatText(analysis),
    ...(bill === undefined ? [] : [formatBill(bill)]),
    ...(comparison === undefined ? [] : [formatOpenCost(comparison)]),
  ].join('\n')
}

type Asked = One & { readonly files: readonly string[]; readonly rate: number | undefined }

/** Reads the bill once more: only now it is known of which time the machines are compared. */
async function besideCluster(whole: ReadBill, { files, rate, analysis, snapshot }: Asked): Promise<BillView> {
  const missing = timeNotOnBill(whole.period, analysis.window)
  const bill = missing === undefined ? whole : { ...whole, notes: [missing.note, ...whole.notes] }
  if (missing?.none === true) return billView(bill)
  const { resources } = await readBills(files, analysis.window)
  const sources = { bill: { resources }, nodes: snapshot.nodes, byNode: analysis.cost.byNode, usdPerUnit: rate }
  return billView(bill, reconcileBill(sources))
}

type NodeRow = OpenCostComparison['nodes'][number]
type NamespaceRow = OpenCostComparison['namespaces'][number]

/** Our figures beside OpenCost's, and why they differ, as text for a terminal. */
function formatOpenCost({ nodes, namespaces }: OpenCostComparison): string {
  const nodeColumns: ReportColumn<NodeRow>[] = [
    { title: 'Beside OpenCost, by node', text: ({ name }) => name },
    { title: 'GPU-h', text: ({ ours }) => hoursWords(ours.gpuHours), right: true },
    { title: 'theirs', text: ({ theirs }) => hoursWords(theirs.gpuHours), right: true },
    { title: 'Cost', text: ({ ours }) => moneyWords(ours.cost), right: true },
    { title: 'their total', text: ({ theirs }) => moneyWords(theirs.cost), right: true },
    { title: 'their GPUs', text: ({ theirGpuCost }) => moneyWords(theirGpuCost), right: true },
  ]
  const namespaceColumns: ReportColumn<NamespaceRow>[] = [
    { title: 'By namespace', text: ({ name }) => (name === '' ? '(unallocated)' : name) },
    { title: 'GPU-h', text: ({ ours }) => hoursWords(ours.gpuHours), right: true },
    { title: 'theirs', text: ({ theirs }) => hoursWords(theirs.gpuHours), right: true },
    { title: 'Cost', text: ({ ours }) => moneyWords(ours.cost), right: true },
    { title: 'theirs', text: ({ theirs }) => moneyWords(theirs.cost), right: true },
  ]
  return [
    ...textTable(nodes, nodeColumns),
    ...reasonsOnce([...nodes, ...namespaces.map((each) => ({ ...each, name: each.name || 'unallocated' }))]),
    '',
    ...textTable(namespaces, namespaceColumns),
    '',
  ].join('\n')
}
