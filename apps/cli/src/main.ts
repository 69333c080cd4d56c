#!/usr/bin/env node
import { errorText } from '@septet/domain/words'
import { shippedPrices, waitsOfSnapshot, type ClusterAnalysis, type WaitLedger } from '@septet/domain'

import { analyzeOnce, openCostFigures, openSolver, snapshotOnce } from './connect.ts'
import { runBillReport, runComparison } from './bill/run-bill-report.ts'
import { runPrices } from './bill/run-prices.ts'
import { runPlan } from './plan/run-plan.ts'
import { openProgress } from './progress.ts'
import { formatCsv } from './report/format-csv.ts'
import { formatText } from './report/format-text.ts'
import { UsageError } from './options/command-options.ts'
import {
  isOfBillAlone,
  readBillOptions,
  readReportOptions,
  REPORT_HELP,
  type ReportOptions,
} from './report/report-options.ts'
import { isServed, readServedOptions, runServedReport } from './report/served-report.ts'
import { personToAsk } from './actions/person-to-ask.ts'
import { runActions } from './actions/run-actions.ts'
import { runMcp } from './mcp/run-mcp.ts'
import { runRotateKeys } from './served/rotate-keys.ts'
import { runSimulate } from './simulate/run-simulate.ts'

const HELP = `septet: GPU time that is paid for and not used

Commands:
  report       what a cluster's capacity was spent on (septet report --help)
  prices       the prices on a cloud's bill, for the price book (septet prices --help)
  plan         which GPUs to cut anew and who moves, with a proof of how good it is (septet plan --help)
  simulate     how placement policies compare on a recorded list of pods (septet simulate --help)
  actions      what Septet changes in a cluster: approve, reject, undo, stop (septet actions --help)
  mcp          the MCP server of a Septet that runs, on stdin and stdout (septet mcp --help)
  rotate-keys  sign access tokens with a new key (septet rotate-keys --help)`

const FORMATS = {
  text: formatText,
  csv: formatCsv,
  json: (analysis: ClusterAnalysis, waits: WaitLedger) => `${JSON.stringify({ ...analysis, waits }, undefined, 2)}\n`,
} satisfies Record<ReportOptions['format'], (analysis: ClusterAnalysis, waits: WaitLedger) => string>

type Printed = string | Uint8Array

/** What each command prints. */
const COMMANDS: Readonly<Record<string, (args: readonly string[]) => Printed | Promise<Printed>>> = {
  report,
  prices: (args) => runPrices(args, process.env['SEPTET_TOKEN']),
  plan,
  simulate: (args) => runSimulate(args, openProgress(process.stderr)),
  actions: (args) =>
    runActions(args, { token: process.env['SEPTET_TOKEN'], confirm: personToAsk(process), now: () => Date.now() }),
  mcp: (args) => runMcp(args, process.env['SEPTET_TOKEN']),
  'rotate-keys': (args) => runRotateKeys(args, process.env['SEPTET_TOKEN']),
}

async function main([command, ...args]: readonly string[]): Promise<void> {
  if (command === undefined || command === 'help' || command === '--help') return print(`${HELP}\n`)
  const run = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined
  if (run === undefined) throw new UsageError(`There is no command "${command}".\n\n${HELP}`)
  return print(await run(args))
}

async function report(args: readonly string[]): Promise<Printed> {
  if (args.includes('--help')) return `${REPORT_HELP}\n`
  if (isServed(args)) return runServedReport(readServedOptions(args), process.env['SEPTET_TOKEN'])
  if (isOfBillAlone(args)) return runBillReport(readBillOptions(args))
  const { format, bill, rate, opencost, ...options } = readReportOptions(args, process.env)
  const asked = {
    ...options,
    prometheusToken: process.env['SEPTET_PROMETHEUS_TOKEN'],
    progress: openProgress(process.stderr),
  }
  if (bill.length === 0 && opencost === undefined) {
    const { analysis, snapshot } = await analyzeOnce(asked)
    return FORMATS[format](analysis, waitsOfSnapshot(snapshot, { window: analysis.window, prices: shippedPrices }))
  }
  return runComparison(
    { bill, rate, opencost, format },
    {
      analyze: (prices) => analyzeOnce({ ...asked, prices }),
      openCost: (url, window) => openCostFigures(url, process.env['SEPTET_OPENCOST_TOKEN'], window),
    },
  )
}

function plan(args: readonly string[]): Promise<string> {
  const progress = openProgress(process.stderr)
  return runPlan(args, {
    environment: process.env,
    progress,
    snapshotOf: (source) =>
      snapshotOnce({ ...source, prometheusToken: process.env['SEPTET_PROMETHEUS_TOKEN'], progress }),
    openSolver,
    impatience: () => {
      const impatience = new AbortController()
      process.once('SIGINT', () => impatience.abort())
      return impatience.signal
    },
  })
}

const print = (text: Printed): Promise<void> =>
  new Promise((resolve) => {
    process.stdout.write(text, () => resolve())
  })

// A reader that has seen enough (`septet report | head`) is no error.
process.stdout.on('error', () => process.exit(0))

try {
  await main(process.argv.slice(2))
} catch (error) {
  process.stderr.write(`septet: ${errorText(error)}\n`)
  process.exitCode = error instanceof UsageError ? 2 : 1
}
