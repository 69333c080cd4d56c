import { oneOf, parseOptions, urlOf, UsageError } from '../options/command-options.ts'
import { SOURCE_OPTIONS, sourceOf, type Environment, type PlanOptions } from '../plan/plan-options.ts'

export type AskOptions = {
  readonly file: string
  readonly namespace: string
  readonly format: 'text' | 'json'
  readonly asked:
    | { readonly kind: 'server'; readonly server: URL; readonly cluster: string | undefined }
    | { readonly kind: 'here'; readonly source: PlanOptions['source'] }
}

export const ASK_HELP = `septet ask -f FILE (--server URL | --cluster NAME | --kubeconfig FILE | --snapshot FILE)

Checks whether a job would start if you submitted it now: where it would run, or what blocks it, what would unblock it,
and the smallest change to the job that would let it start. Submits nothing and changes nothing.

  -f, --file FILE        the manifest, YAML or JSON; - for standard input
  --namespace NAME       namespace for objects that name none (default: default)
  --server URL           ask a Septet server, which also knows how long similar work waited; uses SEPTET_TOKEN
  --cluster NAME         with --server, one of its clusters; otherwise a kubeconfig context, or "demo"
  --kubeconfig FILE      read the cluster directly (default: KUBECONFIG)
  --prometheus URL       a Prometheus-compatible API with dcgm-exporter metrics, to tell who holds which device
  --snapshot FILE        a snapshot from septet plan --save-snapshot
  --output text          or json

Exit status: 0 if all of it starts now, 3 if not or unknown, 1 or 2 after an error.`

/** Reads the options of `septet ask`. Throws a `UsageError`. */
export function readAskOptions(args: readonly string[], environment: Environment): AskOptions {
  const { file, namespace, output, server, ...source } = parseOptions(args, OPTIONS)
  if (file === undefined || file === '')
    throw new UsageError('Name the manifest: -f job.yaml, or -f - for what is piped in.')
  const shared = { file, namespace, format: oneOf('--output', output, ['text', 'json'] as const) }
  if (server === undefined) return { ...shared, asked: { kind: 'here', source: sourceOf(source, environment) } }
  const { cluster, ...others } = source
  if (Object.values(others).some((value) => value !== undefined))
    throw new UsageError('With --server, only --cluster selects the cluster.')
  return { ...shared, asked: { kind: 'server', server: new URL(urlOf('--server', server)), cluster } }
}

const OPTIONS = {
  ...SOURCE_OPTIONS,
  file: { type: 'string', short: 'f' },
  namespace: { type: 'string', default: 'default' },
  output: { type: 'string', default: 'text' },
  server: { type: 'string' },
} as const
