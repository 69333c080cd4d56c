import { oneOf, parseOptions, urlOf, UsageError } from '../options/command-options.ts'

export type ReportOptions = {
  readonly kubeconfig: string
  readonly context: string | undefined
  readonly prometheusUrl: string | undefined
  readonly sinceSeconds: number
  readonly format: 'text' | 'json' | 'csv'
}

export const REPORT_HELP = `septet report --kubeconfig FILE --prometheus URL [--since 7d] [--context NAME] [--format text|json|csv]
septet report --server URL [--file pdf|focus|cost|workloads|json|…] [--cluster ID] [--range last-week] [--namespaces a,b] [--out FILE]

What a GPU cluster's capacity was spent on: allocated, busy, idle-held, stranded, by namespace and model, in GPU-hours
and money, with data quality. Reads only; nothing is kept.

  --kubeconfig FILE   the cluster; KUBECONFIG when left out
  --context NAME      a context of it; its current one when left out
  --prometheus URL    an API that holds dcgm-exporter's metrics; without it nothing is said about use
  --since 7d          how far back: 6h, 24h, 7d, 30d (m, h, d, w)
  --format text       text, json (the whole analysis) or csv

A bearer token for Prometheus is read from SEPTET_PROMETHEUS_TOKEN.

With --server the report comes from a Septet that runs, as its page exports it:

  --server URL        where it is; an API token of it is read from SEPTET_TOKEN
  --file pdf          pdf, focus, cost, workloads, partitions, trend, months, findings, recommendations or json
  --cluster ID        its first cluster when left out
  --range 24h         1h, 6h, 24h, 7d, 30d, today, week, month, last-week, last-month (month@Europe/Berlin), or FROM/TO
  --namespaces a,b    only of these
  --out FILE          where to keep it; - prints it`

const UNITS: Readonly<Record<string, number>> = { m: 60, h: 3600, d: 86_400, w: 604_800 }
const FORMATS = ['text', 'json', 'csv'] as const

/** Reads the options of `septet report`. Throws a `UsageError`. */
export function readReportOptions(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): ReportOptions {
  const values = parseOptions(args, OPTIONS)
  const kubeconfig = values.kubeconfig ?? environment['KUBECONFIG']
  if (kubeconfig === undefined || kubeconfig === '') throw new UsageError('Name the cluster: --kubeconfig FILE.')
  return {
    kubeconfig,
    context: values.context,
    prometheusUrl: urlOf('--prometheus', values.prometheus),
    sinceSeconds: secondsOf(values.since),
    format: oneOf('--format', values.format, FORMATS),
  }
}

const OPTIONS = {
  kubeconfig: { type: 'string' },
  context: { type: 'string' },
  prometheus: { type: 'string' },
  since: { type: 'string', default: '7d' },
  format: { type: 'string', default: 'text' },
} as const

function secondsOf(text: string): number {
  const [, count, unit] = /^(\d{1,4})([mhdw])$/u.exec(text) ?? []
  const length = Number(count) * (UNITS[unit ?? ''] ?? Number.NaN)
  if (length >= 300 && length <= 400 * 86_400) return length
  throw new UsageError(`--since is "${text}" but must be a length of time from 5m to 400d, such as 24h or 7d.`)
}
