import {
  billPrices,
  reconcileBill,
  shippedPrices,
  type ClusterAnalysis,
  type GpuNode,
  type PriceBook,
} from '@septet/domain'

import { formatText } from '../report/format-text.ts'
import type { BillReportOptions, ReportOptions } from '../report/report-options.ts'
import { billView } from './bill-view.ts'
import { formatBill } from './format-bill.ts'
import { readBillFiles } from './read-bill-files.ts'

/** `septet report --bill`: what a bill is for and what a GPU-hour cost on it. */
export async function runBillReport({ bill: files, format }: BillReportOptions): Promise<string> {
  const view = billView(await readBillFiles(files))
  return format === 'json' ? `${JSON.stringify({ bill: view }, undefined, 2)}\n` : formatBill(view)
}

type Analyze = (
  prices: PriceBook,
) => Promise<{ readonly analysis: ClusterAnalysis; readonly nodes: readonly GpuNode[] }>

/** The same with a cluster: what its GPUs cost at the prices of the bill, and what of the bill is theirs. */
export async function runBillWithCluster(
  { bill: files, rate, format }: Pick<ReportOptions, 'bill' | 'rate' | 'format'>,
  analyze: Analyze,
): Promise<string> {
  const whole = await readBillFiles(files)
  const own = billPrices(whole, rate)
  const { analysis, nodes } = await analyze([...own, ...shippedPrices])
  // Read once more: only now it is known of which time the machines are compared.
  const { resources } = await readBillFiles(files, analysis.window)
  const byNode = analysis.cost.byNode
  const view = billView(whole, reconcileBill({ bill: { resources }, nodes, byNode, usdPerUnit: rate }))
  return format === 'json'
    ? `${JSON.stringify({ ...analysis, bill: view }, undefined, 2)}\n`
    : `${formatText(analysis)}\n${formatBill(view)}`
}
