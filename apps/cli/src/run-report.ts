import { prometheusWords, shippedPrices, waitsOfSnapshot, type ClusterAnalysis, type WaitLedger } from '@septet/domain'

import { runBillReport, runComparison } from './bill/run-bill-report.ts'
import { analyzeOnce, openCostFigures } from './connect.ts'
import type { ProgressLine } from './progress.ts'
import type { Environment } from './served/kept-servers.ts'
import { formatCsv } from './report/format-csv.ts'
import { formatText } from './report/format-text.ts'
import {
  isOfBillAlone,
  readBillOptions,
  readReportOptions,
  REPORT_HELP,
  type ReportOptions,
} from './report/report-options.ts'
import { isServed, runServedReport } from './report/served-report.ts'

const FORMATS = {
  text: formatText,
  csv: formatCsv,
  json: (analysis: ClusterAnalysis, waits: WaitLedger) => `${JSON.stringify({ ...analysis, waits }, undefined, 2)}\n`,
} satisfies Record<ReportOptions['format'], (analysis: ClusterAnalysis, waits: WaitLedger) => string>

/** `septet report`: of a cluster, of a bill, or as a Septet that runs exports it. Throws a `UsageError`. */
export async function runReport(
  args: readonly string[],
  { environment, progress }: { readonly environment: Environment; readonly progress: ProgressLine },
): Promise<string | Uint8Array> {
  if (args.includes('--help')) return `${REPORT_HELP}\n`
  if (isServed(args)) return runServedReport(args, environment)
  if (isOfBillAlone(args)) return runBillReport(readBillOptions(args))
  const { format, bill, rate, opencost, ...options } = readReportOptions(args, environment)
  const asked = { ...options, engine: prometheusWords((name) => environment[`SEPTET_PROMETHEUS_${name}`]), progress }
  if (bill.length === 0 && opencost === undefined) {
    const { analysis, snapshot } = await analyzeOnce(asked)
    return FORMATS[format](analysis, waitsOfSnapshot(snapshot, { window: analysis.window, prices: shippedPrices }))
  }
  return runComparison(
    { bill, rate, opencost, format },
    {
      analyze: (prices) => analyzeOnce({ ...asked, prices }),
      openCost: (url, window) => openCostFigures(url, environment['SEPTET_OPENCOST_TOKEN'], window),
    },
  )
}
