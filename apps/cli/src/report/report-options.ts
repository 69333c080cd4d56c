import { optionsLength, numberOf, oneOf, parseOptions, urlOf, UsageError } from '../options/command-options.ts'

export type ReportOptions = {
  readonly kubeconfig: string
  readonly context: string | undefined
  readonly prometheusUrl: string | undefined
  readonly sinceSeconds: number
  readonly format: 'text' | 'json' | 'csv'
  /** Files of a bill in FOCUS; none: no bill. */
  readonly bill: readonly string[]
  /** US dollars for one unit of the bill's currency; undefined: it is in dollars. */
  readonly rate: number | undefined
  /** Address of OpenCost's API; undefined: nothing is compared. */
  readonly opencost: string | undefined
}

/** A report on a bill alone. */
export type BillReportOptions = Pick<ReportOptions, 'bill' | 'rate'> & { readonly format: 'text' | 'json' }

export const REPORT_HELP = `septet report --kubeconfig FILE --prometheus URL [--since 7d] [--context NAME] [--format text|json|csv]
septet report --bill FILE [--kubeconfig FILE --prometheus URL] [--rate 1.08]
septet report --server URL [--file pdf|focus|cost|workloads|json|…] [--cluster ID] [--range last-week] [--namespaces a,b] [--out FILE]

Shows where a cluster's GPU capacity went: allocated, busy, held but idle, and stranded, by namespace and model, in
GPU-hours and dollars, with the quality of the data. Read-only; nothing is stored.

  --kubeconfig FILE   the cluster to read (default: KUBECONFIG)
  --context NAME      a context in it (default: the current one)
  --prometheus URL    a Prometheus-compatible API with dcgm-exporter metrics; without it, usage is not reported
  --since 7d          how far back: 6h, 24h, 7d, 30d (m, h, d, w)
  --format text       text, json (the whole analysis) or csv
  --bill FILE         a cloud's bill in FOCUS 1.0 to 1.2 (CSV, CSV with gzip, Parquet), more than once for its parts:
                      what it is for and what a GPU-hour cost; with a cluster, its GPUs at these prices and beside the bill
  --opencost URL      an OpenCost (port 9003) or Kubecost (…/model) that watches the same cluster: its figures beside ours,
                      node by node and by namespace, and why they differ
  --rate 1.08         US dollars for one unit of the bill's currency, where that is not the dollar

A bearer token for Prometheus is read from SEPTET_PROMETHEUS_TOKEN. If several clusters share it, name the series of this
one in SEPTET_PROMETHEUS_MATCHERS, like cluster="prod".

With --server, the report comes from a Septet server, the same as the dashboard exports:

  --server URL        the server; uses SEPTET_TOKEN, else the token from septet login
  --file pdf          pdf, focus (FOCUS 1.2), focus-1.0, focus-1.3, cost, workloads, waits, partitions, trend, months,
                      findings, recommendations, actions, savings or json
  --cluster ID        the cluster (default: the server's first)
  --range 24h         1h, 6h, 24h, 7d, 30d, today, week, month, last-week, last-month (month@Europe/Berlin), or FROM/TO
  --namespaces a,b    only these namespaces
  --out FILE          write to this file; - for standard output`

const FORMATS = ['text', 'json', 'csv'] as const
const BILL_FORMATS = ['text', 'json'] as const

/** Reads the options of `septet report`. Throws a `UsageError`. */
export function readReportOptions(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): ReportOptions {
  const values = parseOptions(args, OPTIONS)
  const { bill = [], rate } = values
  const isPlain = bill.length === 0 && values.opencost === undefined
  const kubeconfig = values.kubeconfig ?? environment['KUBECONFIG']
  if (kubeconfig === undefined || kubeconfig === '') throw new UsageError('Name the cluster: --kubeconfig FILE.')
  return {
    kubeconfig,
    context: values.context,
    prometheusUrl: urlOf('--prometheus', values.prometheus),
    sinceSeconds: optionsLength('--since', values.since, { from: '5m', to: '400d' }),
    format: oneOf('--format', values.format, isPlain ? FORMATS : BILL_FORMATS),
    bill,
    rate: rateOf(rate),
    opencost: urlOf('--opencost', values.opencost),
  }
}

/** Whether the words are about a bill and name no cluster to hold it against. */
export const isOfBillAlone = (args: readonly string[]): boolean =>
  hasOption(args, '--bill') && !hasOption(args, '--kubeconfig') && !hasOption(args, '--prometheus')

const hasOption = (args: readonly string[], option: string): boolean =>
  args.some((word) => word === option || word.startsWith(`${option}=`))

/** Reads the options of a report on a bill alone. Throws a `UsageError`. */
export function readBillOptions(args: readonly string[]): BillReportOptions {
  const { bill = [], rate, format } = parseOptions(args, OPTIONS)
  return { bill, rate: rateOf(rate), format: oneOf('--format', format, BILL_FORMATS) }
}

const rateOf = (rate: string | undefined): number | undefined =>
  rate === undefined ? undefined : numberOf('--rate', rate, { least: 0.000_001, most: 1_000_000, whole: false })

const OPTIONS = {
  kubeconfig: { type: 'string' },
  context: { type: 'string' },
  prometheus: { type: 'string' },
  since: { type: 'string', default: '7d' },
  format: { type: 'string', default: 'text' },
  bill: { type: 'string', multiple: true },
  rate: { type: 'string' },
  opencost: { type: 'string' },
} as const
