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
import { REPORT_FILES, REPORT_FILES_PATH } from '@septet/contract'
import { oneOf, parseOptions } from './options/command-options.ts'
import { saveServed } from './served/save-served.ts'
import { serverToAsk } from './served/server-to-ask.ts'

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

/** Whether the words ask a Septet that runs, rather than a cluster. */
export const isServed = (args: readonly string[]): boolean =>
  args.some((word) => word === '--server' || word.startsWith('--server='))

const OPTIONS = {
  server: { type: 'string' },
  file: { type: 'string', default: 'pdf' },
  cluster: { type: 'string' },
  range: { type: 'string' },
  namespaces: { type: 'string' },
  out: { type: 'string' },
} as const

/**
 * `septet report --server`: fetches a report from a Septet that runs and keeps it; resolves with what is to be printed.
 * What is wrong with cluster, range and namespaces the server says. Throws a `UsageError`.
 */
export async function runServedReport(args: readonly string[], environment: Environment): Promise<string | Uint8Array> {
  const { server, out, file: named, ...query } = parseOptions(args, OPTIONS)
  const file = oneOf('--file', named, REPORT_FILES)
  const whom = serverToAsk(server, environment)
  const address = new URL(`${REPORT_FILES_PATH}/${file}`, whom.server)
  for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value)
  return saveServed(address, {
    ...whom,
    out,
    fallback: `septet-report.${file === 'pdf' || file === 'json' ? file : 'csv'}`,
  })
}
